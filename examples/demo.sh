#!/bin/sh
# The main job in a minute: ingest a sample chat in two chapters, materialise each through Dagster, ask, show lineage.
# Run by `make demo`. Everything lands in $PALIMPSEST_HOME; run it again and nothing changes.
set -eu
here=$(dirname "$0")
user=friends

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() { printf '\033[2m$ palimpsest %s\033[0m\n' "$*"; palimpsest "$@"; }
ask() {
    question=$1; shift
    printf '\n\033[2m$ palimpsest ask --user %s "%s"' "$user" "$question"; printf ' %s' "$@"; printf '\033[0m\n'
    palimpsest ask --user "$user" "$question" "$@"
}

say "1. A home with settings and development keys"
run init

say "2. Spring: a chat of three friends becomes evidence, then belief"
run ingest --user "$user" "$here/friends-1-spring.chat"
run materialise --all
sleep 1
between=$(date -u +%Y-%m-%dT%H:%M:%SZ)

say "3. Summer: somebody moves, somebody changes jobs"
run ingest --user "$user" "$here/friends-2-summer.chat"
run materialise --all

say "4. A dozen questions"
ask "Where does Ana live?"
ask "Where did Ana live in March 2026?"
ask "Where does Ana live?" --known-at "$between"
ask "Where does Ben work?"
ask "Where does Ben work?" --valid-at 2026-04-01T12:00:00Z
ask "When did Ana move to Lisbon?"
ask "What is the name of Ana's puppy?"
ask "Who is Chiara's husband?"
ask "What is Ana allergic to?"
ask "When is Ben's birthday?"
ask "How old is Mia?"
ask "Where does Ana's sister live?"
ask "What did Chiara's car do again?"

say "5. Where an answer comes from: fact, evidence, words, run, journal"
fact=$(palimpsest facts --user "$user" --subject Ana --predicate lives_in --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["facts"][0]["id"])')
run history "$fact" --user "$user"
run lineage "$fact" --user "$user"

say "6. Nothing was altered since"
run verify --user "$user"
run state-hash --user "$user"

say "Look around:  PALIMPSEST_HOME=$PALIMPSEST_HOME make up   (Dagster UI, daemon and API; prints addresses and a token)"

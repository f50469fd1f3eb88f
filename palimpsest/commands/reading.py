"""recall, ask, facts, utterance, neighbourhood, path, history, lineage: what was said, what is believed, and why."""

import argparse
from typing import TYPE_CHECKING

from palimpsest.commands.declaring import Commands, add_times, add_user, command

if TYPE_CHECKING:
    from kg_assets.model import Micros


def register(commands: Commands) -> None:
    declared = command(commands, "recall", recall, "find what was said, best first")
    declared.add_argument("query", metavar="QUERY")
    add_user(declared)
    declared.add_argument("-k", type=int, default=10, help="how many (default: 10)")

    declared = command(commands, "ask", ask, "answer a question from the graph, else from what was said")
    declared.add_argument("question", metavar="QUESTION")
    add_user(declared)
    add_times(declared)

    declared = command(commands, "facts", facts, "list what is believed")
    add_user(declared)
    declared.add_argument("--subject", metavar="NAME", help="an entity's id or any of its names")
    declared.add_argument("--predicate", metavar="NAME", help="a predicate or an alias of it")
    declared.add_argument("--object", metavar="NAME", help="an entity's id or any of its names")
    declared.add_argument("--inferred", action="store_true", help="also what follows of --subject or --object by rules")
    add_times(declared)

    declared = command(commands, "utterance", utterance, "show what was said, its score, and what came of it")
    declared.add_argument("utterance", metavar="ID", help="as it was sent, or as recall and lineage show it")
    add_user(declared)

    declared = command(commands, "neighbourhood", neighbourhood, "show what is believed around an entity")
    declared.add_argument("entity", metavar="NAME", help="its id or any of its names")
    add_user(declared)
    declared.add_argument("--hops", type=int, default=2, help="how far, up to 4 (default: 2)")
    add_walk(declared)

    declared = command(commands, "path", path, "show the shortest way between two entities")
    declared.add_argument("source", metavar="FROM", help="an entity's id or any of its names")
    declared.add_argument("target", metavar="TO")
    add_user(declared)
    declared.add_argument("--max-hops", type=int, default=4, help="how far, up to 4 (default: 4)")
    add_walk(declared)

    declared = command(commands, "history", history, "show every version of a fact on both time axes")
    declared.add_argument("fact", metavar="FACT", help="its id, or the beginning of it")
    add_user(declared, required=False, help_text="whose memory (default: all are searched)")

    declared = command(commands, "lineage", lineage, "show where a fact came from, down to runs and journal")
    declared.add_argument("fact", metavar="FACT", help="its id, or the beginning of it")
    add_user(declared, required=False, help_text="whose memory (default: all are searched)")


def add_walk(declared: argparse.ArgumentParser) -> None:
    declared.add_argument("--limit", type=int, default=10_000, help="facts to visit at most (default: 10000)")
    add_times(declared)


def recall(arguments: argparse.Namespace) -> int:
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from palimpsest.queries import recall_query
    from palimpsest.views import show_recalled

    require_words(arguments.query, "recall: the query")
    with open_home() as home, home.memory(arguments.user) as memory:
        found = recall_query(home, memory, arguments.query, arguments.k)
    (show_json if arguments.json else show_recalled)(found)
    return 0


def ask(arguments: argparse.Namespace) -> int:
    from palimpsest.home import instant, open_home
    from palimpsest.printing import show_json
    from palimpsest.queries import ask_question
    from palimpsest.views import show_answer

    require_words(arguments.question, "ask: the question")
    valid_at = instant(arguments.valid_at, "--valid-at")
    known_at = known_time(arguments.known_at)
    with open_home() as home, home.memory(arguments.user) as memory:
        answer = ask_question(home, memory, arguments.question, valid_at=valid_at, known_at=known_at)
    (show_json if arguments.json else show_answer)(answer)
    return 0


def facts(arguments: argparse.Namespace) -> int:
    from kg_assets.text.instants import format_instant
    from palimpsest.home import instant, open_home
    from palimpsest.printing import say, show_json
    from palimpsest.queries import all_facts, first_belief
    from palimpsest.views import show_facts
    from serving.fact_queries import FactQuery

    query = FactQuery(
        subject=arguments.subject,
        predicate=arguments.predicate,
        object=arguments.object,
        valid_at=instant(arguments.valid_at, "--valid-at"),
        known_at=known_time(arguments.known_at),
        inferred=arguments.inferred,
    )
    with open_home() as home, home.memory(arguments.user) as memory:
        page = all_facts(home, memory, query)
        first = first_belief(memory) if query.known_at is not None and not page.facts else None
    (show_json if arguments.json else show_facts)(page)
    if first and query.known_at is not None and query.known_at < first and not arguments.json:
        say(f"This memory learned its first fact at {format_instant(first)}.")
    return 0


def utterance(arguments: argparse.Namespace) -> int:
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from palimpsest.trees import show_utterance
    from serving.one_utterance import explained_utterance

    with open_home() as home, home.memory(arguments.user) as memory:
        view = explained_utterance(memory, arguments.utterance)
    (show_json if arguments.json else show_utterance)(view)
    return 0


def neighbourhood(arguments: argparse.Namespace) -> int:
    from palimpsest.home import instant, open_home
    from palimpsest.printing import show_json
    from palimpsest.walk_views import show_neighbourhood
    from serving.walks import WalkQuery, checked, neighbourhood_view

    query = WalkQuery(
        start=arguments.entity,
        hops=arguments.hops,
        limit=arguments.limit,
        valid_at=instant(arguments.valid_at, "--valid-at"),
        known_at=known_time(arguments.known_at),
    )
    checked(query, "hops", "--")
    with open_home() as home, home.memory(arguments.user) as memory:
        view = neighbourhood_view(memory, query, home.clock())
    (show_json if arguments.json else show_neighbourhood)(view)
    return 0


def path(arguments: argparse.Namespace) -> int:
    """0 only where there is a way."""
    from palimpsest.home import instant, open_home
    from palimpsest.printing import show_json
    from palimpsest.walk_views import show_path
    from serving.walks import WalkQuery, checked, path_view

    query = WalkQuery(
        start=arguments.source,
        target=arguments.target,
        hops=arguments.max_hops,
        limit=arguments.limit,
        valid_at=instant(arguments.valid_at, "--valid-at"),
        known_at=known_time(arguments.known_at),
    )
    checked(query, "max-hops", "--")
    with open_home() as home, home.memory(arguments.user) as memory:
        view = path_view(memory, query, home.clock())
    (show_json if arguments.json else show_path)(view)
    return 0 if view.hops is not None else 1


def require_words(text: str, what: str) -> None:
    from kg_assets.errors import InvalidInput

    if not text.strip():
        raise InvalidInput(f"{what} is empty; ask something")


def known_time(text: str | None) -> "Micros | None":
    """Nothing is known of what will be believed: the present answers in its place."""
    from palimpsest.home import instant
    from palimpsest.printing import note
    from resources.clock import system_clock

    known_at = instant(text, "--known-at")
    if known_at is not None and known_at > system_clock():
        note(f"--known-at {text} lies in the future; this is what is believed now.")
    return known_at


def history(arguments: argparse.Namespace) -> int:
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from palimpsest.queries import found_fact
    from palimpsest.trees import show_history
    from serving.fact_queries import fact_history

    with open_home() as home, found_fact(home, arguments.fact, arguments.user) as (memory, fact_id):
        view = fact_history(memory, fact_id)
    (show_json if arguments.json else show_history)(view)
    return 0


def lineage(arguments: argparse.Namespace) -> int:
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from palimpsest.queries import found_fact
    from palimpsest.trees import show_lineage
    from serving.fact_queries import fact_lineage

    with open_home() as home, found_fact(home, arguments.fact, arguments.user) as (memory, fact_id):
        view = fact_lineage(memory, home.stores, fact_id)
    (show_json if arguments.json else show_lineage)(view)
    return 0

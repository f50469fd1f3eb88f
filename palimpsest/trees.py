"""Histories, lineages and single utterances for people: trees between facts, words, runs and journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

from palimpsest.printing import console, plain, short
from palimpsest.views import moment, recorded_time, statement, valid_time

if TYPE_CHECKING:
    from serving.contract import AssertionView, DecisionView, HistoryView, JournalView, LineageView, RunView
    from serving.one_utterance import ExplainedNovelty, UtteranceView


def line(*parts: tuple[str, str] | str) -> Text:
    """Pieces of text, some with a style."""
    return Text.assemble(*((plain(part), "") if isinstance(part, str) else (plain(part[0]), part[1]) for part in parts))


def show_history(view: HistoryView) -> None:
    """Each version with what it was believed to hold for, and what opened and closed it."""
    tree = Tree(line((statement(view.versions[0].fact), "bold"), (f"  {short(view.id)}", "dim")))
    for version in view.versions:
        fact = version.fact
        standing = "" if fact.recorded_to else "  believed now"
        branch = tree.add(
            line(("valid ", "dim"), valid_time(fact), ("  recorded ", "dim"), recorded_time(fact), (standing, "green"))
        )
        branch.add(line(f"confidence {fact.confidence:.2f}, said {fact.support}×, {fact.authority}"))
        if version.opened_by:
            branch.add(line(("opened by ", "dim"), journal_words(version.opened_by)))
        if version.closed_by:
            branch.add(line(("closed by ", "dim"), journal_words(version.closed_by)))
        for decision in version.decisions:
            branch.add(decision_words(decision))
    console().print(tree)


def show_lineage(view: LineageView) -> None:
    """Fact → assertions → utterances → runs → journal."""
    fact = view.fact
    tree = Tree(line((statement(fact), "bold"), (f"  {short(fact.id)}", "dim")))
    tree.add(line(("valid ", "dim"), valid_time(fact), ("  recorded ", "dim"), recorded_time(fact)))
    runs: dict[str, list[RunView]] = {}
    for run in view.runs:
        runs.setdefault(run.run_id, []).append(run)
    for bearing, heading in (("supports", "because of"), ("against", "against it")):
        evidence = [each for each in view.assertions if each.bearing == bearing]
        branch = tree.add(line((heading, "cyan"))) if evidence else None
        for each in evidence:
            if branch:
                add_assertion(branch, each)
    if view.decisions:
        branch = tree.add(line(("decided", "cyan")))
        for decision in view.decisions:
            branch.add(decision_words(decision))
    if runs:
        branch = tree.add(line(("materialised by", "cyan")))
        for run_id, rows in runs.items():
            leaf = branch.add(line("run ", run_id))
            for run in rows:
                leaf.add(line(run_words(run)))
    branch = tree.add(line(("journal", "cyan")))
    for entry in view.journal:
        branch.add(line(journal_words(entry), (f"  hash {short(entry.hash)} after {short(entry.prev_hash)}", "dim")))
    console().print(tree)


def show_utterance(view: UtteranceView) -> None:
    """The words, the score with what each feature added, and what came of it."""
    tree = Tree(
        line(f"{view.speaker}, {moment(view.said_at)}: ", (f"“{view.text}”", "italic"), (f"  {view.id}", "dim"))
    )
    if view.novelty:
        add_novelty(tree, view.novelty)
    else:
        tree.add(line("no score yet"))
    if view.waits:
        tree.add(line(("waits for ", "dim"), ", ".join(view.waits)))
    for heading, ids in (("assertions", view.assertions), ("facts", view.facts)):
        tree.add(line((f"{heading} ", "cyan"), ", ".join(short(each) for each in ids) or "none"))
    console().print(tree)


def add_novelty(tree: Tree, novelty: ExplainedNovelty) -> None:
    branch = tree.add(
        line(("novelty ", "cyan"), f"{novelty.score:g}, route {novelty.route}", (f"  {novelty.version}", "dim"))
    )
    parts = ", ".join(f"{name} {value:g}" for name, value in novelty.parts.items() if value)
    branch.add(line(("parts ", "dim"), parts or "none"))
    points = branch.add(line(("points", "dim")))
    for name, value in novelty.points.items():
        points.add(line(f"{value:+.2f}  {name}"))
    found = ", ".join(f"{name} {value:g}" for name, value in novelty.features.items() if value)
    branch.add(line(("found ", "dim"), found or "nothing"))
    for each in novelty.conflicts:
        branch.add(line(("contradicts fact ", "dim"), short(each)))


def add_assertion(branch: Tree, assertion: AssertionView) -> None:
    said = assertion.utterance
    denied = "" if assertion.polarity == "affirmed" else f"{assertion.polarity}, "
    leaf = branch.add(
        line(
            ("assertion ", "dim"),
            short(assertion.id),
            f"  {denied}confidence {assertion.confidence:.2f}, {assertion.authority}, read by {assertion.extractor}",
            (f" {short(assertion.extractor_version)}", "dim"),
            (f", run {short(assertion.run_id)}" if assertion.run_id else "", "dim"),
        )
    )
    leaf.add(line(f"{said.speaker}, {moment(said.said_at)}: ", (f"“{said.text}”", "italic"), (f"  {said.id}", "dim")))


def decision_words(decision: DecisionView) -> Text:
    losers = ", ".join(short(each) for each in decision.losers)
    return line(
        f"{decision.rule}: assertion {short(decision.winner)} over {losers}",
        (f"  policy {decision.policy}, journal {decision.journal_seq}", "dim"),
    )


def run_words(run: RunView) -> str:
    return (
        f"{run.asset} [{run.partition}] at {moment(run.materialized_at)}, "
        f"code {short(run.code_version)}, data {short(run.data_version)}"
    )


def journal_words(entry: JournalView) -> str:
    by = f"{entry.actor}, run {short(entry.run_id)}" if entry.run_id else f"{entry.actor}, {entry.cause}"
    return f"journal {entry.seq} {entry.op} at {moment(entry.recorded_at)} by {by}"

"""recall, ask, facts, history, lineage: what was said, what is believed, and why."""

import argparse

from palimpsest.commands.declaring import Commands, add_times, add_user, command


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
    add_times(declared)

    declared = command(commands, "history", history, "show every version of a fact on both time axes")
    declared.add_argument("fact", metavar="FACT", help="its id, or the beginning of it")
    add_user(declared, required=False, help_text="whose memory (default: all are searched)")

    declared = command(commands, "lineage", lineage, "show where a fact came from, down to runs and journal")
    declared.add_argument("fact", metavar="FACT", help="its id, or the beginning of it")
    add_user(declared, required=False, help_text="whose memory (default: all are searched)")


def recall(arguments: argparse.Namespace) -> int:
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from palimpsest.queries import recall_query
    from palimpsest.views import show_recalled

    with open_home() as home, home.memory(arguments.user) as memory:
        found = recall_query(home, memory, arguments.query, arguments.k)
    (show_json if arguments.json else show_recalled)(found)
    return 0


def ask(arguments: argparse.Namespace) -> int:
    from palimpsest.home import instant, open_home
    from palimpsest.printing import show_json
    from palimpsest.queries import ask_question
    from palimpsest.views import show_answer

    valid_at = instant(arguments.valid_at, "--valid-at")
    known_at = instant(arguments.known_at, "--known-at")
    with open_home() as home, home.memory(arguments.user) as memory:
        answer = ask_question(home, memory, arguments.question, valid_at=valid_at, known_at=known_at)
    (show_json if arguments.json else show_answer)(answer)
    return 0


def facts(arguments: argparse.Namespace) -> int:
    from palimpsest.home import instant, open_home
    from palimpsest.printing import show_json
    from palimpsest.queries import all_facts
    from palimpsest.views import show_facts
    from serving.fact_queries import FactQuery

    query = FactQuery(
        subject=arguments.subject,
        predicate=arguments.predicate,
        valid_at=instant(arguments.valid_at, "--valid-at"),
        known_at=instant(arguments.known_at, "--known-at"),
    )
    with open_home() as home, home.memory(arguments.user) as memory:
        page = all_facts(home, memory, query)
    (show_json if arguments.json else show_facts)(page)
    return 0


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

"""review, correct, entities, suggestions, merge, split: what a curator does by hand."""

import argparse

from palimpsest.commands.declaring import Commands, add_user, command


def register(commands: Commands) -> None:
    declared = command(commands, "review", review, "list what waits for a curator, or decide one of it")
    declared.add_argument("review", nargs="?", metavar="REVIEW", help="its id, or the beginning of it")
    declared.add_argument("decision", nargs="?", choices=("accept", "reject"), help="what challenges, or what stands")
    add_user(declared)
    add_note(declared)

    declared = command(commands, "correct", correct, "replace a fact's object or interval, or take it back")
    declared.add_argument("fact", metavar="FACT", help="its id, or the beginning of it")
    declared.add_argument("--object", metavar="NAME", help="what is right in place of the object")
    declared.add_argument("--valid-from", metavar="TIME", help="a year, month, day or instant; empty: unbounded")
    declared.add_argument("--valid-to", metavar="TIME", help="likewise")
    declared.add_argument("--wrong", action="store_true", help="the fact was wrong; nothing takes its place")
    add_user(declared, required=False, help_text="whose memory (default: all are searched)")
    add_note(declared)

    declared = command(commands, "entities", entities, "list who and what a memory knows of, or show one of them")
    declared.add_argument("name", nargs="?", metavar="NAME", help="an entity's id or any of its names")
    add_user(declared)

    declared = command(commands, "suggestions", suggestions, "list entities that may be one, or decide on a pair")
    declared.add_argument("suggestion", nargs="?", metavar="SUGGESTION", help="its id, or the beginning of it")
    declared.add_argument("decision", nargs="?", choices=("accept", "reject"), help="they are one, or are not")
    declared.add_argument("--name", metavar="NAME", help="of this entity alone")
    add_user(declared)
    add_note(declared)

    declared = command(commands, "merge", merge, "say that two entities are one; `split` undoes it")
    declared.add_argument("keep", metavar="KEEP", help="whose name stays")
    declared.add_argument("merge", metavar="OTHER")
    add_user(declared)
    add_note(declared)

    declared = command(commands, "split", split, "say that names do not belong to an entity; `merge` undoes it")
    declared.add_argument("entity", metavar="ENTITY")
    declared.add_argument("apart", nargs="+", metavar="NAME")
    add_user(declared)
    add_note(declared)


def add_note(declared: argparse.ArgumentParser) -> None:
    declared.add_argument("--note", default="", metavar="TEXT", help="kept with what is said")


def review(arguments: argparse.Namespace) -> int:
    from kg_assets.errors import InvalidInput
    from palimpsest.curating import begun_with, curator
    from palimpsest.curation_views import show_curated, show_reviews
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from serving.curated import decide, review_page

    if arguments.review and not arguments.decision:
        raise InvalidInput("say accept (what challenges is right) or reject", where="review")
    with open_home() as home, home.memory(arguments.user) as memory:
        who = curator(home, "review", arguments.note)
        page = review_page(memory, home.ontology, who)
        if not arguments.review:
            (show_json if arguments.json else show_reviews)(page)
            return 0
        found = begun_with([each.id for each in page.reviews], arguments.review, "review")
        accept = arguments.decision == "accept"
        view = decide(memory, home.ontology, who, found, accept=accept, clock=home.clock)
    (show_json if arguments.json else show_curated)(view)
    return 0


def correct(arguments: argparse.Namespace) -> int:
    from palimpsest.curating import correct_fact
    from palimpsest.curation_views import show_curated
    from palimpsest.home import open_home
    from palimpsest.printing import show_json

    with open_home() as home:
        view = correct_fact(
            home,
            arguments.fact,
            arguments.user,
            target=arguments.object,
            valid_from=arguments.valid_from,
            valid_to=arguments.valid_to,
            wrong=arguments.wrong,
            note=arguments.note,
        )
    (show_json if arguments.json else show_curated)(view)
    return 0


def entities(arguments: argparse.Namespace) -> int:
    from palimpsest.curating import all_entities
    from palimpsest.curation_views import show_entities, show_entity
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from serving.named_entities import entity_detail

    with open_home() as home, home.memory(arguments.user) as memory:
        if arguments.name:
            (show_json if arguments.json else show_entity)(entity_detail(memory, arguments.name, home.clock()))
        else:
            (show_json if arguments.json else show_entities)(all_entities(memory, home.clock()))
    return 0


def suggestions(arguments: argparse.Namespace) -> int:
    from kg_assets.errors import InvalidInput
    from palimpsest.curating import begun_with, curator
    from palimpsest.curation_views import show_joined, show_suggestions
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from serving.suggestions import MAX_LIMIT, decide_suggestion, suggestion_page

    if arguments.suggestion and not arguments.decision:
        raise InvalidInput("say accept (they are one) or reject (they are not)", where="suggestion")
    with open_home() as home, home.memory(arguments.user) as memory:
        page = suggestion_page(memory, home.ontology, arguments.name, MAX_LIMIT)
        if not arguments.suggestion:
            (show_json if arguments.json else show_suggestions)(page)
            return 0
        found = begun_with([each.id for each in page.suggestions], arguments.suggestion, "suggestions")
        who, accept = curator(home, "suggestions", arguments.note), arguments.decision == "accept"
        view = decide_suggestion(memory, home.ontology, who, found, accept=accept, clock=home.clock)
    (show_json if arguments.json else show_joined)(view)
    return 0


def merge(arguments: argparse.Namespace) -> int:
    from palimpsest.curating import curator
    from palimpsest.curation_views import show_joined
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from serving.named_entities import merge_entities

    with open_home() as home, home.memory(arguments.user) as memory:
        who = curator(home, "merge", arguments.note)
        view = merge_entities(memory, home.ontology, who, arguments.keep, arguments.merge, clock=home.clock)
    (show_json if arguments.json else show_joined)(view)
    return 0


def split(arguments: argparse.Namespace) -> int:
    from palimpsest.curating import curator
    from palimpsest.curation_views import show_joined
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from serving.named_entities import split_entity

    with open_home() as home, home.memory(arguments.user) as memory:
        who = curator(home, "split", arguments.note)
        view = split_entity(memory, home.ontology, who, arguments.entity, arguments.apart, clock=home.clock)
    (show_json if arguments.json else show_joined)(view)
    return 0

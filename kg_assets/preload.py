"""What the fork server of `resources.run_launcher` imports before it forks a run: all that is slow to load.

Nothing here may start a thread or open a file for good: neither survives a fork. So the text encoder is not among it.
"""

import os
from contextlib import suppress

# Before numpy: its own threads do not survive a fork either, and fight over two cores with those of the encoder.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import kg_assets.definitions
from kg_assets.errors import PalimpsestError
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.spacy_pass import parse

kg_assets.definitions.defs.get_repository_def()
load_ontology()
with suppress(PalimpsestError):  # a run that needs the parser says what is missing
    parse(["They moved to Lisbon."])

"""How much of an utterance is new to its memory: features from cheap readings, weighed by fixed weights."""

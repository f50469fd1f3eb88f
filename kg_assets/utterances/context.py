"""What of a session an utterance is read with."""

BEFORE = 20  # earlier turns of the session that a reading may look at
ASSERTED = "asserted"  # extractor of a statement that came without a text: it is read with nothing

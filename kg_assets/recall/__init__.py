"""What was said, and what is believed, found by meaning and by words: a pure function of (read model, query, time)."""

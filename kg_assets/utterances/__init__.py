"""What was said: formats read, drafts sealed, the log appended to."""

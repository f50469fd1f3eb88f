"""Reading without a language model: tokens, times, names, statements and the ontology. Knows no store."""

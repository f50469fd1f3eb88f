"""A question becomes a path over the ontology, the path an answer; recall answers where the graph has nothing."""

"""Belief: entities resolved, slots derived, differences written bitemporally."""

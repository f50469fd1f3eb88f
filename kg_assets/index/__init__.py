"""Token and pooled vectors of what was said and of what is believed, made from what waits."""

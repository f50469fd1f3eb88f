"""Frames: what each verb says about its subject, one module per part of life."""

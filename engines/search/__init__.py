"""Thinking: bots and search, one implementation for all games."""

UNKNOWN = -1
"""The team that is proven to win where none is."""

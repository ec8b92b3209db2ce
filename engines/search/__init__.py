"""Thinking: bots and search, one implementation for all games."""

"""Tiki: two gods, nine villages, seven fruits. The rules in our words are in README.md."""

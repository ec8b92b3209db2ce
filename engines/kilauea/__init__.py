"""Kilauea: tikis from five forests, for a volcano and the own island. The rules in our words are in README.md."""

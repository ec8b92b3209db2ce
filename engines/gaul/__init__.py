"""Village of Gaul: four districts, moving menhirs, cards that score together. Rules: README.md."""

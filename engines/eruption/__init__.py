"""Eruption: villages round a volcano, and lava led to somebody else's. The rules in our words are in README.md."""

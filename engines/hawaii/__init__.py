"""Hawaii: walk, buy and sail for the best villages of five rounds. The rules in our words are in README.md."""

"""`python -m services.rules`: the rules service alone, with its metrics."""

from services.common.launch import main
from services.rules.server import add_rules

if __name__ == "__main__":
    main("rules_address", add_rules)

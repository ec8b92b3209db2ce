"""`python -m services.rules`: the rules service alone, with its metrics; `--processes N` shares its port among N."""

from services.common.launch import main
from services.rules.server import add_rules

if __name__ == "__main__":
    main("services.rules", "rules_address", add_rules)

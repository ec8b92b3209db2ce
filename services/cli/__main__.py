"""`python -m services.cli` is `papamu`."""

from services.cli.entry import main

if __name__ == "__main__":
    main()

"""`python -m services.cli` is `papamu`."""

from services.cli.main import main

if __name__ == "__main__":
    main()

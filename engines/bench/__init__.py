"""Measurements of the engines, as ratios within one run. `make bench` and `papamu bench engine` print them."""

"""The contract of Papamu: generated messages and services, and the Python client."""

"""The papamu command."""

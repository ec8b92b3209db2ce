"""Bots from outside: programs in cages and services at allowed addresses, played like the built-in ones.

What they do wrong is their seat's forfeit and nobody else's trouble; the clock runs on this side.
"""

"""Hostile and careless input, and families of rulesets that grow."""

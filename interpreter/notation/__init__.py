"""Dice and expressions without a ruleset: the notation of other tools, read and written as steps."""

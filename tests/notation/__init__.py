"""Dice in the notation of other tools, with what they mean."""

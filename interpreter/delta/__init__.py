"""What a change of rules does to the odds: which rules it touches, at which inputs, before and after."""

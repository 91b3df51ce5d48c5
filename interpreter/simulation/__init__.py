"""Simulation: many runs at once, as columns of NumPy; an estimate that knows its error."""

"""Games of things that last, and what plays them at random."""

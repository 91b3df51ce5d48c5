"""The manual as a program reads it: its sections, the words that they explain, and a small example of each."""

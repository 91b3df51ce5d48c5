"""What hosts use: a loaded game, sessions, requests, states as JSON."""

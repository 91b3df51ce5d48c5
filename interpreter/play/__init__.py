"""One run, step by step: it yields requests for dice and decisions, and is sent the answers."""

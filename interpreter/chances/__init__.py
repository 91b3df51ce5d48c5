"""What odds look like: numbers as people read them, one table for all that commands and pages show, and its formats."""

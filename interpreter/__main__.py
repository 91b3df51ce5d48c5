"""`python -m interpreter` is the command `houserule`."""

from interpreter.cli import main

main()

"""`python -m houserule`, which is the command."""

from interpreter.cli import main

main()

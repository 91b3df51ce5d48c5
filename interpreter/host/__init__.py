"""What other programs ask of the interpreter, as plain data: sessions of play, and a workbench for rules."""

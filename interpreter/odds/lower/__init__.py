"""Lowering: from the steps of a program to blocks of operations that the exact and the sampling engine run."""

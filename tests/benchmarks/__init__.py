"""How fast it is, beside other libraries: `python -m tests.benchmarks`. See `docs/benchmarks.md`."""

"""What houserule promises to whoever gives it what strangers send, counted.

`python -m promises` runs some cases of each promise and prints the table of `docs/safety.md`; `--cases whole`
runs as many as the table names. A case is a number: it is the seed of the text or the call that a maker makes, so a
failure is made again by `python -m tests.promises NAME NUMBER`.
"""

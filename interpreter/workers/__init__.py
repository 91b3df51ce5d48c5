"""Processes for what strangers send: each task has a budget that the operating system enforces.

`pool` gives tasks to processes and takes back what they return; `frames` is how values cross between them; `process`
is what runs there: a process that does nothing but fork another one, in which the tasks run, whenever that has ended.
"""

from interpreter.workers.pool import Workers

__all__ = ["Workers"]

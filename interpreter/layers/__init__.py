"""House rules: changes laid over a ruleset, from tree to tree."""

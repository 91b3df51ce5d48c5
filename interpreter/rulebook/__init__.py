"""A ruleset as a rulebook for people at the table, in HTML and in Markdown."""

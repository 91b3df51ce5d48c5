"""The one layout of files of rulesets: a text is read with its comments, laid out, and proved to say the same."""

"""What an editor asks about the text of rulesets. No file here knows the protocol of editors; `cli/lsp.py` does.

Questions take an analysis, a text and an offset in it, and answer with small frozen values.
"""

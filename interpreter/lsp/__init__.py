"""The language server: what `editor/` answers, in the protocol of editors, on `pygls`."""

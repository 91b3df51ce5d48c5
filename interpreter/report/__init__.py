"""Results in words: traces, transcripts, explanations, tables, charts."""

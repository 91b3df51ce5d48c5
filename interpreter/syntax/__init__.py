"""From text to a tree with places: YAML, the shape of files, the syntax of expressions."""

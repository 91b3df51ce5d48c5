"""What a run computes with: values, state, objects, functions, compiled expressions, dice."""

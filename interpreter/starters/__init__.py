"""First files to change: a game, a house rule over a game, a scene. Each has no problems, and its cases pass."""

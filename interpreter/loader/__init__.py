"""YAML folders in, one merged, well-shaped and parsed ruleset out."""

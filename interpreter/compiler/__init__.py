"""A checked ruleset in, a program (Python code with the author's positions, flow table, state layout) out."""

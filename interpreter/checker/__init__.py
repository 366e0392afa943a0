"""A ruleset model in; findings, or a typed ruleset in which every name is resolved, out."""

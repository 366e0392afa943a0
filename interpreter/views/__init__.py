"""States, events and findings in; text and JSON for people and programs out."""

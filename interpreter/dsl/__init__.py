"""Rule text in, positioned nodes out."""

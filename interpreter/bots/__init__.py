"""Decisions in, choices out: players that need no person."""

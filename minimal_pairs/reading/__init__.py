"""Minimal pairs from files of any of the known formats."""

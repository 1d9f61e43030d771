"""The commands of DiBiMT itself, and their reports."""

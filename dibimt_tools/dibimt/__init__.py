"""The commands of DiBiMT and their reports."""

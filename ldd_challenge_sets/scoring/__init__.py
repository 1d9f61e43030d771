"""Scores of systems on challenge sets, by phenomenon and distance."""

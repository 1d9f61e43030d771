"""Shared by several packages, and needed by none of the metric: files, journals, progress, correlation."""

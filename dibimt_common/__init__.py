"""What several packages need and the metric does not: files, journals, progress."""

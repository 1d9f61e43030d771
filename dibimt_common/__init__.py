"""Code that several packages share and the metric does not need: files, journals, progress, correlation, text, HTML."""

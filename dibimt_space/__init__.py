"""The page of the metric's Space on the Hub: labels one sentence, scores one file."""

"""From log-probabilities to decisions, accuracies and reports."""

"""Language models: from sentences and spans to log-probabilities."""

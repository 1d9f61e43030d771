"""Human judgments of minimal pairs: sheets, answers, agreement with the labels."""

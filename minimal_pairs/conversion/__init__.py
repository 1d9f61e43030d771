"""The upstream release of BLiMP made into a data set of one schema, faults marked and corrected."""

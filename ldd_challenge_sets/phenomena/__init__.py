"""What a challenge set is about: lexical phenomena over trees, reordering over alignments."""

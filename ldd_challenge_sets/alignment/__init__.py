"""Word alignments: given, by a trained aligner, or as in the release (``docs/alignment.md``)."""

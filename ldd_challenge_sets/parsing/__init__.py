"""Trees: from CoNLL-U, or from raw text by a parser."""

"""Parallel corpora: from files and `datasets` to pairs of text, one by one."""

from .base import Corpus, FaultLog, strict
from .opening import open_corpus, open_dataset, open_tmx, open_tsv

__all__ = ["Corpus", "FaultLog", "open_corpus", "open_dataset", "open_tmx", "open_tsv", "strict"]

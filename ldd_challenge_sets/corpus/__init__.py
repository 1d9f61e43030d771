"""Parallel corpora: from files and `datasets` to pairs of text, one by one."""

from .base import Corpus
from .faults import FaultLog
from .faults import strict
from .opening import open_corpus
from .opening import open_dataset
from .opening import open_tmx
from .opening import open_tsv

__all__ = ["Corpus", "FaultLog", "open_corpus", "open_dataset", "open_tmx", "open_tsv", "strict"]

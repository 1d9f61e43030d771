"""DiBiMT: does a machine translation system choose the right sense of an ambiguous word?

Plain Python interface. `evaluate.load` uses the main script ``dibimt_metric.py`` instead, which alone imports evaluate;
importing this package imports no heavy library.
"""

from .data_sets import load_data_set
from .data_sets import load_items
from .errors import DibimtError
from .judge import Explanation
from .judge import Hypothesis
from .judge import Judge
from .judge import NBest
from .languages import LANGUAGES
from .reading import read_items
from .reading import read_predictions
from .records import Candidate
from .records import Focus
from .records import Item
from .records import Judgement
from .records import Label
from .records import Match
from .records import Outcome
from .results import Result
from .results import score_translations
from .scoring import Scores
from .scoring import score
from .training import make_compute_metrics
from .training_changes import make_changes_callback
from .validation import make_item
from .version import VERSION as __version__

__all__ = [
    "LANGUAGES",
    "Candidate",
    "DibimtError",
    "Explanation",
    "Focus",
    "Hypothesis",
    "Item",
    "Judge",
    "Judgement",
    "Label",
    "Match",
    "NBest",
    "Outcome",
    "Result",
    "Scores",
    "__version__",
    "load_data_set",
    "load_items",
    "make_changes_callback",
    "make_compute_metrics",
    "make_item",
    "read_items",
    "read_predictions",
    "score",
    "score_translations",
]

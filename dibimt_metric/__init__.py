"""DiBiMT: does a machine translation system choose the right sense of an ambiguous word?

Plain Python interface. `evaluate.load` uses the main script ``dibimt_metric.py`` instead, which alone imports evaluate;
importing this package imports no heavy library.
"""

from .errors import DibimtError
from .items import make_item
from .items_data_set import load_data_set
from .items_data_set import load_items
from .items_reading import read_items
from .items_reading import read_predictions
from .judge import Explanation
from .judge import Hypothesis
from .judge import Judge
from .judge import NBest
from .languages import LANGUAGES
from .records import Candidate
from .records import Focus
from .records import Item
from .records import Judgment
from .records import Label
from .records import Match
from .records import Outcome
from .score import Scores
from .score import score
from .score_results import Result
from .score_results import score_translations
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
    "Judgment",
    "Label",
    "Match",
    "NBest",
    "Outcome",
    "Result",
    "Scores",
    "__version__",
    "load_data_set",
    "load_items",
    "make_item",
    "read_items",
    "read_predictions",
    "score",
    "score_translations",
]

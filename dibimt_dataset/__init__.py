"""Items for the DiBiMT metric: the open mini set."""

from .mini import MINI_LANGUAGES
from .mini import SYSTEMS
from .mini import mini_items
from .mini import mini_labels
from .mini import mini_path
from .mini import mini_translations
from .mini import path

__all__ = ["MINI_LANGUAGES", "SYSTEMS", "mini_items", "mini_labels", "mini_path", "mini_translations", "path"]

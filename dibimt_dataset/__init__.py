"""Items for the DiBiMT metric: the open mini set."""

from .mini import MINI_LANGUAGES, SYSTEMS, mini_items, mini_labels, mini_path, mini_translations, path

__all__ = ["MINI_LANGUAGES", "SYSTEMS", "mini_items", "mini_labels", "mini_path", "mini_translations", "path"]

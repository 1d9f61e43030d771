"""Challenge sets of long-distance dependencies from any parallel corpus (Choshen and Abend, 2019).

The stages, each a sub-package: ``corpus`` (pairs of text), ``parsing`` (trees), ``alignment`` (links), ``phenomena``
(hits), ``extraction`` (sets as files), ``scoring`` (systems on sets). The folder is also the Hub data set of the
open sample: ``load_dataset("./ldd_challenge_sets", "de-en-particle")``.
"""

"""Minimal pairs of acceptable and unacceptable sentences, and language models scored on them (Warstadt et al., 2020).

The stages: ``reading`` (files to pairs), ``conversion`` (the upstream release to a data set), ``models`` (sentences to
log-probabilities), ``scoring`` (log-probabilities to decisions and accuracies). Nothing heavy is imported here.
"""

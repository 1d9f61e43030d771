"""Packaging of the DiBiMT tools. All metadata stands here; pyproject.toml holds tool settings only."""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).resolve().parent


def read_version() -> str:
    """Return VERSION of dibimt_metric/version.py, read as text.

    Importing the package would need its dependencies, which are not there yet when it is built.
    """
    path = ROOT / "dibimt_metric" / "version.py"
    found = re.search(r'^VERSION = "([^"]+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise RuntimeError(f'{path}: expected a line VERSION = "X.Y.Z"')
    return found.group(1)


# `evaluate` is no extra: `evaluate.load` is the first way into the metric, so that a plain
# `pip install dibimt` has to be enough for it. CONTRIBUTING.md says what each of these is for.
REQUIRED = [
    "simplemma>=2,<3",
    "marisa-trie>=1.2",
    "jieba>=0.42.1",
    "opencc>=1.1.9",
    "numpy>=1.26",
    "tqdm>=4.66",
    "evaluate>=0.4.6",
    "filelock>=3.12",
    "huggingface-hub>=0.24",
]

EXTRAS = {
    # `evaluate` brings `datasets` of any age; the extra asks for one that the data sets are tested with.
    "evaluate": ["evaluate>=0.4.6", "datasets>=2.21"],
    "stanza": ["stanza>=1.10"],
    "plot": ["matplotlib>=3.8"],
    # CLASSLA pins old releases of protobuf and torch: it needs an environment without the other extras.
    "classla": ["classla>=2.2"],
    "ldd": ["sacrebleu>=2.4", "sil-thot>=3.5", "ufal-udpipe>=1.3"],
    "ray": ["ray[data]>=2.40"],
    "lm": ["transformers>=4.40", "torch>=2.2", "ufal-kenlm>=26"],
    "train": ["transformers>=4.40", "torch>=2.2", "accelerate>=1.1"],
    "app": ["gradio>=5.50"],
}

# What `make test` and `make lint` need. stanza brings torch: the tests run real Stanza models where they
# find them. setuptools: a test builds the package. conllu, nltk and scipy: independent programs to compare with.
EXTRAS["test"] = [
    *EXTRAS["evaluate"],
    *EXTRAS["stanza"],
    *EXTRAS["plot"],
    *EXTRAS["ldd"],
    *EXTRAS["lm"],
    *EXTRAS["ray"],
    *EXTRAS["train"],
    *EXTRAS["app"],
    "conllu>=6",
    "nltk>=3.10.4",
    "scipy>=1.13",
    "pytest>=8",
    "pytest-xdist>=3.6",
    "hypothesis>=6.100",
    "PyYAML>=6",
    "setuptools>=64",
    "mypy>=1.13",
    "ruff>=0.9",
]

# All that can stand side by side in one environment: CLASSLA cannot, and tests are no feature.
EXTRAS["all"] = sorted(
    {requirement for name, group in EXTRAS.items() if name not in ("classla", "test") for requirement in group}
)

setup(
    name="dibimt",
    version=read_version(),
    description="Lexical ambiguity, long-distance dependencies and minimal pairs: "
    "evaluation of machine translation and language models",
    long_description=(ROOT / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author="DiBiMT tools contributors",
    license="Apache-2.0",
    license_files=["LICENSE"],
    keywords=[
        "machine translation",
        "evaluation",
        "word sense disambiguation",
        "lexical ambiguity",
        "DiBiMT",
        "evaluate",
    ],
    classifiers=[
        "Development Status :: 3 - Alpha",
        "Intended Audience :: Science/Research",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3.10",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Text Processing :: Linguistic",
        "Typing :: Typed",
    ],
    python_requires=">=3.10,<3.14",
    packages=find_packages(
        include=[
            package + suffix
            for package in (
                "dibimt_metric",
                "dibimt_common",
                "dibimt_dataset",
                "dibimt_training",
                "dibimt_space",
                "ldd_challenge_sets",
                "minimal_pairs",
                "dibimt_tools",
            )
            for suffix in ("", ".*")
        ]
    ),
    package_data={
        "dibimt_metric": ["README.md", "requirements.txt"],
        "dibimt_dataset": ["README.md", "data/**/*.jsonl", "data/**/*.txt"],
        "ldd_challenge_sets": ["README.md", "data/*", "data/**/*"],
        "minimal_pairs": ["README.md", "**/README.md"],
    },
    install_requires=REQUIRED,
    extras_require=EXTRAS,
    entry_points={"console_scripts": ["dibimt = dibimt_tools.cli:main"]},
    zip_safe=False,
)

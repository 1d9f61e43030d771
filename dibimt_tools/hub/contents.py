"""What each repository consists of: which files of which packages, under which path, with which names. A table.

The packages are next to this package, in a checkout as in an installed one, and none of them is imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dibimt_metric.errors import InputError

from .hub_names import BLIMP_CARD, DATASET_CARD, LDD_CARD, METRIC_CARD, METRIC_SCRIPT, TEXT, with_hub_names
from .repositories import MAIN, SCRIPT, RepositoryType

PACKAGES = Path(__file__).resolve().parents[2]
"""The folder that holds the packages."""
BLIMP = "blimp"
"""The repository whose data the user has to convert first."""
SCRIPT_FILE = "dibimt.py"
"""The metric's main script in its Space."""
CONVERT_AGAIN = "convert again with 'dibimt blimp convert'"
REINSTALL = f"install the package again, or, if you changed it, see the tables in {__package__}"

_SIBLING = re.compile(rb"^from \.(\w+) import ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """Files of a branch.

    Attributes:
        package: where the files are from; empty: the converted folder that the user names.
        pattern: of paths in the package, as for ``Path.glob``.
        path: in the repository, if it differs from that in the package; with ``/`` at the end, the folder.
        names: replacements that each of the files needs, see `hub_names`.
        required: whether a file must exist.
    """

    package: str
    pattern: str
    path: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    required: bool = True


@dataclass(frozen=True, slots=True)
class Content:
    """What a branch consists of; a file that fits several parts belongs to the first of them."""

    type: RepositoryType
    repository: str
    branch: str
    parts: tuple[Part, ...]


def _data(repository: str, *parts: Part) -> Content:
    return Content(RepositoryType.DATASET, repository, MAIN, parts)


def _script(repository: str, package: str) -> Content:
    """The branch with only the loading script, which ``datasets`` finds by the name of the repository."""
    part = Part(package, "loading_script.py", f"{repository}.py")
    return Content(RepositoryType.DATASET, repository, SCRIPT, (part,))


def _files(package: str, *patterns: str) -> tuple[Part, ...]:
    return tuple(Part(package, pattern) for pattern in patterns)


METRIC_MODULES = (
    Part("dibimt_metric", "dibimt_metric.py", SCRIPT_FILE, METRIC_SCRIPT),
    *_files("dibimt_metric", "__init__.py", "*.py"),
)
_SPACE_PARTS = (
    *METRIC_MODULES,
    Part("dibimt_metric", "requirements.txt"),
    Part("dibimt_metric", "README.md", names=METRIC_CARD),
    Part("dibimt_space", "app.py"),
    *(Part(package, "*.py", f"{package}/") for package in ("dibimt_space", "dibimt_common")),
)
CONTENTS = (
    Content(RepositoryType.SPACE, "dibimt", MAIN, _SPACE_PARTS),
    _data(
        BLIMP,
        Part("", "README.md", names=BLIMP_CARD),
        *_files("", "conversion.json", "data/*/*.jsonl"),
        Part("", "corrected/*/*.jsonl", required=False),
    ),
    _script(BLIMP, "minimal_pairs"),
    _data(
        "dibimt",
        Part("dibimt_dataset", "README.md", names=DATASET_CARD),
        *_files("dibimt_dataset", "data/mini/*.jsonl", "data/mini_translations/*.jsonl"),
    ),
    _script("dibimt", "dibimt_dataset"),
    _data(
        "ldd-challenge-sets",
        Part("ldd_challenge_sets", "README.md", names=LDD_CARD),
        *_files("ldd_challenge_sets", "data/*.jsonl", "data/sample/*.conllu", "data/sample/*.align"),
        *_files("ldd_challenge_sets", "data/sample/*.tsv", "data/sample/systems/*.de", "data/sample/systems/*.en"),
    ),
    _script("ldd-challenge-sets", "ldd_challenge_sets"),
)
"""In the order of `repositories.Stage`: Spaces, then data sets by name; ``main`` first."""


def read_parts(parts: Iterable[Part], namespace: str, packages: Path, blimp: Path | None) -> dict[str, bytes]:
    """The files of a branch as they will be on the Hub, by path and in that order; hidden files are ignored."""
    sources: dict[Path, tuple[str, Path, Part]] = {}
    for part in parts:
        folder = packages / part.package if part.package or blimp is None else blimp
        found = [path for path in folder.glob(part.pattern) if path.is_file() and path.name[0] != "."]
        if part.required and not found:
            raise InputError(f"{folder / part.pattern}: no such file, and staging needs it; {_remedy(part)}")
        for source in found:
            inner = source.relative_to(folder).as_posix()
            path = f"{part.path}{inner}" if part.path[-1:] == "/" else part.path or inner
            sources.setdefault(source, (path, source, part))
    in_order = sorted(sources.values(), key=lambda each: each[0])
    return {path: _read(source, part, namespace) for path, source, part in in_order}


def _remedy(part: Part) -> str:
    return REINSTALL if part.package else CONVERT_AGAIN


def _read(source: Path, part: Part, namespace: str) -> bytes:
    """The bytes of a file as they will be on the Hub; line ends stay as they are."""
    try:
        content = source.read_bytes()
        if source.suffix not in TEXT:
            return content
        text = content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source}: cannot be read ({error}); {_remedy(part)}") from error
    return with_hub_names(text, part.names, namespace, str(source), _remedy(part)).encode("utf-8")


def siblings(script: bytes) -> tuple[str, ...]:
    r"""Files of the modules that a script imports from its own folder, as ``evaluate`` reads it: at the left margin.

    >>> siblings(b"from .matcher import Matcher\nif True:\n    from .view import View\n")
    ('matcher.py',)
    """
    return tuple(sorted({f"{name.decode()}.py" for name in _SIBLING.findall(script)}))


def bundled_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The metric's main script and the modules that it names: those that ``evaluate`` copies."""
    named = siblings(files[SCRIPT_FILE])
    for name in named:
        if name not in files:
            raise InputError(f"{SCRIPT_FILE}: names the missing module {name}; install the package again")
        for other in siblings(files[name]):
            if other not in named:
                raise InputError(
                    f"{SCRIPT_FILE}: does not name the module {other}, which {name} imports, so that evaluate would "
                    f"not copy it; add 'from .{other.removesuffix('.py')} import ...' to the main script"
                )
    return {name: files[name] for name in (SCRIPT_FILE, *named)}

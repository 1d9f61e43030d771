"""What each repository consists of: which files of which package, under which name, worded how. A table.

The packages lie beside this package, in a checkout as in an installed one, and none of them is imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dibimt_metric.errors import InputError

from .hub_names import BLIMP_CARD, DATASET_CARD, LDD_CARD, METRIC_CARD, METRIC_SCRIPT, TEXT, Wording, reword
from .repositories import MAIN, SCRIPT, RepositoryType

PACKAGES = Path(__file__).resolve().parents[2]
"""The folder that holds the packages."""
BLIMP = "blimp"
"""The repository whose data the user has to convert first."""


@dataclass(frozen=True, slots=True)
class Part:
    """Files of a branch.

    Attributes:
        pattern: of paths in the package, as for ``Path.glob``.
        name: in the repository, where it is another than in the package.
        wordings: that each of the files has to have, see `wording`.
        required: whether a file has to be there.
    """

    pattern: str
    name: str = ""
    wordings: tuple[Wording, ...] = ()
    required: bool = True


@dataclass(frozen=True, slots=True)
class Content:
    """What a branch consists of.

    Attributes:
        type: of the repository.
        repository: its name.
        branch: of it.
        package: that the files are from; empty: the converted folder that the user names.
        parts: a file that fits several belongs to the first of them.
    """

    type: RepositoryType
    repository: str
    branch: str
    package: str
    parts: tuple[Part, ...]

    @property
    def remedy(self) -> str:
        """What to do about a file that is not as expected."""
        if not self.package:
            return "convert anew with 'dibimt blimp convert'"
        return f"install the package again, or, where you changed it, see the tables in {__package__}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file to be staged.

    Attributes:
        path: in the repository.
        source: where it is read.
        wordings: that it has to have.
        remedy: see `Content`.
    """

    path: str
    source: Path
    wordings: tuple[Wording, ...]
    remedy: str

    def read(self, namespace: str) -> bytes:
        """Its bytes as they stand on the Hub; line ends stay as they are.

        Raises:
            InputError: it cannot be read, or does not say what it has to (see `wording`).
        """
        try:
            content = self.source.read_bytes()
            if self.source.suffix not in TEXT:
                return content
            text = content.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{self.source}: cannot be read ({error}); {self.remedy}") from error
        return reword(text, self.wordings, namespace, str(self.source), self.remedy).encode("utf-8")


def _script(repository: str, package: str) -> Content:
    """The branch with the loading script alone, which ``datasets`` finds by the name of the repository."""
    part = Part("loading_script.py", f"{repository}.py")
    return Content(RepositoryType.DATASET, repository, SCRIPT, package, (part,))


CONTENTS = (
    Content(
        RepositoryType.SPACE,
        "dibimt",
        MAIN,
        "dibimt_metric",
        (
            Part("dibimt_metric.py", "dibimt.py", METRIC_SCRIPT),
            Part("__init__.py"),
            Part("app.py"),
            Part("*.py"),
            Part("requirements.txt"),
            Part("README.md", wordings=METRIC_CARD),
        ),
    ),
    Content(
        RepositoryType.DATASET,
        BLIMP,
        MAIN,
        "",
        (
            Part("README.md", wordings=BLIMP_CARD),
            Part("conversion.json"),
            Part("data/*/*.jsonl"),
            Part("corrected/*/*.jsonl", required=False),
        ),
    ),
    _script(BLIMP, "minimal_pairs"),
    Content(
        RepositoryType.DATASET,
        "dibimt",
        MAIN,
        "dibimt_dataset",
        (
            Part("README.md", wordings=DATASET_CARD),
            Part("data/mini/*.jsonl"),
            Part("data/mini_translations/*.jsonl"),
        ),
    ),
    _script("dibimt", "dibimt_dataset"),
    Content(
        RepositoryType.DATASET,
        "ldd-challenge-sets",
        MAIN,
        "ldd_challenge_sets",
        (
            Part("README.md", wordings=LDD_CARD),
            Part("data/*.jsonl"),
            Part("data/sample/*.conllu"),
            Part("data/sample/*.align"),
            Part("data/sample/*.tsv"),
            Part("data/sample/systems/*.de"),
            Part("data/sample/systems/*.en"),
        ),
    ),
    _script("ldd-challenge-sets", "ldd_challenge_sets"),
)
"""In the order of `repositories.Stage`: Spaces, then data sets by name; ``main`` first."""


def entries(content: Content, folder: Path) -> tuple[Entry, ...]:
    """The files of a branch, in the order of their paths; no hidden ones.

    Args:
        content: what it consists of.
        folder: the package, or the converted folder.

    Raises:
        InputError: a part has no file.
    """
    found: dict[Path, Entry] = {}
    for part in content.parts:
        sources = [path for path in folder.glob(part.pattern) if path.is_file() and path.name[0] != "."]
        if part.required and not sources:
            raise InputError(
                f"{folder / part.pattern}: no such file, and repository {content.repository!r} needs it; "
                f"{content.remedy}"
            )
        for source in sources:
            path = part.name or source.relative_to(folder).as_posix()
            found.setdefault(source, Entry(path, source, part.wordings, content.remedy))
    return tuple(sorted(found.values(), key=lambda entry: entry.path))

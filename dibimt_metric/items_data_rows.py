"""Rows of a data set, from a folder or from the Hub, with the commit that they came from.

The only module that calls ``datasets`` and ``huggingface_hub``. It holds for ``datasets`` from 2.21 to 5.2.

A folder is read as it is. Of a data set of the Hub the commit is looked up first, and that commit is loaded: each
configuration from the cache of ``datasets`` where that has it in this commit, else from the Hub. Where the Hub cannot
be reached, the copy in the cache that was made last is taken. The folder of a copy has the commit for its name, so it
is known in every case. ``load_dataset`` itself would, after any failure, return a copy of some other commit without an
error.

Loading scripts are never run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InputError
from .errors import MissingLibraryError
from .errors import shown
from .items_data_errors import NO_COPY
from .items_data_errors import brief
from .items_data_errors import explained
from .items_data_errors import explanation
from .items_data_errors import failures
from .items_data_errors import innermost
from .items_data_errors import network_errors
from .items_data_errors import status
from .languages import LANGUAGES

HUB_NAME = re.compile(r"\b[\w.-]{1,96}\b/\b[\w.-]{1,96}\b", re.ASCII)
"""``USER/NAME``, the name of a repository of the Hub."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SECONDS = 10  # after which the Hub counts as out of reach
_SPLIT = "test"


@dataclass(frozen=True, slots=True)
class Rows:
    """One split of one configuration.

    Attributes:
        configuration: its name.
        split: its name.
        columns: names of the fields, in order.
        rows: each a mapping of all fields; what is missing is ``None``.
    """

    configuration: str
    split: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


def open_source(source: str | Path, revision: str | None = None) -> Folder:
    """The folder or the repository of the Hub of that name; a folder goes first, as in ``datasets``.

    Args:
        source: path of a folder, or ``USER/NAME``.
        revision: branch, tag or commit of a repository.

    Raises:
        InputError: there is neither, or a revision of a folder is asked for, or the repository cannot be read.
        MissingLibraryError: ``datasets`` is not installed.
    """
    name = str(source) if isinstance(source, (str, Path)) else ""
    if not name or "\0" in name:
        raise InputError(f"a data set is a folder, or USER/NAME of the Hub, not {shown(source)}")
    path = Path(name).expanduser() if name.startswith("~/") else Path(name)
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except OSError as error:  # a name that is too long, a folder that is closed
        raise InputError(
            f"data set {shown(name)} cannot be read ({error.strerror}); check the path"
        ) from error
    if is_folder:
        if revision is not None:
            raise InputError(
                f"dataset_revision is of a data set of the Hub; {name!r:.80} is a folder here, leave it out"
            )
        return Folder(path.resolve())
    if is_file:
        raise InputError(f"data set {name!r:.80} is a file; give its folder, or the file itself as items=")
    if isinstance(source, Path) or not HUB_NAME.fullmatch(name) or "--" in name or ".." in name:
        raise InputError(
            f"data set {name!r:.80} is neither a folder here nor a name of the Hub, which has the form USER/NAME; "
            "check the path"
        )
    return Repository(name, revision)


class Folder:
    """A data set in a folder, with or without a card.

    Attributes:
        name: name of the folder, without the path to it.
        commit: ``None``; see `Repository`.
    """

    commit: str | None = None

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._place = str(path)
        if (path / f"{path.name}.py").is_file():
            raise _script(self.name, f"name a folder of data without {path.name}.py")

    def configurations(self) -> tuple[str, ...]:
        """Names of all configurations.

        Raises:
            InputError: they cannot be told.
        """
        with explained(self.name):
            names = _datasets().get_dataset_config_names(self._place, revision=self.commit)
        return tuple(names)

    def rows(self, configuration: str) -> Rows | None:
        """Rows of a configuration; ``None``: there is none of that name.

        They are read from the files each time: for the cache of ``datasets``, folders of one name with the same card
        are one, whatever they hold.

        Raises:
            InputError: it cannot be read, is incomplete, or its splits leave open which one is meant.
        """
        with explained(self.name):
            try:
                data = _datasets().load_dataset(self._place, configuration, streaming=True)
            except ValueError:
                if configuration not in self.configurations():
                    return None
                raise
            split = _split(tuple(data), self.name, configuration)
            rows = tuple(data[split])
            promised = (data[split].info.splits or {}).get(split)
        if promised is not None and promised.num_examples not in (0, len(rows)):
            raise InputError(
                f"data set {self.name!r}, configuration {configuration!r}: its card promises {promised.num_examples} "
                f"rows of split {split!r}, but its files hold {len(rows)}; get them again, or correct the card"
            )
        return Rows(configuration, split, tuple(dict.fromkeys(name for row in rows for name in row)), rows)


class Repository(Folder):
    """A data set of the Hub, in one commit.

    Attributes:
        name: ``USER/NAME``.
        commit: that all rows come from; known after the first rows at the latest.
    """

    def __init__(self, name: str, revision: str | None) -> None:
        if revision is not None and (not isinstance(revision, str) or not revision.strip()):
            raise InputError(f"dataset_revision is a branch, a tag or a full commit, not {shown(revision)}")
        self.name = self._place = name
        self.commit = revision if revision is not None and _COMMIT.fullmatch(revision) else None
        self._revision = revision
        self._asked = False
        self._unreachable: str | None = None
        if self.commit is None:
            self._ask()

    def configurations(self) -> tuple[str, ...]:
        """Names of all configurations; where the Hub cannot be reached, of those in the cache.

        Raises:
            InputError: they cannot be told.
        """
        self._ask()
        if self._unreachable is None:
            return super().configurations()
        return self._copies()

    def rows(self, configuration: str) -> Rows | None:
        """Rows of a configuration; ``None``: there is none of that name.

        Raises:
            InputError: see `Folder.rows`; also where it is neither in the cache nor within reach.
        """
        builder = self._cached(configuration)
        if builder is not None:
            return _read(builder, self.name, configuration)
        self._ask()
        if self._unreachable is None:
            return self._download(configuration)
        copies = self._copies()
        if copies and not set(copies) & set(LANGUAGES):
            return None
        commit = f" in commit {self.commit}" if self.commit else ""
        raise InputError(
            f"data set {self.name!r}: {self._unreachable}, and the cache does not hold configuration "
            f"{configuration!r}{commit}; load it once where the Hub can be reached"
        )

    def _ask(self) -> None:
        """Ask the Hub for the commit, once."""
        if self._asked:
            return
        self._asked = True
        self._unreachable = self._look_up()
        if self._unreachable is not None and self._revision is not None and self.commit is None:
            raise InputError(
                f"data set {self.name!r}: {self._unreachable}, so the commit of dataset_revision "
                f"{self._revision!r:.60} is not known; give the full commit, or leave it out, to take a copy "
                "from the cache"
            )

    def _look_up(self) -> str | None:
        """Set the commit; what is returned is why the Hub could not be asked, ``None`` where it could."""
        if _datasets().config.HF_HUB_OFFLINE:
            return "offline mode is on"
        from huggingface_hub import HfApi

        # ValueError: a page of a proxy in the place of an answer
        no_answer: tuple[type[BaseException], ...] = (*network_errors(), ValueError)
        try:
            found = HfApi().dataset_info(self.name, revision=self._revision, timeout=_SECONDS)
        except no_answer as error:
            code = status(error)
            if code is None:
                return f"the Hub cannot be reached ({type(innermost(error)).__name__})"
            if code >= 500 or code == 429:
                return f"the Hub answers with an error ({code})"
            raise explanation(error, self.name) from None
        if f"{self.name.rpartition('/')[2]}.py" in {file.rfilename for file in found.siblings or ()}:
            raise _script(self.name, "name a revision with data files, such as dataset_revision='main'")
        self.commit = found.sha
        return None

    def _cached(self, configuration: str) -> Any:
        """Builder of what the cache holds of the commit, or of the one made last where the Hub cannot be reached."""
        try:
            from datasets.packaged_modules.cache.cache import Cache
        except ImportError:
            # It is no public part of `datasets`. Without it, everything is asked of the Hub.
            return None
        version, key = ("0.0.0", self.commit) if self.commit else ("auto", "auto")
        names = {
            "repo_id": self.name,
            "dataset_name": self.name.rpartition("/")[2],
            "config_name": configuration,
        }
        with explained(self.name):
            try:
                builder = Cache(**names, version=version, hash=key)
            except (json.JSONDecodeError, KeyError, TypeError, FileNotFoundError) as error:
                raise _damaged(self.name, _cache_folder(self.name), brief(error)) from None
            except ValueError:  # nothing of this name
                return None
        if not Path(builder.cache_dir).is_dir():
            return None
        if not _COMMIT.fullmatch(builder.hash):
            raise InputError(
                f"data set {self.name!r}: {self._unreachable}, and the last copy in the cache was made by a "
                "loading script, so its commit is not known; give dataset_revision as a full commit"
            )
        self.commit = builder.hash
        return builder

    def _copies(self) -> tuple[str, ...]:
        """Configurations that the cache holds of the commit."""
        folder = Path(_cache_folder(self.name))
        names = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else ()
        return tuple(name for name in names if self._cached(name) is not None)

    def _download(self, configuration: str) -> Rows | None:
        with explained(self.name):
            try:
                builder = _datasets().load_dataset_builder(self.name, configuration, revision=self.commit)
            except ValueError as error:
                if not str(error).startswith(NO_COPY) and configuration not in self.configurations():
                    return None
                raise
            self._check(builder)
            builder.download_and_prepare()
        return _read(builder, self.name, configuration)

    def _check(self, builder: Any) -> None:
        """Refuse rows that are not of the commit."""
        if builder.hash != self.commit:
            raise InputError(
                f"data set {self.name!r}: the Hub named commit {self.commit}, but did not deliver it; try again, or "
                f"take what the cache holds by dataset_revision={builder.hash!r}"
            )
        own = f"hf://datasets/{self.name}@{self.commit}/"
        files = (file for some in (builder.config.data_files or {}).values() for file in some)
        if foreign := [file for file in map(str, files) if not file.startswith(own)]:
            raise InputError(
                f"data set {self.name!r}: its card names data elsewhere ({foreign[0]:.80}), whose revision is not "
                "known; download it into a folder and load that"
            )


def _split(names: tuple[str, ...], name: str, configuration: str) -> str:
    """The split that is meant: ``test``, or the only one."""
    if _SPLIT in names or len(names) == 1:
        return _SPLIT if _SPLIT in names else names[0]
    raise InputError(
        f"data set {name!r}, configuration {configuration!r}: no split is named {_SPLIT!r}, and there are several: "
        f"{', '.join(names)}; name the one that holds the items {_SPLIT!r} in the card"
    )


def _read(builder: Any, name: str, configuration: str) -> Rows:
    """All rows of the split that is meant, from the cache."""
    splits = builder.info.splits or {}
    if not splits:
        raise _damaged(name, builder.cache_dir, "its description is missing")
    split = _split(tuple(splits), name, configuration)
    try:
        data = builder.as_dataset(split=split)
        rows = tuple(data)
    except failures() as error:
        raise _damaged(name, builder.cache_dir, brief(error)) from None
    # A file of the cache that was cut between two batches is read without an error.
    if len(rows) != splits[split].num_examples:
        raise _damaged(name, builder.cache_dir, f"{len(rows)} of {splits[split].num_examples} rows")
    return Rows(configuration, split, tuple(data.column_names), rows)


def _cache_folder(name: str) -> str:
    """Where ``datasets`` keeps all that it has of a data set of the Hub."""
    from datasets.naming import camelcase_to_snakecase

    owner, _, own = name.partition("/")
    return str(Path(_datasets().config.HF_DATASETS_CACHE) / f"{owner}___{camelcase_to_snakecase(own)}")


def _damaged(name: str, folder: str, why: str) -> InputError:
    return InputError(
        f"data set {name!r}: its copy in the cache is damaged ({why}); delete {folder} and load it again"
    )


def _script(name: str, remedy: str) -> InputError:
    return InputError(f"data set {name!r} is a loading script, which is not run here; {remedy}")


def _datasets() -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingLibraryError(
            "loading a data set needs the library datasets: pip install 'dibimt[evaluate]'"
        ) from error
    return datasets

"""Rows of a data set, from a folder or from the Hub, with the commit that they came from.

The only module that calls ``datasets`` and ``huggingface_hub``, from 2.21 to 5.2 of ``datasets``.

Of a data set of the Hub the commit is looked up first, and that commit is loaded: each configuration from the cache of
``datasets`` where that has it in this commit, else from the Hub. Where the Hub cannot be reached, the newest copy in
the cache is taken. The folder of a copy is named after its commit, so the commit is always known. ``load_dataset``
itself would, after any failure, return a copy of some other commit without an error.

Loading scripts are never run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import DibimtError
from .errors import InputError
from .errors import MissingLibraryError
from .errors import shown
from .languages import LANGUAGES

HUB_NAME = re.compile(r"\b[\w.-]{1,96}\b/\b[\w.-]{1,96}\b", re.ASCII)
"""``USER/NAME``, the name of a repository of the Hub."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SECONDS = 10  # after which the Hub counts as out of reach
_SPLIT = "test"
_NO_COPY = "Couldn't find cache"  # how `datasets` says that the Hub failed and the cache holds nothing either
_LOG_IN = "log in with `hf auth login`, or set HF_TOKEN"
_LATER = "try again in some minutes"
_BY_STATUS = {
    401: f"the Hub did not accept your token (401); {_LOG_IN}",
    403: f"your token may not read it (403); {_LOG_IN} with one that may",
    404: "a file that its card names is not there (404); check the card, or name another dataset_revision",
    429: f"the Hub had too many requests (429); {_LATER}",
}
_SECRET = re.compile(r"hf_\w+|(?<=://)[^/\s@]+(?=@)")


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
    """The folder of that name, else the repository of the Hub, as in ``datasets``.

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
        raise InputError(f"data set {shown(name)} cannot be read ({error.strerror}); check the path") from error
    if is_folder and revision is None:
        return Folder(path.resolve())
    if is_folder:
        raise InputError(f"dataset_revision is for data sets of the Hub, but {name!r:.80} is a folder here; omit it")
    if is_file:
        raise InputError(f"data set {name!r:.80} is a file; give its folder, or the file itself as items=")
    if isinstance(source, Path) or not HUB_NAME.fullmatch(name) or "--" in name or ".." in name:
        raise InputError(
            f"data set {name!r:.80} is neither a folder here nor a name of the Hub, which has the form USER/NAME; "
            "check the path"
        )
    return Repository(name, revision)


class Folder:
    """A data set in a folder, with or without a card. Its ``name`` is without the path to it."""

    commit: str | None = None

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._place = str(path)
        if (path / f"{path.name}.py").is_file():
            raise _script(self.name, f"name a folder of data without {path.name}.py")

    def configurations(self) -> tuple[str, ...]:
        """Names of all configurations."""
        with _explained(self.name):
            names = _datasets().get_dataset_config_names(self._place, revision=self.commit)
        return tuple(names)

    def rows(self, configuration: str) -> Rows | None:
        """Rows of a configuration; ``None``: there is none of that name.

        They are read from the files each time: the cache of ``datasets`` takes folders of the same name and card for
        one, whatever they hold.

        Raises:
            InputError: it cannot be read, is incomplete, or its splits leave open which one is meant.
        """
        with _explained(self.name):
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
        """Names of all configurations; where the Hub cannot be reached, of those in the cache."""
        self._ask()
        if self._unreachable is None:
            return super().configurations()
        return self._copies()

    def rows(self, configuration: str) -> Rows | None:
        """See `Folder.rows`; an `InputError` also where it is neither in the cache nor within reach."""
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
                f"{self._revision!r:.60} is not known; give the full commit, or omit it to take a copy from the cache"
            )

    def _look_up(self) -> str | None:
        """Set the commit; what is returned is why the Hub could not be asked, ``None`` where it could."""
        if _datasets().config.HF_HUB_OFFLINE:
            return "offline mode is on"
        from huggingface_hub import HfApi

        # ValueError: a page of a proxy in place of an answer
        no_answer: tuple[type[BaseException], ...] = (*_network_errors(), ValueError)
        try:
            found = HfApi().dataset_info(self.name, revision=self._revision, timeout=_SECONDS)
        except no_answer as error:
            code = _status(error)
            if code is not None and code < 500 and code != 429:
                raise _explanation(error, self.name) from error
            answer = f"answers with an error ({code})" if code else f"cannot be reached ({_innermost(error)})"
            return f"the Hub {answer}"
        if f"{self.name.rpartition('/')[2]}.py" in {file.rfilename for file in found.siblings or ()}:
            raise _script(self.name, "name a revision with data files, such as dataset_revision='main'")
        self.commit = found.sha
        return None

    def _cached(self, configuration: str) -> Any:
        """Builder of what the cache holds of the commit, or of the one made last where the Hub cannot be reached."""
        try:
            from datasets.packaged_modules.cache.cache import Cache
        except ImportError:
            # It is not a public part of `datasets`, but without it a commit in the cache could not be read while
            # the Hub fails: `load_dataset` takes the copy made last, after up to a minute. Absent, the Hub is asked.
            return None
        version, key = ("0.0.0", self.commit) if self.commit else ("auto", "auto")
        names = {
            "repo_id": self.name,
            "dataset_name": self.name.rpartition("/")[2],
            "config_name": configuration,
        }
        with _explained(self.name):
            try:
                builder = Cache(**names, version=version, hash=key)
            except (json.JSONDecodeError, KeyError, TypeError, FileNotFoundError) as error:
                raise _damaged(self.name, _cache_folder(self.name), _brief(error)) from error
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
        with _explained(self.name):
            try:
                builder = _datasets().load_dataset_builder(self.name, configuration, revision=self.commit)
            except ValueError as error:
                if str(error).startswith(_NO_COPY):
                    raise self._undelivered(_LATER) from error
                if configuration not in self.configurations():
                    return None
                raise
            self._check(builder)
            builder.download_and_prepare()
        return _read(builder, self.name, configuration)

    def _check(self, builder: Any) -> None:
        """Reject rows of another commit."""
        if builder.hash != self.commit:
            raise self._undelivered(f"try again, or take what the cache holds with dataset_revision={builder.hash!r}")
        own = f"hf://datasets/{self.name}@{self.commit}/"
        files = (file for some in (builder.config.data_files or {}).values() for file in some)
        if foreign := [file for file in map(str, files) if not file.startswith(own)]:
            raise InputError(
                f"data set {self.name!r}: its card names data elsewhere ({foreign[0]:.80}), whose revision is not "
                "known; download it into a folder and load that"
            )

    def _undelivered(self, remedy: str) -> InputError:
        return InputError(
            f"data set {self.name!r}: the Hub named commit {self.commit}, but did not deliver it; {remedy}"
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
    except Exception as error:
        raise _damaged(name, builder.cache_dir, _brief(error)) from error
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
    return InputError(f"data set {name!r}: its copy in the cache is damaged ({why}); delete {folder} and load it again")


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


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn whatever the libraries raise into an `InputError`. Only calls of the libraries belong under it."""
    try:
        yield
    except DibimtError:
        raise
    except Exception as error:
        raise _explanation(error, name) from error


def _explanation(error: BaseException, name: str) -> InputError:
    """One line: which data set, what is wrong with it, what to do."""
    from huggingface_hub import utils

    chain = tuple(_chain(error))

    def has(*kinds: Any) -> bool:
        return any(isinstance(each, kinds) for each in chain)

    code = _status(error)
    if has(utils.GatedRepoError):  # type: ignore[attr-defined]
        why = f"its owner has to grant access to it; ask for it on its page on the Hub, then {_LOG_IN}"
    elif has(utils.RevisionNotFoundError):  # type: ignore[attr-defined]
        why = "the Hub has no such revision of it; dataset_revision is a branch, a tag or a full commit of the data set"
    elif has(utils.RepositoryNotFoundError):  # type: ignore[attr-defined]
        why = f"the Hub has no data set of this name that you may read; check the name, and for a private one {_LOG_IN}"
    elif code is not None:
        why = _BY_STATUS.get(code, f"the Hub failed ({code}); {_LATER}")
    elif has(*_network_errors()):
        why = f"the connection to the Hub failed ({_innermost(error)}); check the network and try again"
    else:
        return InputError(f"data set {name!r} cannot be read ({_brief(error)}); check its card and its data files")
    return InputError(f"data set {name!r}: {why}")


def _network_errors() -> tuple[type[BaseException], ...]:
    """What is raised where the Hub cannot be reached, or answers with an error.

    The library of the connection differs between generations of ``huggingface_hub`` (requests, httpx, httpx2); its
    exceptions share the root from which the Hub's own error derives.
    """
    from huggingface_hub.utils import HfHubHTTPError  # type: ignore[attr-defined]

    return (ConnectionError, TimeoutError, *(k for k in HfHubHTTPError.__mro__ if k.__module__ != "builtins"))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what led to it, the last first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int | None:
    """Status of the Hub's answer that the error comes from; ``None``: there was no answer."""
    codes = (getattr(getattr(each, "response", None), "status_code", None) for each in _chain(error))
    return next((code for code in codes if isinstance(code, int)), None)


def _innermost(error: BaseException) -> str:
    """Class of what the error was raised from in the end."""
    while error.__cause__ is not None:
        error = error.__cause__
    return type(error).__name__


def _brief(error: BaseException) -> str:
    """Class and first line of the innermost cause, without secrets."""
    while error.__cause__ is not None:
        error = error.__cause__
    first = next(iter(str(error).strip().splitlines()), "")
    text = _SECRET.sub("***", ": ".join(filter(None, (type(error).__name__, first))))
    return text if len(text) <= 200 else f"{text[:200]} ..."

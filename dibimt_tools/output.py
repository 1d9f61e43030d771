"""Output of commands: standard output, which may be a closed pipe, and files, which are never half-written."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any


def emit(text: str) -> None:
    """Write a text and a line break to standard output.

    If the reader has closed the pipe (``dibimt ... | head``), the rest is dropped silently and the exit code does not
    change. Characters that the terminal's encoding lacks become escapes.

    Raises:
        InputError: the text cannot be written, for instance because the disk is full.
    """
    stream: Any = sys.stdout
    if hasattr(stream, "reconfigure"):
        # Files and pipes get UTF-8 on every system; a terminal keeps the encoding that it can show.
        stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    try:
        stream.write(text + "\n")
        stream.flush()
    except BrokenPipeError:
        _silence()
    except OSError as error:
        raise _refusal("standard output", error.strerror or str(error)) from error


def close_stdout() -> None:
    """Flush standard output, to which argparse writes the help; the pipe may be closed."""
    try:
        sys.stdout.flush()
    except OSError:
        _silence()


def _silence() -> None:
    """Redirect standard output to the null device, so that the flush at exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def to_json(value: object, indent: int | None = 2) -> str:
    """JSON text that UTF-8 can encode; if there are lone surrogates, all of it is ASCII with escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, indent=indent, allow_nan=False)
    return text


def to_json_lines(records: Iterable[object]) -> str:
    """One JSON value per line."""
    return "".join(to_json(record, indent=None) + "\n" for record in records)


def progress(total: int | None, label: str) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """A wrapper for long work that shows a bar on standard error if that is a terminal.

    Args:
        total: number of steps; ``None``: unknown, the bar only counts.
        label: name of the work.
    """
    if not sys.stderr.isatty():
        return iter
    from tqdm import tqdm

    return lambda steps: tqdm(steps, total=total, desc=label, leave=False)


def note(text: str) -> None:
    """Print a remark to standard error."""
    print(text, file=sys.stderr)


def check_outputs(paths: Iterable[Path | str | None], force: bool, inputs: Iterable[str | None] = ()) -> None:
    """Reject, before the work, files that `write_files` would reject after it.

    Args:
        paths: files to be written; ``None`` is skipped.
        force: whether files may be overwritten.
        inputs: files that are read and must not be overwritten.

    Raises:
        InputError: a file exists, is named twice, is an input, or its folder does not exist.
    """
    read = {Path(name).resolve() for name in inputs if name is not None}
    seen: set[Path] = set()
    for path in (Path(each) for each in paths if each is not None):
        if path.resolve() in read:
            raise _refusal(path, "it is an input of this command; choose another name")
        if path.resolve() in seen:
            raise _refusal(path, "two outputs have this name; give each a different name")
        seen.add(path.resolve())
        _check_output(path, force)


def write_files(contents: Mapping[Path, str | bytes], force: bool) -> None:
    """Write all files or none; see `dibimt_common.files.write_files`.

    Raises:
        InputError: a file exists and ``force`` is false, or cannot be written.
    """
    from dibimt_common import files

    for path in contents:
        _check_output(path, force)
    try:
        files.write_files(contents)
    except OSError as error:
        why = f"{error.strerror or error}; check the folder and its permissions"
        raise _refusal(error.filename or "files", why) from error


def make_folder(path: Path) -> None:
    """Make a folder and its parents, unless they exist.

    Raises:
        InputError: the folder cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refusal(path, f"{error.strerror or error}; choose another folder") from error


def deliver(report: str, output: str | None, force: bool, files: Mapping[Path, str | bytes] | None = None) -> None:
    """Write the files of a command, and its report to ``output`` or to standard output.

    Raises:
        InputError: see `write_files` and `emit`.
    """
    contents = dict(files or {})
    if output is not None:
        contents[Path(output)] = report + "\n"
    write_files(contents, force)
    if output is None:
        emit(report)


def _check_output(path: Path, force: bool) -> None:
    try:
        problem = _problem(path, force)
    except OSError as error:
        problem = error.strerror or str(error)
    if problem:
        raise _refusal(path, problem)


def _problem(path: Path, force: bool) -> str | None:
    if path.is_dir():
        return "it is a folder; name a file"
    if not path.resolve().parent.is_dir():
        return f"there is no folder {path.resolve().parent}; make it first"
    if path.is_file() and not force:
        return "it exists; choose another name, or overwrite it with --force"
    return None


def _refusal(path: Path | str, why: str) -> Exception:
    from dibimt_metric.errors import InputError

    return InputError(f"{path}: cannot be written: {why}")

"""Captures of rooflight in Python: the JSON of the program as objects and as pandas or Polars frames.

Nothing is computed here. Each call runs the program `rooflight`, found in $ROOFLIGHT or on PATH, and reads what it prints; numbers are in
SI base units, and a missing value has its reason. `rooflight list schema` documents every key.
"""
from __future__ import annotations

import importlib
import json
import os
import pathlib
import subprocess
from typing import Any, Iterator, Literal, Mapping, Sequence, Union

__all__ = ["Capture", "Comparison", "Error", "compare", "figures", "open"]

Path = Union[str, "os.PathLike[str]"]
Library = Literal["pandas", "polars"]


class Error(Exception):
    """The program failed. `status` is its exit status; the text is what it printed: what, where, what to do."""

    def __init__(self, text: str, status: int):
        super().__init__(text)
        self.status = status


def _run(*arguments: Path, allowed: Sequence[int] = (0,)) -> tuple[str, int]:
    """Standard output and exit status of the program."""
    program = os.environ.get("ROOFLIGHT", "rooflight")
    words = [os.fspath(argument) for argument in arguments]
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)
    if done.returncode not in allowed:
        raise Error(done.stderr.strip(), done.returncode)
    return done.stdout, done.returncode


def _file(path: Path) -> str:
    """The name of a file, which is no option whatever it begins with."""
    name = os.fspath(path)
    return os.path.join(".", name) if name.startswith("-") else name


def _flat(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Single values of a record and of the records in it, with dots between the keys. Lists stay as they are; reasons are left out."""
    for key, value in record.items():
        if key == "missing":
            continue
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _reasons(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in record.items():
        if isinstance(value, Mapping):
            if key == "missing":
                yield from ((prefix + name, reason) for name, reason in value.items())
            else:
                yield from _reasons(value, f"{prefix}{key}.")


def _frame(records: Sequence[Mapping[str, Any]], library: Library) -> Any:
    rows = [dict(_flat(record)) for record in records]
    if library == "polars":
        polars = importlib.import_module("polars")
        return polars.DataFrame(rows, infer_schema_length=None, strict=False)
    pandas = importlib.import_module("pandas")
    return pandas.DataFrame(rows)


class _Document(Mapping[str, Any]):
    """What the program printed as JSON: a mapping, whose lists can be taken as frames."""

    def __init__(self, text: str):
        self._values: dict[str, Any] = json.loads(text)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def frame(self, of: str = "kernels", library: Library = "pandas") -> Any:
        """The list with the key `of`, a row for each element and a column for each value ("duration_s.median"). Missing values are NaN or
        null: missing() has their reasons."""
        return _frame(self._values[of], library)

    def missing(self, of: str = "kernels") -> dict[int, dict[str, str]]:
        """Why values are missing: of each row of frame(of) that lacks any, column and reason."""
        reasons = {row: dict(_reasons(record)) for row, record in enumerate(self._values[of])}
        return {row: found for row, found in reasons.items() if found}


class Capture(_Document):
    """A capture, as `rooflight show --json` prints it."""

    def __init__(self, path: Path):
        self.path = pathlib.Path(path)
        super().__init__(_run("show", "--json", _file(self.path))[0])

    @property
    def kernels(self) -> list[dict[str, Any]]:
        """Kernels in the order of their GPU time."""
        kernels: list[dict[str, Any]] = self["kernels"]
        return kernels

    def kernel(self, name: str) -> dict[str, Any]:
        """The kernel whose id, label or name is `name`, or the only one whose name has it; KeyError."""
        exact = [kernel for kernel in self.kernels if name in (kernel["id"], kernel["label"], kernel["name"])]
        found = exact or [kernel for kernel in self.kernels if name in kernel["name"]]
        if len(found) != 1:
            raise KeyError(f"{len(found)} kernels are named {name!r}")
        return found[0]

    def cases(self, library: Library = "pandas") -> Any:
        """Work with parameters, timed several times: a row for each case, with a column for each parameter (its number where it is one)
        before those of frame("cases"); one that is named like a column of these is "parameter.NAME". Empty where the capture has none."""
        values = [dict(_flat(case)) for case in self.get("cases", [])]
        taken = {name for row in values for name in row}
        rows = []
        for case, row in zip(self.get("cases", []), values):
            parameters: dict[str, Any] = {}
            for each in case["parameters"]:
                parameters.setdefault(f"parameter.{each['key']}" if each["key"] in taken else each["key"], each["value"] if each.get("number") is None else each["number"])
            rows.append({**parameters, **row})
        return _frame(rows, library)

    def brief(self) -> str:
        """What limits the program and what to do first, as text of at most 8 kB."""
        return _run("show", "--brief", _file(self.path))[0]


class Comparison(_Document):
    """A comparison, as `rooflight compare --json` prints it. `status` is 0; with a gate 3 where it fails, 4 where it cannot decide."""

    def __init__(self, text: str, status: int):
        super().__init__(text)
        self.status = status


def open(path: Path) -> Capture:  # pylint: disable=redefined-builtin
    """Reads a capture."""
    return Capture(path)


def compare(base: Union[Path, Sequence[Path]], new: Union[Path, Sequence[Path]], *, fail_on: str | None = None) -> Comparison:
    """Compares captures, or several sessions with several. `fail_on` is the gate of `rooflight compare --fail-on`."""
    sides = [[_file(path) for path in ([side] if isinstance(side, (str, os.PathLike)) else side)] for side in (base, new)]
    gate = [f"--fail-on={fail_on}"] if fail_on is not None else []
    return Comparison(*_run("compare", "--json", *gate, *sides[0], "--", *sides[1], allowed=(0, 3, 4)))


def figures(path: Path, folder: Path) -> list[pathlib.Path]:
    """Writes the charts of a capture's report into `folder` as SVG, and returns their paths."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _run("report", "-o", _file(folder / "report.html"), "--charts", _file(folder), _file(path))
    return sorted(folder.glob("*.svg"))

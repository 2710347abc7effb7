"""Circles of files: inside a folder a driver may call steps, and steps may call helpers, never back. Which file uses which is read from
the object files with nm, so that a table of functions counts as much as a call."""
import collections
import subprocess

from tree import TARGETS


def layers(source, build):
    """No files of a folder use each other in a circle (by the symbols of their object files)."""
    yield from faults(source, build, WITH_CIRCLES)


# Folders that have circles still. One that has none any more is a fault here, so that the table only becomes shorter.
WITH_CIRCLES = ()


def faults(source, build, excepted):
    folders = built_folders(build)
    if not folders:
        yield f"{build}: no object file found; is this the build folder, and is it built?"
    for folder in folders:
        found = list(circles(objects_of(source, build, folder)))
        if folder not in excepted:
            yield from (f"{folder}/: {text}" for text in found)
        elif not found:
            yield f"{folder}/: has no circle any more: remove it from WITH_CIRCLES of tests/lint/circles.py"


def built_folders(build):
    """Folders of the program that this build makes a target of."""
    return sorted(folder for folder in TARGETS if any((build / folder / "CMakeFiles").glob("*.dir/**/*.o")))


def objects_of(source, build, folder):
    """{file: (symbols that it defines, symbols that it uses)}; a file that two targets compile is one."""
    files = collections.defaultdict(lambda: (set(), set()))
    for target in sorted((build / folder / "CMakeFiles").glob("*.dir")):
        names = {str(path): path.relative_to(target).as_posix()[:-len(".o")] for path in sorted(target.rglob("*.o"))}
        # Ninja keeps the object of a source that is gone.
        present = [path for path, name in names.items() if (source / folder / name).exists()]
        for path, defined, symbol in symbols(present):
            files[names[path]][0 if defined else 1].add(symbol)
    return files


def symbols(paths):
    """(path, whether it defines it, name) of every external symbol of the object files."""
    if paths:
        yield from parse(subprocess.run(["nm", "-A", "-g", "--", *paths], capture_output=True, text=True, check=True).stdout)


def parse(listed):
    """What nm prints, "PATH:[ADDRESS] LETTER NAME": U, and v and w without an address, are used, not defined."""
    for line in listed.splitlines():
        path, rest = line.split(".o:", 1)
        *address, letter, name = rest.split()
        yield f"{path}.o", bool(address) or letter not in "Uvw", name


def circles(objects):
    """A line of text for each circle: its files, and the symbols that tie each to the next."""
    owner = {symbol: name for name, (defined, _) in objects.items() for symbol in defined}
    ties = {name: collections.defaultdict(set) for name in objects}
    for name, (_, used) in objects.items():
        for symbol in (used - objects[name][0]) & owner.keys():
            ties[name][owner[symbol]].add(symbol)
    for files in knots(ties):
        inside = [f"{name} uses {', '.join(sorted(ties[name][other]))} of {other}"
                  for name in files for other in sorted(ties[name]) if other in files]
        yield f"{len(files)} files use each other in a circle: " + "; ".join(inside)


def knots(graph):
    """Strongly connected components of more than one node, each sorted: what A reaches and what reaches A."""
    reached = {node: reach(graph, node) for node in graph}
    seen = set()
    for node in sorted(graph):
        if node not in seen:
            knot = sorted(other for other in reached[node] if node in reached[other])
            seen.update(knot)
            if len(knot) > 1:
                yield knot


def reach(graph, start):
    """Nodes that can be reached from `start` by one step or more."""
    reached, open_nodes = set(), list(graph[start])
    while open_nodes:
        node = open_nodes.pop()
        if node not in reached:
            reached.add(node)
            open_nodes += graph[node]
    return reached

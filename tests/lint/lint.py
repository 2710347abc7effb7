"""House rules that a compiler does not check.

    lint.py --source DIR --build DIR RULE    prints PLACE: MESSAGE for every fault; exit status 1 when there is one
    lint.py --list                           names of the rules, one a line (CMakeLists.txt makes a test of each)

A rule is a row of rules.py (a pattern that must not appear) or a function of checks.py (a look at the whole tree). test_lint.py
shows that each of them notices what it is there for.
"""
import argparse
import pathlib
import sys

import checks
import rules


def look(name, source, build):
    """Faults that the rule `name` finds below `source`, as lines of text."""
    if name in rules.RULES:
        return rules.look(rules.RULES[name], source)
    return list(checks.CHECKS[name](source, build))


def main():
    parser = argparse.ArgumentParser(description="House rules that a compiler does not check.")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("rule", nargs="?", choices=[*rules.RULES, *checks.CHECKS])
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join([*rules.RULES, *checks.CHECKS]))
        return 0
    faults = look(arguments.rule, arguments.source.resolve(), arguments.build)
    print("\n".join(faults) if faults else f"{arguments.rule}: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

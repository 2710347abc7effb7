"""The JSON schemas: the committed ones are what the program prints, what it says of captures keeps them, and every column of kernels is
in CSV, JSON, schema and the list of columns.

    schema.py --program rooflight --captures FOLDER --samples FOLDER --schemas docs/schema
"""
import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import sys

SKIPPED = 77

# Each result with a schema, and commands whose JSON must keep it, besides `show` of every capture. @NAME is a capture of the tests.
COMMANDS = {
    "show": (),
    "brief": (("show", "--brief", "--json", "@normal"), ("show", "--brief", "--json", "--kernel", ".", "@normal"),
              ("show", "--brief", "--json", "--kernel", "regex:.", "@program"), ("show", "--brief", "--json", "@families")),
    "changes": (("compare", "--json", "@normal", "@after"), ("compare", "--json", "@cases", "@cases-after"), ("compare", "--json", "@normal", "@after", "@other-card"),
                ("compare", "--json", "@normal", "--project", "H200")),
    "source": (("show", "--source", ".", "--json", "@stalls"), ("show", "--source", ".", "--json", "@full"),
               ("show", "--source", ".", "--json", "@program")),
    "timeline": (("show", "--timeline", "--json", "@inference"), ("show", "--timeline", "--json", "@full"),
                 ("show", "--timeline", "--json", "@normal")),
    "gaps": (("show", "--gaps", "--json", "@inference"), ("show", "--gaps", "--json", "@full"), ("show", "--gaps", "--json", "@program")),
    "cases": (("show", "--cases", "--json", "@cases"), ("show", "--cases", "--json", "@full"), ("show", "--cases", "--json", "@normal")),
    "fleet": (("compare", "--fleet", "--json", "@normal", "@after"),
              ("compare", "--fleet", "--json", "@normal", "@program", "@normal", "@full", "absent.rlcap")),
    "cards": (("compare", "--json", "@normal", "@other-card"),),
}


def said(program, *arguments):
    """Standard output of the program; None where it refused."""
    done = subprocess.run([program, *arguments], capture_output=True, timeout=120)
    return done.stdout.decode("utf-8") if done.returncode == 0 else None


def of_record(schema, node, path=""):
    """Ids of all single values below a record of the schema, as CSV has them: without lists of records."""
    for key, field in node["properties"].items():
        if key == "missing":
            continue
        inner = [choice["$ref"] for choice in field.get("anyOf", ()) if "$ref" in choice]
        if inner:
            yield from of_record(schema, schema["$defs"][inner[0].rsplit("/", 1)[1]], f"{path}{key}.")
        elif "$ref" not in field.get("items", {}):
            yield path + key


def of_values(value, path=""):
    """The same of a value."""
    for key, inner in value.items():
        if key == "missing":
            continue
        if isinstance(inner, dict):
            yield from of_values(inner, f"{path}{key}.")
        elif not (isinstance(inner, list) and inner and isinstance(inner[0], dict)):
            yield path + key


def columns(program, schema, captures):
    """What is wrong with columns."""
    normal, sets = str(captures / "normal.rlcap"), str(captures / "sets.rlcap")
    listed = [column["id"] for column in json.loads(said(program, "list", "columns", "--json"))]
    declared = list(of_record(schema, schema["$defs"]["kernel"]))
    if listed != declared:
        yield f"list columns and the schema differ: {sorted(set(listed) ^ set(declared))}"
    chosen = next(csv.reader(io.StringIO(said(program, "show", "--csv", "--columns", ",".join(listed), normal))))
    if chosen != listed:
        yield "CSV does not have the columns that are listed"
    for capture in (normal, sets):
        head = next(csv.reader(io.StringIO(said(program, "show", "--csv", "--columns", "all", capture))))
        kernel = json.loads(said(program, "show", "--json", capture))["kernels"][0]
        values = set(of_values(kernel)) - {"findings"}
        if strange := (set(head) - set(listed)) | (values - set(listed)):
            yield f"{capture}: not in the list of columns: {sorted(strange)}"
        if lost := values - set(head):
            yield f"{capture}: in JSON and not in CSV: {sorted(lost)}"
        if lost := {one for one in listed if one not in head and not one.startswith(("metrics.", "half_widths."))}:
            yield f"{capture}: not in CSV: {sorted(lost)}"


def validator(schema):
    import jsonschema
    check = jsonschema.Draft202012Validator if hasattr(jsonschema, "Draft202012Validator") else jsonschema.Draft7Validator
    check.check_schema(schema)
    return check(schema)


def faults(check, text, what):
    for error in list(check.iter_errors(json.loads(text)))[:3]:
        yield f"{what}: {'.'.join(map(str, error.absolute_path))}: {error.message[:200]}"


def invalid(program, schemas, options):
    """What in the JSON of captures does not keep its schema."""
    checked = 0
    check = validator(schemas["show"])
    for capture in sorted(options.captures.glob("*.rlcap")) + sorted(options.samples.rglob("*.rlcap")):
        text = said(program, "show", "--json", str(capture))
        if text is None:  # made to be refused
            continue
        checked += 1
        yield from faults(check, text, capture)
    if checked < 20:
        yield f"only {checked} captures could be read"
    for name, commands in COMMANDS.items():
        check = validator(schemas[name])
        for command in commands:
            words = [str(options.captures / (word[1:] + ".rlcap")) if word.startswith("@") else word for word in command]
            text = said(program, *words)
            yield from faults(check, text, " ".join(command)) if text else (f"{' '.join(command)}: refused",)


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "captures", "samples", "schemas"):
        parser.add_argument("--" + name, required=True, type=pathlib.Path)
    options = parser.parse_args()
    program = str(options.program)
    wrong, schemas, without = [], {}, False
    for name in COMMANDS:
        text = said(program, "list", "schema", name)
        schemas[name] = json.loads(text)
        if text != (options.schemas / f"{name}.json").read_text(encoding="utf-8"):
            wrong.append(f"{name}.json in {options.schemas} is not what 'list schema {name}' prints: print it there")
    if strange := {path.stem for path in options.schemas.glob("*.json")} - set(COMMANDS):
        wrong.append(f"nothing keeps these schemas true: {sorted(strange)}")
    wrong += columns(program, schemas["show"], options.captures)
    try:
        wrong += invalid(program, schemas, options)
    except ImportError:
        without = True
    if without and os.environ.get("RL_TESTS_NEED_TOOLS"):
        wrong.append("python3-jsonschema is not installed")
    for line in wrong:
        print(line)
    if not wrong and without:
        print("no capture was held against the schema: python3-jsonschema is not installed")
        sys.exit(SKIPPED)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()

"""Prints what an unpacked archive consists of, as SPDX 2.3 in JSON: rooflight, each library and font beside it, and the static libraries that
are part of it, with the package of the distribution that they are from, where dpkg knows that.

    sbom.py --tree DIR --version VERSION --glibc VERSION --epoch SECONDS [LIBRARY.a ...]
"""
import argparse
import datetime
import hashlib
import json
import pathlib
import subprocess


def package_of(name):
    """Name and version of the installed package that a library of this name belongs to; unknown is said as SPDX says it."""
    owners = subprocess.run(["dpkg-query", "-S", f"*/{name}"], capture_output=True, text=True, check=False)
    if owners.returncode != 0:
        return name, "NOASSERTION"
    package = owners.stdout.split(": ")[0].split(",")[0]
    version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True).stdout
    return package.split(":")[0], version


def element(identity, name, version, checksum=None):
    found = {"SPDXID": f"SPDXRef-{identity}", "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
             "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION"}
    if checksum:
        found["checksums"] = [{"algorithm": "SHA256", "checksumValue": checksum}]
    return found


def main():
    parser = argparse.ArgumentParser(description="Prints the parts of an archive as SPDX.")
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--glibc", required=True)
    parser.add_argument("--epoch", type=int, required=True)
    parser.add_argument("linked", type=pathlib.Path, nargs="*", help="static libraries")
    arguments = parser.parse_args()
    digest = hashlib.sha256((arguments.tree / "bin/rooflight").read_bytes()).hexdigest()
    program = element("rooflight", "rooflight", arguments.version, digest) | {
        "licenseDeclared": "Apache-2.0", "comment": f"needs glibc {arguments.glibc} or later"}
    packages, relations = [program], [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-rooflight")]
    fonts = (arguments.tree / "share/rooflight/fonts").rglob("*.ttf")
    parts = [(path, "DYNAMIC_LINK") for path in (arguments.tree / "lib/rooflight/private").iterdir()] \
        + [(path, "STATIC_LINK") for path in arguments.linked] + [(path, "CONTAINS") for path in fonts]
    for path, relation in sorted(parts):
        identity = "".join(letter if letter.isalnum() else "-" for letter in path.name)
        packages.append(element(identity, *package_of(path.name), hashlib.sha256(path.read_bytes()).hexdigest()) | {"packageFileName": path.name})
        relations.append(("SPDXRef-rooflight", relation, f"SPDXRef-{identity}"))
    made = datetime.datetime.fromtimestamp(arguments.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"rooflight-{arguments.version}",
                "documentNamespace": f"urn:sha256:{digest}", "creationInfo": {"created": made, "creators": ["Tool: rooflight packaging/sbom.py"]},
                "packages": packages, "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                                                        for a, kind, b in relations]}
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()

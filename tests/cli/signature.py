"""Signatures found out without rooflight: what docs/capture-format.md says, by Python's sqlite3 and hashlib, and by OpenSSL.

    signature.py --program PROGRAM --stand-in PROGRAM --captures DIR --samples DIR      exit status 0 passed, 1 failed, 77 there is no ssh-keygen or openssl
"""
import argparse
import hashlib
import os
import pathlib
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

CANNOT_TRY = 77
ED25519 = bytes.fromhex("302a300506032b6570032100")  # what stands before a public key in PEM (RFC 8410)


def cell(value, kind):
    if kind == "null":
        return b"N"
    if kind == "integer":
        return b"I" + struct.pack(">q", value)
    if kind == "real":
        return b"R" + struct.pack(">d", value)
    return (b"T" if kind == "text" else b"B") + struct.pack(">Q", len(value)) + value


def content_of(db):
    db.text_factory = bytes
    hashed = hashlib.sha256(b"rooflight capture content 1\n")
    tables = [name.decode() for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE name <> 'signature' ORDER BY rowid")]
    for table in tables:
        columns = [row[1].decode() for row in db.execute(f"PRAGMA table_info({table})")]
        both = ", ".join(f'"{c}", typeof("{c}")' for c in columns)
        rows = db.execute(f"SELECT {both} FROM {table} ORDER BY id").fetchall()
        if rows:
            hashed.update(b"S" + struct.pack(">Q", len(table)) + table.encode())
        for row in rows:
            hashed.update(b"".join(cell(value, kind.decode()) for value, kind in zip(row[::2], row[1::2])))
    return hashed.hexdigest()


def holds(folder, public_key, signature, digest):
    """By OpenSSL."""
    (folder / "message").write_text(f"rooflight capture signature 1\n{digest}\n")
    (folder / "signature").write_bytes(bytes.fromhex(signature))
    (folder / "key.der").write_bytes(ED25519 + bytes.fromhex(public_key))
    done = subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key.der", "-keyform", "DER", "-rawin", "-in", "message",
                           "-sigfile", "signature"], cwd=folder, capture_output=True, timeout=60, check=False)
    return done.returncode == 0


def faults_of(folder, path):
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    if db.execute("PRAGMA user_version").fetchone()[0] < 4:
        yield f"{path.name}: not signed: of an older version"
        return
    content = content_of(db)
    signatures = db.execute("SELECT salt, public_key, signature FROM signature").fetchall()
    if not signatures:
        yield f"{path.name}: no signature"
    for salt, public_key, signature in ((a.decode(), b.decode(), c.decode()) for a, b, c in signatures):
        digest = hashlib.sha256(f"rooflight capture digest 1\n{salt}\n{content}\n".encode()).hexdigest()
        if not holds(folder, public_key, signature, digest):
            yield f"{path.name}: OpenSSL does not accept the signature"
        if holds(folder, public_key, signature, digest[::-1]):
            yield f"{path.name}: OpenSSL accepts the signature of anything"


def faults_of_collect(folder, stand_in, capture):
    """Every capture is signed: of each GPU, and of the links between them."""
    (folder / "many").mkdir()
    for options, count in ((("--gpu", "0,1", "-o", "many/%g.rlcap"), 3), (("-o", "many/one.rlcap"), 4)):
        done = subprocess.run([stand_in, "collect", "--sign", "ssh", *options], cwd=folder, capture_output=True, text=True, timeout=60,
                              env={**os.environ, "COLLECT_CAPTURE": str(capture)}, check=False)
        found = sorted((folder / "many").glob("*.rlcap"))
        if done.returncode or len(found) != count:
            yield f"collect --sign {options}: status {done.returncode}, {len(found)} captures: {done.stderr}"
        for path in found:
            yield from faults_of(folder, path)


def main():
    parser = argparse.ArgumentParser()
    for option in ("--program", "--stand-in", "--captures", "--samples"):
        parser.add_argument(option, required=True, type=lambda path: pathlib.Path(path).resolve())
    options = parser.parse_args()
    if not shutil.which("ssh-keygen") or not shutil.which("openssl"):
        print("no ssh-keygen or no openssl here")
        return CANNOT_TRY
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "ssh"], check=True, timeout=60)
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", folder / "ssl"], check=True, timeout=60)
        (folder / "ssl").chmod(0o600)
        sources = [options.samples / "h200.rlcap", options.captures / "hostile.rlcap", options.captures / "program.rlcap"]
        for source in sources:
            once, twice = folder / "once.rlcap", folder / f"{source.name}"
            for key, before, after in (("ssh", source, once), ("ssl", once, twice)):
                subprocess.run([options.program, "sign", "-q", "--key", folder / key, before, "-o", after], check=True, timeout=60)
            faults += faults_of(folder, twice)
        faults += faults_of_collect(folder, options.stand_in, options.samples / "h200.rlcap")
    for fault in faults:
        print(fault)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

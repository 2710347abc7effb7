"""Builds an image by packaging/rooflight.def and uses it: Apptainer of Debian sid, in a root that debootstrap makes, by a user who is not root there.

    apptainer.py --build DIR --source DIR --work DIR

Where the recipe names an image of a registry, there may be none here: the image is made of a root of the same release, and everything below the
head of the recipe is as it is. Needs what bare_roots.py needs; ends with 77 without it, or where Debian has no Apptainer for the day.
"""
import argparse
import os
import pathlib
import re
import shutil
import sys

import bare_roots

SUITE, USER = "sid", "builder"
USE = f"""cd /home/{USER}/recipe && apptainer -q build --fakeroot rooflight.sif rooflight.def >build.log 2>&1 || {{ tail -n 5 build.log; exit 1; }}
apptainer -q run rooflight.sif show --brief {bare_roots.CAPTURE} | head -n 3 && apptainer -q run rooflight.sif report -q {bare_roots.CAPTURE} -o made.pdf"""


def within(root, *command, check=True):
    """As bare_roots.within, but with / of the root itself, devices and sysfs: Apptainer looks where its mounts are."""
    script = ('mount --rbind "$0" "$0" && cd "$0" && mount -t proc proc proc && mount --rbind /dev dev && mount -t sysfs sysfs sys && mkdir -p .outside && '
              'pivot_root . .outside && umount -l /.outside && cd / && exec "$@"')
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"}
    return bare_roots.run("unshare", "--mount", "--pid", "--fork", "sh", "-c", script, root, *command, check=check, env=environment)


def install(root):
    within(root, "apt-get", "-o", "Acquire::Check-Valid-Until=false", "update")  # a mirror may be some days behind
    done = within(root, "apt-get", "install", "-y", "--no-install-recommends", "apptainer", "uidmap", "fakeroot", check=False)
    if done.returncode:
        print(f"Apptainer cannot be installed: {done.stderr.strip()[-300:]}")
        return False
    within(root, "useradd", "-m", USER)
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n")  # which Apptainer reads
    return True


def lay_out(arguments, root, package):
    place = root / "home" / USER / "recipe"
    place.mkdir()
    shutil.copy(package, place / "rooflight.deb")
    shutil.copy(arguments.source / "samples" / bare_roots.CAPTURE, place)
    text = (arguments.source / "packaging/rooflight.def").read_text(encoding="ascii")
    local = re.sub(r"(?m)^Bootstrap: docker\nFrom: debian:12-slim$", "Bootstrap: localimage\nFrom: base", text)
    assert local != text, "the head of the recipe is another"
    (place / "rooflight.def").write_text(local)
    bare_roots.run("cp", "-a", arguments.work / f"{bare_roots.USUAL}.kept", place / "base")
    for device in (place / "base/dev").iterdir():  # nobody but root makes them
        bare_roots.run("rm", "-rf", device)
    within(root, "chown", "-R", f"{USER}:{USER}", f"/home/{USER}")


def check(arguments):
    bare_roots.make_root(arguments.work, bare_roots.USUAL)
    package = bare_roots.make_package(arguments)
    root = bare_roots.make_root(arguments.work, SUITE)
    if not install(root):
        return None
    lay_out(arguments, root, package)
    version = within(root, "apptainer", "--version").stdout.strip()
    used = within(root, "su", USER, "-c", USE, check=False)
    report = root / "home" / USER / "recipe/made.pdf"
    if used.returncode or "H100" not in used.stdout or not report.exists() or not report.read_bytes().startswith(b"%PDF-"):
        return [f"the image: {used.returncode} {used.stdout[-1000:]}{used.stderr[-1000:]}"]
    print(f"{version}: an image of {(report.parent / 'rooflight.sif').stat().st_size / 1e6:.0f} MB, report of {report.stat().st_size} bytes")
    return []


def main():
    parser = argparse.ArgumentParser(description="An image of Apptainer by the recipe.")
    for name in ("build", "source", "work"):
        parser.add_argument(f"--{name}", type=lambda text: pathlib.Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("debootstrap") is None or not bare_roots.is_there(SUITE) or not bare_roots.is_there(bare_roots.USUAL):
        print("needs root, debootstrap and the mirror: nothing was tried")
        return 77
    arguments.work.mkdir(parents=True, exist_ok=True)
    try:
        faults = check(arguments)
    except RuntimeError as failed:
        faults = [str(failed)]
    if faults is None:
        return 77
    print("\n".join(faults) or "apptainer: no fault")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

"""Uses packages where nothing else is installed: in roots of Debian and Ubuntu that debootstrap makes, with their mirrors.

The archive of a release in each of ARCHIVE, the oldest that the mirrors have first: as it is, with text alone, then with gnuplot from there, with a
report. The package for Debian 12: installed by apt with what it depends on, used, taken away again, and,
where buildah is installed, by the recipe for containers. Roots are kept below --work; deleting them is always right.

    bare_roots.py --build DIR --release DIR --source DIR --work DIR [--only SUITE,...]

Needs root, debootstrap and the mirrors: without one of them it says so and ends with 77. A suite whose mirror does not answer is named.
"""
import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.request

DEBIAN, UBUNTU = "http://deb.debian.org/debian", "http://archive.ubuntu.com/ubuntu"
# glibc 2.27, 2.31, 2.36, 2.41, 2.39. Debian 10, which has 2.28, has left the mirror.
ARCHIVE = {"bionic": UBUNTU, "bullseye": DEBIAN, "bookworm": DEBIAN, "trixie": DEBIAN, "noble": UBUNTU}
OF_MORE = {"sid": DEBIAN}  # of other tests
USUAL = "bookworm"
CAPTURE = "h100.rlcap"


def run(*command, check=True, timeout=1800, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=timeout, **more)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def mirror_of(suite):
    return (ARCHIVE | OF_MORE)[suite]


def make_root(work, suite):
    """A fresh root; what debootstrap made is kept beside it."""
    kept, root = work / f"{suite}.kept", work / suite
    if not (kept / "usr/bin/dpkg").exists() or (kept / "debootstrap").exists():
        shutil.rmtree(kept, ignore_errors=True)
        # Debian has the script for all of Ubuntu, not its keys.
        mirror = mirror_of(suite)
        how = ["--no-check-gpg", "--components=main,universe"] if mirror == UBUNTU else []
        script = ["/usr/share/debootstrap/scripts/gutsy"] if mirror == UBUNTU else []
        run("debootstrap", "--variant=minbase", *how, suite, kept, mirror, *script)
    shutil.rmtree(root, ignore_errors=True)
    run("cp", "-a", kept, root)
    return root


def within(root, *command, check=True):
    """Runs in the root, in process and mount namespaces of its own, which take what is mounted and started along."""
    script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"}
    return run("unshare", "--mount", "--pid", "--fork", "sh", "-c", script, root, *command, check=check, env=environment)


def listed(root):
    return {path.relative_to(root) for folder in ("usr", "etc", "opt") for path in (root / folder).rglob("*") if path.is_file() and "rooflight" in str(path)}


def check_program(root, program, has_gnuplot):
    """Text, a report, what the doctor says: on a machine without a GPU."""
    brief = within(root, program, "show", "--brief", f"/{CAPTURE}").stdout
    if "H100" not in brief:
        yield f"{root.name}: show --brief printed {brief!r}"
    doctor = within(root, program, "doctor").stdout
    gnuplot = next((line for line in doctor.splitlines() if line.startswith("gnuplot")), "")
    if (" ok " in gnuplot and "/gnuplot" in gnuplot) != has_gnuplot:
        yield f"{root.name}: the doctor says {gnuplot!r}"
    made = within(root, program, "report", f"/{CAPTURE}", "-o", "/report.pdf", check=False)
    if not has_gnuplot and (made.returncode != 1 or "gnuplot not found" not in made.stderr or (root / "report.pdf").exists()):
        yield f"{root.name}: a report without gnuplot: {made.returncode} {made.stderr}"
    if has_gnuplot and (made.returncode or not (root / "report.pdf").read_bytes().startswith(b"%PDF-")):
        yield f"{root.name}: no report: {made.returncode} {made.stderr}"


def is_there(suite):
    """Whether the mirror has the suite, now."""
    try:
        with urllib.request.urlopen(f"{mirror_of(suite)}/dists/{suite}/Release", timeout=60):
            return True
    except OSError as fault:
        print(f"{suite} was not tried: {fault}")
        return False


def check_archive(arguments, suite):
    out, began = arguments.work / "archive", time.monotonic()
    root = make_root(arguments.work, suite)
    (root / "opt").mkdir(exist_ok=True)
    run("tar", "-xzf", next(out.glob("*.tar.gz")), "-C", root / "opt")
    shutil.copy(arguments.source / "samples" / CAPTURE, root)
    program = "/" + str(next((root / "opt").glob("rooflight-*")).relative_to(root)) + "/bin/rooflight"
    yield from check_program(root, program, False)
    if ARCHIVE[suite] == UBUNTU:
        (root / "etc/apt/sources.list").write_text(f"deb [trusted=yes] {UBUNTU} {suite} main universe\n")
    within(root, "apt-get", "update")
    within(root, "apt-get", "install", "-y", "--no-install-recommends", "gnuplot-nox")
    faults = list(check_program(root, program, True))
    if faults:
        yield from faults
        return
    glibc, gnuplot = within(root, "ldd", "--version").stdout.splitlines()[0].split()[-1], within(root, "gnuplot", "--version").stdout.strip()
    print(f"{suite}: glibc {glibc}, {gnuplot}, report of {(root / 'report.pdf').stat().st_size} bytes, {time.monotonic() - began:.0f} s", flush=True)


def make_package(arguments):
    for old in arguments.build.glob("rooflight_*.deb"):
        old.unlink()
    run("cpack", "-G", "DEB", cwd=arguments.build)
    return next(arguments.build.glob("rooflight_*.deb"))


def check_package(arguments, package):
    root = make_root(arguments.work, USUAL)
    before = listed(root)
    shutil.copy(package, root / "rooflight.deb")
    shutil.copy(arguments.source / "samples" / CAPTURE, root)
    within(root, "apt-get", "update")
    within(root, "apt-get", "install", "-y", "--no-install-recommends", "/rooflight.deb")
    yield from check_program(root, "/usr/bin/rooflight", True)
    control = within(root, "dpkg-query", "-W", "-f", "${Maintainer}|${Section}|${Depends}", "rooflight").stdout
    if "libhpdf" not in control or "gnuplot" not in control or "localhost" in control or control.startswith("|"):
        yield f"the package says {control}"
    if within(root, "dpkg", "--verify", "rooflight", check=False).stdout.replace("/usr/share/doc", "").replace("/usr/share/man", "").count("missing   /usr"):
        yield "files of the package are missing in its root"
    within(root, "apt-get", "remove", "-y", "rooflight")
    left = listed(root) - before - {pathlib.Path("opt")}
    yield from (f"{path} is left when the package is removed" for path in sorted(left) if "/dpkg/" not in f"/{path}")


def check_recipe(arguments, package):
    """The recipe itself, on an image that is made of the root, as there may be no registry."""
    if shutil.which("buildah") is None:
        print("the recipe for containers was not built: there is no buildah here")
        return
    store = ["--root", arguments.work / "store", "--runroot", arguments.work / "runstore", "--storage-driver", "vfs"]
    place = arguments.work / "recipe"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copy(package, place)
    shutil.copy(arguments.source / "packaging/Containerfile", place)
    run("tar", "-C", arguments.work / f"{USUAL}.kept", "-cf", place / "root.tar", ".")
    (place / "Base").write_text("FROM scratch\nADD root.tar /\n")
    run("buildah", *store, "build", "--isolation", "chroot", "-t", "docker.io/library/debian:12-slim", "-f", place / "Base", place)
    run("buildah", *store, "build", "--isolation", "chroot", "--pull-never", "-t", "rooflight", "-f", place / "Containerfile", place)
    name = run("buildah", *store, "from", "--pull-never", "rooflight").stdout.strip()
    shown = run("buildah", *store, "run", "--isolation", "chroot", "--volume", f"{arguments.source / 'samples'}:/data:ro", name, "--",
                "/usr/bin/rooflight", "show", "--brief", f"/data/{CAPTURE}", check=False)
    entry = run("buildah", *store, "inspect", "--format", "{{.OCIv1.Config.Entrypoint}}", "--type", "image", "rooflight").stdout
    if "H100" not in shown.stdout or "/usr/bin/rooflight" not in entry:
        yield f"the image: {shown.returncode} {shown.stderr} {entry}"


def main():
    parser = argparse.ArgumentParser(description="Uses packages in roots that have nothing else.")
    for name in ("build", "release", "source", "work"):
        parser.add_argument(f"--{name}", type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(ARCHIVE))
    arguments = parser.parse_args()
    suites = [suite for suite in ARCHIVE if suite in arguments.only]
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        print("needs root and debootstrap: nothing was tried")
        return 77
    arguments.work.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        os.chmod(arguments.work, 0o755)
    try:
        run(arguments.source / "packaging/archive", arguments.release, arguments.work / "archive")
        faults = [fault for suite in suites if is_there(suite) for fault in check_archive(arguments, suite)]
        if USUAL in suites:
            package = make_package(arguments)
            faults += [*check_package(arguments, package), *check_recipe(arguments, package)]
    except RuntimeError as failed:
        faults = [str(failed)]
    print("\n".join(faults) if faults else "bare roots: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

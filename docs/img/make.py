#!/usr/bin/env python3
"""Makes the sample documents in docs/ and the pictures of their pages: run it when pages or samples have changed, and look at them.

    make.py --program PROGRAM --source DIR          needs Poppler's pdftoppm and pdftotext
"""
import argparse
import pathlib
import re
import struct
import subprocess
import tempfile
import zlib

H200, H100, PROGRAM = "samples/h200.rlcap", "samples/h100.rlcap", "samples/programs/transformer-h200.rlcap"
DOCUMENTS = {
    "docs/sample-program.pdf": ("report", PROGRAM),
    "docs/sample-h200.pdf": ("report", H200),
    "docs/sample-cards.pdf": ("compare", H100, H200),
    "samples/published/cards.pdf": ("compare", *(f"samples/published/babelstream-{card}.csv" for card in ("p100-pcie-16gb", "v100-sxm2-16gb", "a100-sxm4-40gb"))),
}
ROOFLINE = ("report", H200, "--only", "roofline")
# A picture: its document, a line of its page ("": the first page), dots per inch, height in dots (0: the whole page).
PICTURES = {
    "report-program.png": (DOCUMENTS["docs/sample-program.pdf"], "", 64, 0),
    "report-kernel.png": (DOCUMENTS["docs/sample-program.pdf"], "Kernels", 64, 0),
    "report-experiment.png": (DOCUMENTS["docs/sample-h200.pdf"], "bank_conflicts", 64, 0),
    "report-cards.png": (DOCUMENTS["docs/sample-cards.pdf"], "", 64, 0),
    "report-roofline.png": (ROOFLINE, "", 80, 390),
}
LEVELS = 6  # of each colour in the palette


def run(*command, **how):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, timeout=300, **how).stdout


def page_with(pdf, line):
    pages = [text.split("\n") for text in run("pdftotext", "-layout", pdf, "-").split("\f")[:-1]]
    if not line:
        return 1
    for number, lines in enumerate(pages, 1):
        here = [one.strip() for one in lines if one.strip()][1:]
        if any(one == line or (at == 0 and one.startswith(line + " ")) for at, one in enumerate(here)) and number > 1:
            return number
    raise SystemExit(f"{pdf}: no page has '{line}'")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(ppm, height):
    """A picture with a palette: pages have few colours."""
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", ppm)
    width, rows, dots = int(head[1]), int(head[2]), ppm[head.end():]
    rows = min(rows, height or rows)
    level = [round(value * (LEVELS - 1) / 255) for value in range(256)]
    at = [level[red] * LEVELS * LEVELS + level[green] * LEVELS + level[blue]
          for red, green, blue in zip(dots[0::3], dots[1::3], dots[2::3])]
    scale = [round(value * 255 / (LEVELS - 1)) for value in range(LEVELS)]
    palette = bytes(part for red in scale for green in scale for blue in scale for part in (red, green, blue))
    lines = b"".join(b"\0" + bytes(at[row * width:(row + 1) * width]) for row in range(rows))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, rows, 8, 3, 0, 0, 0)) + chunk(b"PLTE", palette) +
            chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description="Makes the sample documents and their pictures.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    given = parser.parse_args()
    program, source = given.program.resolve(), given.source.resolve()
    with tempfile.TemporaryDirectory() as folder:
        made = {command: source / name for name, command in DOCUMENTS.items()}
        made |= {ROOFLINE: pathlib.Path(folder) / "roofline.pdf"}
        for command, pdf in made.items():
            run(program, *command, "-q", "-o", pdf, cwd=source)
        for name, (command, line, dots, height) in PICTURES.items():
            page = page_with(made[command], line)
            run("pdftoppm", "-r", dots, "-f", page, "-l", page, "-singlefile", made[command], f"{folder}/page")
            (source / "docs/img" / name).write_bytes(png((pathlib.Path(folder) / "page.ppm").read_bytes(), height))
            print(f"{name}: page {page}")


if __name__ == "__main__":
    main()

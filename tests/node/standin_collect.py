#!/usr/bin/env python3
"""A stand-in for measuring one GPU, where there is none: `rooflight collect` becomes this program when ROOFLIGHT_STANDIN names it.

    standin_collect.py GPU OUTPUT           "links" in place of the GPU: what lies between all of them

It measures nothing. It says which GPU it is for, waits a little, and copies $STANDIN_CAPTURE to OUTPUT (without it: writes a line of
text). $STANDIN_FAULTS names GPUs that go wrong, "1:fails,2:hangs,3:crashes"; "4:grows" leaves OUTPUT.partial, "5:wrong" replaces OUTPUT
and fails all the same.
"""
import os
import pathlib
import shutil
import sys
import time


def main():
    gpu, output = sys.argv[1], pathlib.Path(sys.argv[2])
    faults = dict(pair.split(":") for pair in os.environ.get("STANDIN_FAULTS", "").split(",") if pair)
    what = gpu if gpu == "links" else f"GPU {gpu}"
    print(f"rooflight: stand-in for {what}, nothing is measured", file=sys.stderr, flush=True)
    fault = faults.get(gpu)
    if fault in ("grows", "wrong"):
        written = output if fault == "wrong" else output.with_name(output.name + ".partial")
        (output.parent / "new").write_text(f"stand-in for {what}\n")
        os.replace(output.parent / "new", written)
        print("rooflight: collect: 1 variant(s) failed", file=sys.stderr)
        return 1
    if output.exists():
        print(f"rooflight: {output} is there already: two processes have one name", file=sys.stderr)
        return 1
    if fault == "fails":
        print("rooflight: collect: counters not permitted", file=sys.stderr)
        return 1
    if fault == "crashes":
        os.abort()
    time.sleep(600 if fault == "hangs" else float(os.environ.get("STANDIN_SECONDS", "0.3")))
    if "STANDIN_CAPTURE" in os.environ:
        shutil.copy(os.environ["STANDIN_CAPTURE"], output)
    else:
        output.write_text(f"stand-in for {what}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

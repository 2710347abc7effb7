#!/usr/bin/env python3
"""Timelines of other tools as captures: SQLite exports of Nsight Systems, traces of PyTorch's profiler.

    timelines.py --program PROGRAM          exit status 0 passed, 1 failed

All files are made here, with what versions lack and what goes wrong; what a capture must say of them was worked out by hand."""
import argparse
import contextlib
import gzip
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

MS = 1000000
PID = 24  # bits of a thread in a serialised id

# Columns as Nsight Systems 2026 writes them, but for those that nothing reads.
KERNEL = ("start", "end", "deviceId", "streamId", "correlationId", "globalPid", "demangledName", "shortName", "mangledName", "registersPerThread",
          "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "staticSharedMemory", "dynamicSharedMemory", "localMemoryPerThread", "graphNodeId",
          "clusterX", "clusterY", "clusterZ")
SHAPE = {"registersPerThread": 32, "gridX": 8, "gridY": 2, "gridZ": 1, "blockX": 128, "blockY": 1, "blockZ": 1, "staticSharedMemory": 64,
         "dynamicSharedMemory": 1024, "localMemoryPerThread": 0}


class Tests:
    def __init__(self, program, folder):
        self.program, self.folder, self.faults, self.made = program, pathlib.Path(folder), [], 0

    def expect(self, got, wanted, what):
        if got != wanted:
            self.faults.append(f"{what}: {got!r}, not {wanted!r}")

    def run(self, *arguments, stdin=None):
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, stdin=stdin, cwd=self.folder, check=False)

    def imported(self, *files, options=()):
        """The capture of the files, as an open database, and its path; the program must be able to read it back."""
        self.made += 1
        output = self.folder / f"out{self.made}.rlcap"
        done = self.run("import", "-q", *options, "-o", output, *files)
        if done.returncode != 0:
            self.faults.append(f"{files}: {done.stderr.decode()}")
            return None, output
        shown = self.run("show", output)
        if shown.returncode != 0:
            self.faults.append(f"{files}: {shown.stderr.decode()}")
        return sqlite3.connect(output), output

    def refused(self, path, words):
        """The file is refused in one line with these words."""
        done = self.run("import", "-o", "none.rlcap", path)
        text = done.stderr.decode(errors="replace")
        if done.returncode != 1 or text.count("\n") != 1 or words not in text or (self.folder / "none.rlcap").exists():
            self.faults.append(f"{path}: status {done.returncode}, {text!r}, not {words!r}")

    def rows(self, capture, query, wanted, what):
        try:
            got = capture.execute(query).fetchall() if capture else wanted
        except sqlite3.Error as error:
            got = str(error)
        self.expect(got, wanted, what)

    def logged(self, capture, words, count, what):
        if capture:
            found = capture.execute("SELECT count(*) FROM log WHERE text LIKE ?", (f"%{words}%",)).fetchone()[0]
            self.expect(found, count, f"{what}: entries of the log with '{words}'")


# ---- Nsight Systems ----

def make(path, tables, strings=(), script=""):
    """An SQLite file: of each table its columns, of strings id and text."""
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as database:
        if strings is not None:
            database.execute("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
            database.executemany("INSERT INTO StringIds VALUES (?, ?)", strings)
        for name, rows in tables.items():
            columns = list(dict.fromkeys(column for row in rows for column in row))
            listed = ", ".join(f'"{column}"' for column in columns)
            database.execute(f'CREATE TABLE "{name}" ({listed})')
            for row in rows:
                database.execute(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(columns))})', [row.get(column) for column in columns])
        database.executescript(script)
        database.commit()
    return path


def kernel(start, end, name, **more):
    row = {"start": start, "end": end, "deviceId": 0, "streamId": 7, "globalPid": 100 << PID, "demangledName": name, "shortName": name}
    return {**row, **SHAPE, **more}


STRINGS = [(1, "work(float*, int)"), (2, "work"), (3, "_Z4workPfi"), (4, "ncclDevKernel_AllReduce_Sum"), (10, "cudaLaunchKernel_v7000"),
           (11, "cudaStreamSynchronize_v3020"), (12, "cudaEventRecord_v3020"), (20, "step"), (21, "io")]


def whole_export(tests):
    """Two processes, each with its own GPU 0; ranges, copies, graphs, idle time by cause."""
    thread = 100 << PID | 5
    tables = {
        "META_DATA_EXPORT": [{"name": "EXPORT_PRODUCT_VERSION", "value": "2026.2.1.210"}],
        "TARGET_INFO_SESSION_START_TIME": [{"utcEpochNs": 1779630014975716426, "utcTime": "2026-05-24T13:40:14"}],
        "TARGET_INFO_SYSTEM_ENV": [{"name": "Hostname", "value": "alpha"}, {"name": "CudaDriverVersion", "value": "13010"}],
        "DIAGNOSTIC_EVENT": [{"severity": 3, "text": "Some events were lost."}, {"severity": 1, "text": "Fine."}],
        "TARGET_INFO_GPU": [{"id": 0, "cuDevice": 0, "name": "NVIDIA A", "uuid": "u0", "computeMajor": 8, "computeMinor": 0, "smCount": 108},
                            {"id": 1, "cuDevice": 1, "name": "NVIDIA B", "uuid": "u1", "computeMajor": 8, "computeMinor": 6, "smCount": 84}],
        "TARGET_INFO_CUDA_DEVICE": [{"gpuId": 0, "cudaId": 0, "pid": 100}, {"gpuId": 1, "cudaId": 0, "pid": 200}],
        "CUPTI_ACTIVITY_KIND_KERNEL": [
            kernel(5000, 6000, 1, mangledName=3, correlationId=2, graphNodeId=9, clusterX=2, clusterY=1, clusterZ=1),
            kernel(1000, 2000, 1, mangledName=3, correlationId=1),
            kernel(1500, 1800, 4, correlationId=3, streamId=8),
            kernel(1200, 1700, 1, globalPid=200 << PID, correlationId=1)],
        "CUPTI_ACTIVITY_KIND_MEMCPY": [
            {"start": 2200, "end": 2400, "deviceId": 0, "globalPid": 100 << PID, "copyKind": 1, "bytes": 2 << 20, "srcKind": 1, "dstKind": 2},
            {"start": 5500, "end": 7000, "deviceId": 0, "globalPid": 100 << PID, "copyKind": 2, "bytes": 512, "srcKind": 2, "dstKind": 0}],
        "CUPTI_ACTIVITY_KIND_MEMSET": [{"start": 900, "end": 950, "deviceId": 0, "globalPid": 100 << PID, "bytes": 64}],
        "CUPTI_ACTIVITY_KIND_RUNTIME": [
            {"start": 500, "end": 600, "globalTid": thread, "correlationId": 1, "nameId": 10},
            {"start": 2500, "end": 3500, "globalTid": thread, "correlationId": 7, "nameId": 11},
            {"start": 3600, "end": 3700, "globalTid": thread, "correlationId": 8, "nameId": 12},
            {"start": 4000, "end": 4100, "globalTid": thread, "correlationId": 2, "nameId": 10}],
        "NVTX_EVENTS": [
            {"start": 0, "end": None, "eventType": 75, "text": "train", "globalTid": thread, "domainId": 3},
            {"start": 100, "end": 4500, "eventType": 59, "text": None, "textId": 20, "globalTid": thread, "domainId": 3},
            {"start": 3550, "end": 4200, "eventType": 59, "text": "inner", "textId": None, "globalTid": thread, "domainId": 0},
            {"start": 4600, "end": None, "eventType": 59, "text": "open", "textId": None, "globalTid": thread, "domainId": 0},
            {"start": 4700, "end": 4800, "eventType": 34, "text": "mark", "textId": None, "globalTid": thread, "domainId": 0}],
        "PROCESSES": [{"globalPid": 100 << PID, "name": "/bin/app"}],
    }
    capture, path = tests.imported(make(tests.folder / "whole?a=1#.sqlite", tables, STRINGS))
    name = "an export with everything"
    tests.rows(capture, "SELECT source, counters, started, host, cuda_driver, complete FROM session",
               [("nsys", "a timeline of Nsight Systems 2026.2.1.210 has no counters", "2026-05-24T13:40:14Z", "alpha", "13.1", 1)], name)
    tests.rows(capture, "SELECT name, uuid, cc_major, cc_minor FROM gpu ORDER BY name", [("NVIDIA A", "u0", 8, 0), ("NVIDIA B", "u1", 8, 6)], name)
    tests.rows(capture, "SELECT g.name, k.name, mangled, grid_x, grid_y, block_x, dynamic_shared_bytes, launches, total_ns, timed, min_ns, max_ns, graph, "
               "u.cluster_x FROM kernel k JOIN kernel_use u ON u.kernel = k.id JOIN gpu g ON g.id = k.gpu ORDER BY total_ns DESC",
               [("NVIDIA A", "work(float*, int)", "_Z4workPfi", 8, 2, 128, 1024, 2, 2000, 2, 1000, 1000, 1, 2),
                ("NVIDIA B", "work(float*, int)", None, 8, 2, 128, 1024, 1, 500, 1, 500, 500, 0, 0),
                ("NVIDIA A", "ncclDevKernel_AllReduce_Sum", None, 8, 2, 128, 1024, 1, 300, 1, 300, 300, 0, 0)], name)
    tests.rows(capture, "SELECT pid, host, command, launches FROM process ORDER BY pid", [(100, "alpha", "/bin/app", 3), (200, "alpha", "unknown", 1)], name)
    # From the set at 900 to the copy's end at 7000; busy are 50, 1000, 200 and 2000 ns.
    tests.rows(capture, "SELECT span_ns, busy_ns, kernel_ns FROM process_gpu ORDER BY span_ns DESC", [(6100, 3250, 2300), (500, 500, 500)], name)
    tests.rows(capture, "SELECT direction, memory, count, bytes, total_ns, fastest FROM transfer ORDER BY direction",
               [("set", "device", 1, 64, 50, None), ("to device", "pinned", 1, 2 << 20, 200, (2 << 20) / 200e-9), ("to host", "pageable", 1, 512, 1500, None)], name)
    tests.rows(capture, "SELECT r.name, r.domain, p.name, r.instances, r.host_ns, r.launches, r.gpu_ns FROM nvtx_range r LEFT JOIN nvtx_range p "
               "ON p.id = r.parent ORDER BY r.id", [("step", "train", None, 1, 4400, 1, 1000), ("inner", None, "step", 1, 650, 1, 1000)], name)
    # Between the kernels, 2000 to 5000: a copy to 2400, the wait from 2500 to 3500, the call at 4000.
    tests.rows(capture, "SELECT lane, r.name, count, total_ns FROM timeline_gap g LEFT JOIN nvtx_range r ON r.id = g.range ORDER BY lane",
               [("idle_copy", "inner", 1, 200), ("idle_host", "inner", 1, 800), ("idle_launch", "inner", 1, 1000), ("idle_wait", "inner", 1, 1000)], name)
    tests.rows(capture, "SELECT lane, sum(total_ns) FROM timeline_lane WHERE timeline = 0 AND lane IN ('busy', 'kernels', 'compute', 'collectives', "
               "'copies', 'class') GROUP BY lane", [("busy", 3250), ("class", 2300), ("collectives", 300), ("compute", 2000), ("copies", 1750), ("kernels", 2000)], name)
    tests.logged(capture, "Some events were lost", 1, name)
    tests.logged(capture, "Fine.", 0, name)
    tests.logged(capture, "ranges that were not left", 1, name)
    for arguments in (("show", "--json"), ("show", "--gaps"), ("show", "--timeline"), ("show", "--brief")):
        tests.expect(tests.run(*arguments, path).returncode, 0, f"{arguments} of an export")
    with open(tests.folder / "whole?a=1#.sqlite", "rb") as stdin:
        done = tests.run("import", "-q", "-o", "piped.rlcap", "-", stdin=stdin)
    tests.expect(done.returncode, 0, f"from standard input: {done.stderr}")
    if done.returncode == 0:
        tests.rows(sqlite3.connect(tests.folder / "piped.rlcap"), "SELECT sum(launches), sum(total_ns) FROM kernel", [(4, 2800)], "from standard input")


def old_and_odd_exports(tests):
    """What a version lacks is absent; what a row lacks or cannot be is left out or said."""
    few = [{"start": 10, "end": 30, "shortName": 2}, {"start": 20, "end": 50, "shortName": 2}]
    capture, _ = tests.imported(make(tests.folder / "old.sqlite", {"CUPTI_ACTIVITY_KIND_KERNEL": few}, STRINGS))
    tests.rows(capture, "SELECT k.name, grid_x, launches, total_ns, u.graph FROM kernel k JOIN kernel_use u ON u.kernel = k.id", [("work", 0, 2, 50, 0)],
               "only names and times")
    tests.rows(capture, "SELECT busy_ns FROM process_gpu", [(40,)], "kernels that overlap")
    tests.rows(capture, "SELECT registers_per_thread FROM kernel", [(None,)], "no registers")
    odd = [kernel(10, 30, 1), kernel(30, 20, 1), kernel(40, 60, 99), kernel(-5, 7, 1), kernel(2**62, 2**62 + 5, 1), kernel("x", 70, 1),
           kernel(70, 90, None), kernel(100, 110, 1, gridX=2**40, registersPerThread=-1, dynamicSharedMemory=b"no", deviceId=None)]
    capture, _ = tests.imported(make(tests.folder / "odd.sqlite", {"CUPTI_ACTIVITY_KIND_KERNEL": odd}, STRINGS))
    tests.rows(capture, "SELECT name, grid_x, total_ns FROM kernel ORDER BY name, grid_x",
               [("kernel without a name (string 0)", 8, 20), ("kernel without a name (string 99)", 8, 20), ("work(float*, int)", 0, 10),
                ("work(float*, int)", 8, 20)], "odd rows")
    tests.logged(capture, "end before they begin, or have no time that can be, were left out: 4", 1, "odd rows")
    tests.logged(capture, "whose name is not in the file", 1, "odd rows")
    graphs = {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE": [{"start": 10, "end": 30, "deviceId": 0, "graphId": 7}, {"start": 40, "end": 50, "deviceId": 0, "graphId": 7}]}
    capture, _ = tests.imported(make(tests.folder / "graphs.sqlite", graphs))
    tests.rows(capture, "SELECT name, launches, total_ns FROM kernel", [("CUDA graph 7 (recorded as a whole)", 2, 30)], "whole graphs")
    tests.logged(capture, "--cuda-graph-trace=node", 1, "whole graphs")
    thread = 100 << PID
    loose = {"CUPTI_ACTIVITY_KIND_KERNEL": [kernel(100, 110, 1, correlationId=1), kernel(200, 210, 1, correlationId=2)],
             "CUPTI_ACTIVITY_KIND_RUNTIME": [{"start": 90, "end": 91, "globalTid": thread | 1, "correlationId": 1},
                                             {"start": 190, "end": 191, "globalTid": thread | 1, "correlationId": 2}],
             "NVTX_EVENTS": [{"start": 50, "end": 95, "eventType": 60, "text": "epoch", "globalTid": thread | 2}]}
    capture, _ = tests.imported(make(tests.folder / "loose.sqlite", loose, STRINGS))
    tests.rows(capture, "SELECT name, launches FROM nvtx_range", [("epoch", 1)], "a range of another thread")
    wal = make(tests.folder / "wal.sqlite", {"CUPTI_ACTIVITY_KIND_KERNEL": few}, STRINGS, "PRAGMA journal_mode=WAL;")
    tests.rows(tests.imported(wal)[0], "SELECT sum(launches) FROM kernel", [(2,)], "a file in WAL mode")


def refused_exports(tests):
    songs = make(tests.folder / "songs.sqlite", {"songs": [{"title": "x"}]}, None)
    tests.refused(songs, "it is an SQLite file of no profiler that is known")
    tests.refused(make(tests.folder / "none.sqlite", {"NVTX_EVENTS": [{"start": 1}]}), "an SQLite export of Nsight Systems without kernels")
    view = "CREATE TABLE k(start, end, shortName); INSERT INTO k VALUES (1, 2, 1); CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM k;"
    tests.refused(make(tests.folder / "view.sqlite", {}, STRINGS, view), "without kernels")
    nvvp = make(tests.folder / "nvprof.nvvp", {"StringTable": [{"_id_": 1}]}, None)
    tests.refused(nvvp, "nvprof --csv --print-gpu-trace --log-file NAME.csv --import-profile FILE")
    tests.expect(b"nvprof --csv --print-gpu-trace --log-file NAME.csv --import-profile FILE" in tests.run("show", nvvp).stderr, True, "show of a profile of nvprof")
    direct = make(tests.folder / "direct.sqlite", {"CUPTI_ACTIVITY_KIND_KERNEL": [kernel(10, 30, 1)]}, STRINGS)
    tests.expect(b"work(float*, int)" in tests.run("show", "--csv", direct).stdout, True, "show of an export as it is")
    rows = {"CUPTI_ACTIVITY_KIND_KERNEL": [kernel(10 * i, 10 * i + 5, 1) for i in range(3000)]}
    whole = make(tests.folder / "large.sqlite", rows, STRINGS).read_bytes()
    (tests.folder / "cut.sqlite").write_bytes(whole[:len(whole) // 2])
    tests.refused("cut.sqlite", "damaged")
    (tests.folder / "bad.sqlite").write_bytes(whole[:4096] + b"\xff" * 8192 + whole[12288:])
    tests.refused("bad.sqlite", "damaged")
    (tests.folder / "report.nsys-rep").write_bytes(b"NVIDIA Tegra Profiler Report 1.\n\0")
    tests.refused("report.nsys-rep", "export it with nsys export --type sqlite FILE")
    (tests.folder / "csv.gz").write_bytes(gzip.compress(b"ID,Process ID\n"))
    tests.refused("csv.gz", "it is compressed")


# ---- PyTorch's profiler ----

def event(category, name, ts, dur, pid=0, tid=7, **arguments):
    return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": arguments}


def gpu_kernel(name, ts, dur, correlation, **more):
    return event("kernel", name, ts, dur, device=0, stream=7, correlation=correlation,
                 **{"registers per thread": 32, "shared memory": 2048, "grid": [8, 2, 1], "block": [128, 1, 1], **more})


def whole_trace():
    return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA X", "computeMajor": 9, "computeMinor": 0, "numSms": 132, "warpSize": 32},
                                                     {"id": 1, "name": "NVIDIA Y", "computeMajor": 9, "computeMinor": 0}],
            "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8},
            "traceEvents": [
                gpu_kernel("void work(float*)", 100.5, 1.25, 1),
                {"args": {"block": [64], "grid": [4, 1, 1], "correlation": 2, "device": 0, "graph node id": 5}, "dur": 2, "ts": 105, "tid": 7, "pid": 0,
                 "name": "other", "cat": "kernel", "ph": "X"},
                event("cuda_runtime", "cudaLaunchKernel", 90, 1, 4000, 4000, correlation=1),
                event("cuda_driver", "cuLaunchKernelEx", 103.75, 1, 4000, 4000, correlation=2),
                event("cpu_op", "aten::mm", 80, 20, 4000, 4000), event("user_annotation", "step 1", 70, 50, 4000, 4000),
                event("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 102, 1, device=0, bytes=1 << 21),
                event("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 108, 1, device=0), event("gpu_memset", "Memset (Device)", 110, 0.5, device=0, bytes=64),
                event("gpu_user_annotation", "step 1", 100, 9), event("python_function", "main", 0, 500, 4000, 4000),
                {"ph": "s", "cat": "ac2g", "name": "ac2g", "pid": 4000, "tid": 4000, "ts": 90, "id": 1}, {"ph": "M", "name": "process_name", "pid": 4000}],
            "traceName": "x", "baseTimeNanoseconds": 1712195495000000000}


def check_trace(tests, capture, name):
    tests.rows(capture, "SELECT source, counters FROM session", [("kineto", "a timeline of PyTorch's profiler has no counters")], name)
    tests.rows(capture, "SELECT name, cc_major, ordinal FROM gpu", [("NVIDIA X", 9, 0)], name)
    tests.rows(capture, "SELECT k.name, grid_x, grid_y, block_x, dynamic_shared_bytes, launches, total_ns, graph FROM kernel k JOIN kernel_use u "
               "ON u.kernel = k.id ORDER BY total_ns DESC", [("other", 4, 1, 64, 0, 1, 2000, 1), ("void work(float*)", 8, 2, 128, 2048, 1, 1250, 0)], name)
    tests.rows(capture, "SELECT pid, rank, launches FROM process", [(4000, "3", 2)], name)
    tests.rows(capture, "SELECT r.name, p.name, r.instances, r.launches, r.gpu_ns FROM nvtx_range r LEFT JOIN nvtx_range p ON p.id = r.parent ORDER BY r.id",
               [("step 1", None, 1, 1, 2000), ("aten::mm", "step 1", 1, 1, 1250)], name)
    tests.rows(capture, "SELECT direction, memory, count, bytes, total_ns FROM transfer ORDER BY direction",
               [("on device", "device", 1, 0, 1000), ("set", "device", 1, 64, 500), ("to device", "pinned", 1, 1 << 21, 1000)], name)
    # Between the kernels, 101.75 to 105 us: a copy from 102 to 103, the call at 103.75.
    tests.rows(capture, "SELECT lane, total_ns FROM timeline_gap ORDER BY lane", [("idle_copy", 1000), ("idle_host", 1000), ("idle_launch", 1250)], name)


def whole_traces(tests):
    trace = whole_trace()
    path = tests.folder / "a.pt.trace.json"
    path.write_text(json.dumps(trace, indent=1))
    capture, output = tests.imported(path)
    check_trace(tests, capture, "a trace")
    for arguments in (("show", "--json"), ("show", "--gaps"), ("show", "--timeline"), ("show", "--brief"), ("compare", "out1.rlcap")):
        tests.expect(tests.run(*arguments, output).returncode, 0, f"{arguments} of a trace")
    text = json.dumps(trace)
    forms = {
        "events backwards": json.dumps({**trace, "traceEvents": trace["traceEvents"][::-1]}).encode(),
        "keys backwards": json.dumps({"distributedInfo": trace["distributedInfo"], **dict(reversed(trace.items()))}).encode(),
        "compressed": gzip.compress(text.encode()),
        "in two members": gzip.compress(text[:700].encode()) + gzip.compress(text[700:].encode()),
        "with a mark": b"\xef\xbb\xbf\n" + text.encode(),
        "twice the same key": text.replace('"dur": 1.25', '"dur": 77, "dur": 1.25').replace('"cat": "kernel", "name": "void work', '"cat": "cpu_op", "cat": "kernel", "name": "void work').encode(),
        "numbers that are none": text.replace('"schemaVersion": 1', '"schemaVersion": NaN, "x": [Infinity, -Infinity, nan, -nan(ind), inf], "y": ' + "9" * 400)
                                     .replace('"backend": "nccl"', '"backend": NaN').encode(),
        "bytes that are no text": text.replace('"traceName": "x"', '"traceName": "\\q\x01').encode() [:-1] + b'\xff\xfe", "z": 1}',
        "nested within": text.replace('"device": 0, "stream": 7', '"deep": ' + "[" * 50 + "]" * 50 + ', "device": 0, "stream": 7').encode(),
        "a string that is long": text.replace('"traceName": "x"', '"traceName": "' + "x" * (3 << 20) + '"').encode(),
    }
    for name, content in forms.items():
        if name == "bytes that are no text":
            content = text.replace('"traceName": "x"', '"traceName": "\\q\x01@"').encode().replace(b"@", b"\xff\xfe")
        path.write_bytes(content)
        check_trace(tests, tests.imported(path)[0], name)
    path.write_text(json.dumps(trace["traceEvents"]))
    tests.rows(tests.imported(path, options=("--card", "H200"))[0], "SELECT sum(launches), sum(total_ns) FROM kernel", [(2, 3250)], "events alone")


def odd_traces(tests):
    path = tests.folder / "odd.json"
    events = [gpu_kernel("a", 100, 10, 1), gpu_kernel("a", 120, -1, 2), gpu_kernel("a", 1e30, 5, 3), gpu_kernel("a", 10**40, 5, 4), gpu_kernel("a", 150, 0, 5),
              gpu_kernel("a", 105.0004, 10.0006, 6, grid=[10**30, 2, 1], block=["x", None]), gpu_kernel("", 200, 1, 7), {"ph": "X", "cat": "kernel"}, 7, [[]], "x",
              {**gpu_kernel("b", 300, 1, 8), "args": {"device": 10**9}}, {**gpu_kernel("b", 310, 1, 9), "args": [1, 2, {"device": 5}], "pid": "GPU"}]
    path.write_text(json.dumps({"traceEvents": events}))
    capture, _ = tests.imported(path)
    tests.rows(capture, "SELECT name, grid_x, grid_y, block_x, launches, total_ns FROM kernel ORDER BY total_ns, name",
               [("b", 0, 0, 0, 1, 1000), ("kernel without a name", 8, 2, 128, 1, 1000), ("a", 8, 2, 128, 2, 10000), ("a", 0, 2, 0, 1, 10001)], "odd events")
    tests.rows(capture, "SELECT span_ns, busy_ns FROM process_gpu", [(211000, 17001)], "odd events")
    tests.logged(capture, "have no time that can be, were left out: 4", 1, "odd events")
    text = json.dumps(whole_trace())
    for name, content in {"plain": text[:text.index("gpu_memset")].encode(), "compressed": gzip.compress(text.encode(), 0)[:-900]}.items():
        path.write_bytes(content)
        capture, _ = tests.imported(path)
        tests.rows(capture, "SELECT sum(launches) FROM kernel", [(2,)], f"cut, {name}")
        tests.rows(capture, "SELECT complete FROM session", [(0,)], f"cut, {name}")
        tests.logged(capture, "end in the middle", 1, f"cut, {name}")
    ranks = []
    for rank in (0, 1):
        trace = whole_trace()
        trace["distributedInfo"]["rank"] = rank
        trace["traceEvents"][0]["dur"] = 1 + rank
        ranks.append(tests.folder / f"rank{rank}.json")
        ranks[-1].write_text(json.dumps(trace))
    capture, _ = tests.imported(*ranks)
    tests.rows(capture, "SELECT p.rank, span_ns, busy_ns, kernel_ns, gpu FROM process p JOIN process_gpu g ON g.process = p.id ORDER BY p.rank",
               [("0", 10000, 5500, 3000, 0), ("1", 10000, 6000, 4000, 1)], "two ranks, each with its GPU 0")
    tests.rows(capture, "SELECT count(*), sum(launches) FROM kernel", [(4, 4)], "two ranks")


def refused_traces(tests):
    path = tests.folder / "refused.json"
    for content, words in {
            '{"traceEvents": []}': "without kernels", "{}": "JSON without 'traceEvents'",
            '{"a": 1}': "JSON without 'traceEvents'", '{"traceEvents": [{"ph": "X", "cat": "kernel", "ts": 1}': "ends in the middle, before any kernel",
            '{"traceEvents": [{"ph": "X"} {"ph"': "damaged: no JSON at about byte", '{"a": ' + "[" * 100: "nested more than 64 deep",
            '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "x", "ts": 1, "dur": 1}]}': "a trace in Chrome's format without kernels",
            "[INFO] started\n": "neither a capture nor a known file"}.items():
        path.write_text(content)
        tests.refused("refused.json", words)
    damaged = bytearray(gzip.compress(json.dumps(whole_trace()).encode()))
    damaged[len(damaged) // 2:len(damaged) // 2 + 20] = b"\xff" * 20
    path.write_bytes(damaged)
    tests.refused("refused.json", "damaged")


def counted(tests, name, launches):
    """A table of Nsight Compute: launches of (kernel, grid, registers, shared memory static and dynamic, microseconds, bytes)."""
    columns = ("gpu__time_duration.sum", "us", 4), ("dram__bytes_read.sum", "byte", 5), ("dram__bytes.sum", "byte", 5), \
        ("smsp__inst_executed.sum", "inst", 5), ("launch__registers_per_thread", "register/thread", 1), \
        ("launch__shared_mem_per_block_static", "byte/block", 2), ("launch__shared_mem_per_block_dynamic", "byte/block", 3)
    lines = ['"ID","Process ID","Host Name","Kernel Name","Block Size","Grid Size","Device","CC","Metric Name","Metric Unit","Metric Value"']
    for number, (kernel_name, grid, *values) in enumerate(launches):
        for metric, unit, at in columns:
            lines.append(f'"{number}","5","127.0.0.1","{kernel_name}","(128, 1, 1)","{grid}","0","9.0","{metric}","{unit}","{values[at - 1]}"')
    path = tests.folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


def in_order(tests):
    """Launches of one class that did different work are those of the timeline by their order, where both have as many."""
    events = [{"ph": "X", "cat": "kernel", "name": "void work(float*)", "pid": 0, "tid": 7, "ts": 1000 + 10 * number, "dur": micros,
               "args": {"device": 0, "grid": [8, 2, 1], "block": [128, 1, 1], "registers per thread": 32, "shared memory": 2048}}
              for number, micros in enumerate((2, 9, 3, 8, 1))]
    query = ("SELECT k.launches, k.total_ns, p.number, p.total, (SELECT value FROM counter c JOIN counter_name n ON n.id = c.counter_name WHERE "
             "c.kernel = k.id AND n.name = 'dram__bytes_read.sum'), u.uncounted FROM kernel k JOIN kernel_use u ON u.kernel = k.id LEFT JOIN population p "
             "ON p.kernel = k.id ORDER BY k.launches DESC")
    few, many = [("work(float *)", "(8, 2, 1)", 32, 1024, 1024, 90, work) for work in (40, 4000)]
    trace = tests.folder / "order.json"
    trace.write_text(json.dumps({"traceEvents": events[::-1]}))
    table = counted(tests, "order.csv", [few, many, few, many, few])
    for files in ((trace, table), (table, trace)):
        capture, _ = tests.imported(*files)
        tests.rows(capture, query, [(3, 6000, 1, 2, 40, None), (2, 17000, 2, 2, 4000, None)], "by order")
        tests.rows(capture, "SELECT k.launches, l.launch, l.value FROM launch_counter l JOIN kernel k ON k.id = l.kernel JOIN counter_name n ON "
                   "n.id = l.counter_name WHERE n.name = 'dram__bytes_read.sum' ORDER BY l.launch",
                   [(3, 0, 40), (2, 1, 4000), (3, 2, 40), (2, 3, 4000), (3, 4, 40)], "counters of launches")
    capture, _ = tests.imported(trace, counted(tests, "fewer.csv", [few, many, few]))
    tests.rows(capture, query, [(5, 23000, None, None, None, "a timeline has no counters")], "another number of launches")
    tests.logged(capture, "their order does not distinguish them: 2 (work(float *))", 1, "another number of launches")
    other = tests.folder / "other.json"
    other.write_text(json.dumps({"traceEvents": events, "distributedInfo": {"rank": 1}}))
    capture, _ = tests.imported(trace, other, counted(tests, "twice.csv", [few, many, few, many, few] * 2))
    tests.rows(capture, query, [(10, 46000, None, None, None, "a timeline has no counters")], "several processes")


def every_launch(tests):
    """A timeline's launches are kept one by one, in the order of their starts."""
    events = [gpu_kernel("step", 1000 + 10 * i, 1 + i % 7, i) for i in range(3000)]
    (tests.folder / "many.json").write_text(json.dumps({"traceEvents": events[1::2] + events[0::2]}))
    capture, _ = tests.imported("many.json")
    tests.rows(capture, "SELECT duration_ns FROM duration ORDER BY id", [(1000 * (1 + i % 7),) for i in range(3000)], "launches")


def joined(tests):
    """Times of a timeline, counters of Nsight Compute; what does not go together is left out and said."""
    trace = tests.folder / "with.json"
    trace.write_text(json.dumps(whole_trace()))
    query = ("SELECT k.name, k.launches, k.total_ns, (SELECT value FROM counter c JOIN counter_name n ON n.id = c.counter_name WHERE c.kernel = k.id "
             "AND n.name = 'dram__bytes_read.sum'), u.uncounted FROM kernel k JOIN kernel_use u ON u.kernel = k.id ORDER BY k.name DESC")
    table = counted(tests, "counted.csv", [("work(float *)", "(8, 2, 1)", 32, 1024, 1024, 900, 40), ("absent()", "(8, 2, 1)", 32, 0, 0, 1, 7)])
    for files in ((trace, table), (table, trace)):
        capture, output = tests.imported(*files)
        tests.rows(capture, query, [("void work(float*)", 1, 1250, 40, None), ("other", 1, 2000, None, "a timeline has no counters")], "joined")
        tests.rows(capture, "SELECT source, counters FROM session",
                   [("kineto", "times of a timeline; counters imported from Nsight Compute (a row for each metric)")], "joined")
        tests.rows(capture, "SELECT name FROM gpu", [("NVIDIA X",)], "one card")
        tests.logged(capture, "the timeline has not in this configuration on this GPU were left out: 1 (absent())", 1, "joined")
        kernels = json.loads(tests.run("show", "--json", output).stdout)["kernels"]
        rates = [kernel["metrics"]["dram_bytes_per_second"] for kernel in kernels]
        tests.expect([round(rate) for rate in rates if rate is not None], [32000000],
                     "40 bytes in the 1.25 us of the timeline, not in the 900 us of the other table")
        for arguments in (("show", "--brief"), ("show", "--timeline")):
            tests.expect(tests.run(*arguments, output).returncode, 0, f"{arguments} of a joined capture")
    capture, _ = tests.imported(trace, counted(tests, "built.csv", [("work(float *)", "(8, 2, 1)", 33, 1024, 1024, 900, 40)]))
    tests.rows(capture, query, [("void work(float*)", 1, 1250, None, "a timeline has no counters"), ("other", 1, 2000, None, "a timeline has no counters")],
               "another build")
    tests.logged(capture, "they were built differently", 1, "another build")
    table = counted(tests, "kinds.csv", [("work(float *)", "(8, 2, 1)", 32, 1024, 1024, 900, 40), ("work(float *)", "(8, 2, 1)", 32, 1024, 1024, 900, 4000)])
    capture, _ = tests.imported(trace, table)
    tests.rows(capture, "SELECT count(*) FROM counter c JOIN counter_name n ON n.id = c.counter_name WHERE n.name = 'dram__bytes_read.sum'", [(0,)], "kinds")
    tests.logged(capture, "their order does not distinguish them: 2 (work(float *))", 1, "kinds")
    in_order(tests)
    (tests.folder / "figures.csv").write_text("Card,Experiment,Variant,Quantity,Value,Unit,Source\nX,copy,a,duration,1,us,here\n")
    done = tests.run("import", "-o", "none.rlcap", trace, "figures.csv")
    tests.expect((done.returncode, b"import them separately" in done.stderr), (1, True), "a timeline and figures")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tests = Tests(str(pathlib.Path(arguments.program).resolve()), folder)
        for test in (whole_export, old_and_odd_exports, refused_exports, whole_traces, odd_traces, refused_traces, every_launch, joined):
            test(tests)
        for fault in tests.faults:
            print(fault, file=sys.stderr)
        return 1 if tests.faults else 0


if __name__ == "__main__":
    sys.exit(main())

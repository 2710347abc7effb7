"""Writes a large file as Nsight Compute, nvprof or PyTorch's profiler would, to measure `rooflight import`: figures in docs/data/benchmarks-host.md.

    large_csv.py --megabytes 500 --form long|sorted|wide|trace|json [--kernels 200] FILE

long    a row for each metric of a launch (ncu --csv), 12 metrics
sorted  the same, sorted by metric
wide    a row for each launch (ncu --csv --page raw), 1500 metrics
trace   a row for each launch (nvprof --print-gpu-trace --csv)
json    a launch, its call and its operator (PyTorch's profiler)
"""
import argparse
import json

NAME = "void library::kernel_{}<float, 128, 4, library::Functor<float, float>>(int, float const*, float*)"


def quoted(*cells):
    return ",".join(f'"{cell}"' for cell in cells) + "\n"


def grouped(number):
    return f"{number:,}"


def launch_cells(launch, kernels):
    kernel = launch % kernels
    return (launch, 4242, "program", "127.0.0.1", NAME.format(kernel), 1, 7, "(256, 1, 1)", f"({1024 + kernel}, 1, 1)", 0, "9.0")


def long_rows(metrics, launch, kernels):
    cells = launch_cells(launch, kernels)
    return "".join(quoted(*cells, "Command line profiler metrics", name, unit,
                          (launch * 7919 + i) % 90 + 0.25 if unit == "%" else grouped(1000 + (launch * 7919 + i) % 90 * 1001))
                   for i, (name, unit) in metrics)


def long_form(kernels, size, by_metric=False):
    yield quoted("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device",
                 "CC", "Section Name", "Metric Name", "Metric Unit", "Metric Value")
    metrics = [("gpu__time_duration.sum", "ns"), ("dram__bytes_read.sum", "byte"), ("dram__bytes_write.sum", "byte"),
               ("sm__warps_active.avg.pct_of_peak_sustained_active", "%")] + [(f"unit__metric_{i}.sum", "") for i in range(8)]
    metrics = list(enumerate(metrics))
    if by_metric:
        launches = size // len(long_rows(metrics, 12345, kernels))
        yield from (long_rows([metric], launch, kernels) for metric in metrics for launch in range(launches))
        return
    launch = 0
    while True:
        yield long_rows(metrics, launch, kernels)
        launch += 1


def sorted_form(kernels, size):
    return long_form(kernels, size, True)


def wide_form(kernels, _):
    names = ["gpu__time_duration.sum"] + [f"unit__metric_{i}.sum" for i in range(1499)]
    yield quoted("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device",
                 "CC", *names)
    yield quoted(*[""] * 11, "ns", *[("byte", "", "%")[i % 3] for i in range(1499)])
    values = [quoted(*[grouped((i * 7919 + shift) % 10_000_000) for i in range(1500)]) for shift in range(10)]
    launch = 0
    while True:
        yield quoted(*launch_cells(launch, kernels))[:-1] + "," + values[launch % 10]
        launch += 1


def trace_form(kernels, _):
    yield "==4242== NVPROF is profiling process 4242, command: ./program\n==4242== Profiling result:\n"
    yield quoted("Start", "Duration", "Grid X", "Grid Y", "Grid Z", "Block X", "Block Y", "Block Z", "Registers Per Thread", "Static SMem",
                 "Dynamic SMem", "Size", "Throughput", "SrcMemType", "DstMemType", "Device", "Context", "Stream", "Name", "Correlation_ID")
    yield "s,us,,,,,,,,KB,B,MB,GB/s,,,,,,,\n"
    launch = 0
    while True:
        kernel = launch % kernels
        yield (f"{launch / 1e5:.6f},{10 + launch % 977 / 100:.6f},{1024 + kernel},1,1,256,1,1,32,4.000000,0,,,,,"
               f'"Tesla V100-SXM2-16GB (0)","1","7","{NAME.format(kernel)}",{launch}\n')
        launch += 1


def json_form(kernels, size):
    def event(category, name, start, duration, process, **arguments):
        return json.dumps({"ph": "X", "cat": category, "name": name, "pid": process, "tid": 7, "ts": start, "dur": duration, "args": arguments})

    yield '{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "computeMajor": 9, "computeMinor": 0}], "traceEvents": [\n'
    launch = written = 0
    while written < size:
        kernel, start = launch % kernels, launch * 20.0
        text = ",\n".join((
            event("cpu_op", f"aten::op_{kernel}", start, 15.0, 4000, **{"External id": launch, "Record function id": 0, "Ev Idx": launch}),
            event("cuda_runtime", "cudaLaunchKernel", start + 2, 3.0, 4000, **{"External id": launch, "cbid": 211, "correlation": launch}),
            event("kernel", NAME.format(kernel), start + 10, 8.125, 0, device=0, context=1, stream=7, correlation=launch, grid=[1024 + kernel, 1, 1],
                  block=[256, 1, 1], **{"registers per thread": 32, "shared memory": 0}), ""))
        written += len(text)
        launch += 1
        yield text
    yield "{}]}\n"


FORMS = {"long": long_form, "sorted": sorted_form, "wide": wide_form, "trace": trace_form, "json": json_form}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=500, help="10^6 bytes, at least")
    parser.add_argument("--form", choices=FORMS, default="long")
    parser.add_argument("--kernels", type=int, default=200, help="kernel classes")
    parser.add_argument("file")
    arguments = parser.parse_args()
    written = 0
    with open(arguments.file, "w", encoding="utf-8") as out:
        for text in FORMS[arguments.form](arguments.kernels, arguments.megabytes * 1_000_000):
            written += out.write(text)
            if written >= arguments.megabytes * 1_000_000 and arguments.form != "json":
                break


if __name__ == "__main__":
    main()

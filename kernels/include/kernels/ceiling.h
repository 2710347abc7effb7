/* ceiling.h - micro-benchmarks that measure the roofs of a GPU: memory, caches, pipes, the link to the host.
 *
 * A row of ceilings.def is a benchmark: the work of a launch, and the configurations that are swept; the fastest gives the roof.
 * Rows, sizes and work are plain C and available without CUDA; the kernels are in ceiling_FAMILY.cu.
 *
 *     rl_bench_resolve -> rl_bench_check -> rl_bench_launch, any number of times, timed by the caller
 *
 * Data is random and never zero: with zeros the GPU would draw less power and clock higher than with real work. A check runs the
 * timed machine code and compares a sum over all results with the same sum computed on the CPU, so no load and no operation can
 * have been left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/setting.h"
#include "core/units.h"
#include "core/value.h"
#include "kernels/built.h"

struct rl_suite_check;
struct rl_bench_ops;
struct rl_bench_library;

enum {
    RL_BENCH_MAX_CONFIGURATIONS = 32, /* of one benchmark */
    RL_BENCH_SLOTS = 1024,            /* results of this many launches */
    RL_BENCH_MAX_SETTINGS = 8,        /* of a configuration */
    RL_BENCH_TEXTURE_BYTES = 1 << 16, /* of buffer a, from its start, in the texture */
    RL_BENCH_LINE = 128,              /* bytes of a line of L2 */
};

/* The kernels that benchmarks share: one file each. */
enum rl_bench_family {
#define FAMILY(id, ...) RL_BENCH_##id,
#include "kernels/bench_families.def"
    RL_BENCH_FAMILY_COUNT
};

/* One point of a sweep. Zero means "does not matter" unless a member says otherwise. */
struct rl_bench_configuration {
    enum rl_bench_family family;
    const char *kernel; /* row of the family's table of kernels */
    int min_cc, max_cc; /* compute capability x 10; 0: any */
    int min_toolkit;    /* CUDA toolkit x 10 that has its instructions; 0: any */
    double caches;      /* data: this many times the L2 cache, */
    uint64_t bytes;     /* or this many bytes */
    int threads;        /* per block */
    int unroll;         /* independent loads or chains of a thread */
    int blocks;         /* per SM; 0: as many as the data needs */
    int m, n, k, group; /* matrix product that `group` threads make in one round */
    int step;           /* rounds are a multiple of this; 0: 1 */
    bool quick;         /* part of the short sweep */
    bool reference;     /* a library's code: measured in full even when it is not the fastest */
};

struct rl_bench {
    const char *id;    /* "dram_read" */
    const char *label; /* "DRAM read" */
    enum rl_unit unit; /* of the rate */
    const char *work;  /* of a launch: formula (core/formula.h) over the names of struct rl_bench_case */
    bool sustained;    /* measured again after sustained load */
    const struct rl_bench_configuration *configurations; /* ends with a NULL kernel */
};

extern const struct rl_bench rl_benches[];
extern const size_t rl_bench_count;
/* NULL when there is none. */
const struct rl_bench *rl_bench_find(const char *id);

/* Properties of the GPU that a benchmark needs. */
struct rl_bench_card {
    int cc;                /* compute capability x 10 */
    struct rl_built built; /* code of the program; all zero: no restriction */
    int sm_count;
    uint64_t l2_bytes;
    uint64_t buffer_bytes; /* of each data buffer */
    uint64_t host_bytes;   /* of the pinned buffer */
};
/* Size of each of the three data buffers, in bytes: a power of two, 64 times the L2 cache rounded up if that fits into a quarter of
 * the free memory, at least 256 MiB (or the free memory) and at most 4 GiB. */
uint64_t rl_bench_buffer_bytes(uint64_t l2_bytes, uint64_t free_bytes);

/* A configuration on a GPU. Names in `work`: s, g, t, u, r, m, n, k and p (the group). */
struct rl_bench_case {
    const struct rl_bench *bench;
    const struct rl_bench_configuration *configuration;
    uint64_t bytes;       /* s: data; of resident blocks: in equal parts, one for each */
    unsigned grid, block; /* g, t */
    uint64_t rounds;      /* r: number of times that a block repeats its work; a multiple of `step` */
    uint64_t step;        /* smallest number of rounds */
};
/* Fills `c` with the smallest number of rounds. RL_UNSUPPORTED with the requirement if the GPU or the program cannot run it. */
enum rl_status rl_bench_resolve(const struct rl_bench *bench, const struct rl_bench_configuration *configuration,
                                const struct rl_bench_card *card, struct rl_bench_case *c, struct rl_err *err);
/* Whether rounds change the amount of work. */
bool rl_bench_has_rounds(const struct rl_bench_case *c);
/* Sets the number of rounds that takes `target_ns`, if the present number took `duration_ns`. */
void rl_bench_set_duration(struct rl_bench_case *c, double duration_ns, double target_ns);
/* Reduces it to the size of a check: at most 8 MiB of data and two steps of rounds. */
void rl_bench_make_small(struct rl_bench_case *c);
/* Bytes or operations of one launch. */
double rl_bench_work(const struct rl_bench_case *c);
/* Settings that distinguish it from other configurations, in printing order; returns how many. The texts are static. */
size_t rl_bench_settings(const struct rl_bench_case *c, struct rl_setting settings[RL_BENCH_MAX_SETTINGS]);
/* The same in words: "read, 4.00 GiB, 512 threads, 4 x 16 B per thread". Appends. */
void rl_bench_text(const struct rl_bench_case *c, struct rl_buf *out);

/* ---- on a device (CUDA builds only) ---- */

/* Memory of all benchmarks on one GPU. */
struct rl_bench_space {
    struct rl_bench_card card;
    void *stream; /* cudaStream_t, the caller's */
    uint64_t seed;
    void *a, *b, *c;                  /* device: buffer_bytes each. a and b: random floats between 0 and 1; c: results */
    void *host;                       /* pinned, host_bytes; NULL until a benchmark of the link needs it */
    void *operands;                   /* device: matrices, see ceiling.cuh */
    void *results;                    /* device: struct rl_bench_result per slot */
    unsigned long long texture;       /* cudaTextureObject_t: the first words of a; 0 until used */
    struct rl_bench_library *library; /* cuBLAS and its matrices, once used */
};
/* Result of a launch in its slot; slots add up until they are cleared. */
struct rl_bench_result {
    uint64_t sum;        /* of a check */
    uint64_t cycles, ns; /* that the first block took, by the SM's own counter and by the GPU's clock; 0: unknown */
};

/* Allocates and fills the data; RL_UNSUPPORTED when the GPU has too little free memory. The device is the current one; `card` has
 * cc, sm_count and l2_bytes. On failure nothing stays allocated. */
enum rl_status rl_bench_open(struct rl_bench_space *space, const struct rl_bench_card *card, void *stream, uint64_t host_bytes,
                             struct rl_err *err);
/* Frees the memory of rl_bench_open; a zeroed space is allowed. */
void rl_bench_close(struct rl_bench_space *space);
/* Enqueues one launch that adds to slot `slot` (below RL_BENCH_SLOTS); does not wait. */
enum rl_status rl_bench_launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, struct rl_err *err);
/* Runs it once on little data and a few rounds and compares with the CPU. RL_OK also if the result is wrong: `check` has the
 * verdict. */
enum rl_status rl_bench_check(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,
                              struct rl_err *err);
/* Sets all slots to zero. */
enum rl_status rl_bench_clear(struct rl_bench_space *space, struct rl_err *err);
/* SM clock in Hz during the launches of slots [first, first + count) since they were cleared, one figure per slot; 0: the kernel
 * does not measure it. Waits for the device. */
enum rl_status rl_bench_clocks(struct rl_bench_space *space, size_t first, size_t count, double *hz, struct rl_err *err);
/* One launch timed by CUDA events: the fallback where the Activity API is not available. */
enum rl_status rl_bench_time_events(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, uint64_t *duration_ns,
                                    struct rl_err *err);

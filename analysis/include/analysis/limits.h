/* limits.h - the limiter of a launch, from the time at every resource.
 *
 * Time at a resource = work / roof; its share = that time / the median time of the launches that were timed without counters. Roofs
 * are measured if possible, otherwise theoretical; roofs that depend on the SM clock are at the clock of the pass that counted the
 * launch. The limiter is the resource with the largest share, if that is 60 % or more (as in Nsight Compute's rule SOLBottleneck);
 * others of 60 % or more whose intervals overlap its own are named with it. Otherwise, in this order: launch overhead, if the
 * launch is shorter than it; start and drain, if a longer launch of the same kernel shows that most of the time does not grow with
 * the work; parallelism, if the grid, registers or shared memory leave too little concurrent work; latency, if stall counters show
 * that warps wait; or unknown, with the missing evidence. Latency is never concluded from the absence of other limiters. If warps
 * wait for memory, the bytes in flight and those needed at the roof are given.
 *
 * If stalls were not counted, PC samples replace them (analysis/pc.h): warps wait for a reason if the lower end of its interval is
 * at the same 30 % of all samples, including warps that issue or could. An interval across 30 % leaves the limiter unknown. Samples
 * rule out no resource, so without counters it stays unknown. They are of all classes of a name.
 *
 * Without counters, work is estimated from PM samples (analysis/sampled.h), and the time is the mean, as for the samples. A
 * resource limits if its whole interval is at 60 % or more. One whose interval contains 60 % may limit: it is named with a limiter
 * whose interval overlaps its own, and without one the limiter is unknown. So is a resource with too wide an interval. A resource
 * that was not sampled can be excluded by a bound: FLOP by the instructions of the pipe, a pipe by its cycles, and resources of
 * each SM by a grid with at most as many blocks as half of the SMs.
 *
 * A launch of which an empty kernel would take most of the time is limited by launch overhead, whatever else it does; this needs no
 * counters.
 *
 * The result does not depend on the order of the rows of limits.def.
 */
#pragma once

#include "core/core.h"
#include "core/stalls.h"

/* From this share of a roof on a launch counts as limited by it. */
#define RL_BOUND_SHARE 0.6

/* Classes of what limits a launch. */
enum rl_bound {
    RL_BOUND_UNKNOWN,
    RL_BOUND_MEMORY,      /* a level of memory, or atomics */
    RL_BOUND_COMPUTE,     /* issue, or a pipe */
    RL_BOUND_LATENCY,     /* warps wait, by stall reasons */
    RL_BOUND_DISPATCH,    /* starting blocks */
    RL_BOUND_PARALLELISM, /* too little concurrent work for the GPU */
    RL_BOUND_LAUNCH,      /* shorter than launch overhead */
    RL_BOUND_FIXED,       /* start and drain: most of the time does not grow with the work */
    RL_BOUND_HOST,        /* links to the host */
    RL_BOUND_COUNT
};

enum rl_resource {
#define RESOURCE(id, ...) RL_RESOURCE_##id,
#define DEMAND(id, ...)
#include "analysis/limits.def"
#undef DEMAND
#undef RESOURCE
    RL_RESOURCE_COUNT
};
/* Kinds of limiters: each has one colour, one mark and one short name in all media. */
enum rl_limiter_kind {
    RL_KIND_UNKNOWN,
    RL_KIND_DRAM,
    RL_KIND_L2,
    RL_KIND_L1,      /* L1 and shared memory */
    RL_KIND_COMPUTE, /* issue slots, pipes, tensor cores */
    RL_KIND_LATENCY,
    RL_KIND_FILL, /* parallelism, block launch rate, launch overhead */
    RL_KIND_LINK, /* PCIe, NVLink, NVLink-C2C */
    RL_KIND_COUNT
};

struct rl_resource_info {
    const char *id, *label;
    const char *group; /* name of a group of resources if none of them was counted; NULL: the label */
    enum rl_limiter_kind kind;
    enum rl_bound bound;
    bool wanted, in_sm;
    const char *unit; /* that several resources measure; NULL: this one alone does */
};
extern const struct rl_resource_info rl_resources[RL_RESOURCE_COUNT];

/* A limiter as one number: a resource, or, after all resources, a bound without one. */
enum { RL_LIMITER_UNKNOWN = RL_RESOURCE_COUNT + RL_BOUND_UNKNOWN, RL_LIMITER_COUNT = RL_RESOURCE_COUNT + RL_BOUND_COUNT };
/* The number of a launch's limiter; `limiter` RL_RESOURCE_COUNT: no resource limits it. */
size_t rl_limiter_of(enum rl_resource limiter, enum rl_bound bound);
/* "dram", "latency", "launch_overhead", "unknown": id in data, never changes. */
const char *rl_limiter_id(size_t limiter);
/* "DRAM bandwidth", "latency", "launch overhead": label after "limited by". */
const char *rl_limiter_label(size_t limiter);
/* Its kind. */
enum rl_limiter_kind rl_limiter_kind_of(size_t limiter);

/* Numbers of the rows DEMAND, in their order. */
enum {
    RL_DEMAND_COUNT = 0
#define RESOURCE(id, ...)
#define DEMAND(id, ...) +1
#include "analysis/limits.def"
#undef DEMAND
#undef RESOURCE
};
struct rl_demand_info {
    enum rl_resource resource;
    const char *work, *instead, *rate; /* NULL: matrices; nothing; no rate */
    int roof;                          /* enum rl_ceiling_id; RL_CEILING_COUNT: none */
    int like;                          /* the same, where `roof` is none or unknown */
    bool mixed, sized, matrices;
};
extern const struct rl_demand_info rl_demands[RL_DEMAND_COUNT];

/* One resource and one launch. Where the time is missing its reason says whether the work was not counted, does not exist on the
 * chip, or has no roof. */
struct rl_limit {
    struct rl_value time_s; /* at the roof */
    struct rl_value share;  /* of the median time */
    double low, high;       /* its 95 % CI from those of the time and of the roof, and of the work where that is an
                               estimate; only of a share that is present. Numbers and not values: every kernel class has
                               one of these for each resource, and why there is none the share says. */
    bool measured;          /* all roofs used were measured */
    bool no_roof;           /* there is work, and no roof for it */
    bool unjudged;          /* the time is missing because its counters violate an invariant, or may include other work */
    bool too_little;        /* the time is missing, but known to be too short to limit, from a bound on the work */
};

/* Cause of too little parallelism. */
enum rl_idle {
    RL_IDLE_SMS,       /* SMs without work */
    RL_IDLE_TAIL,      /* the last wave */
    RL_IDLE_GRID,      /* the grid has fewer blocks than would fit at once */
    RL_IDLE_RESOURCES, /* registers, shared memory or block slots leave room for few warps */
    RL_IDLE_RESIDENT,  /* fewer warps were resident than would fit */
};

/* From this share of its roof on, no further reason for the time is given. */
#define RL_NEAR_ROOF 0.9
/* Why a launch that a resource limits is under RL_NEAR_ROOF of it, by its counters. */
enum rl_shortfall {
    RL_SHORTFALL_NONE,   /* it is not, or may not be by the interval of an estimate, or no resource limits */
    RL_SHORTFALL_SECOND, /* a resource of another kind is also at RL_BOUND_SHARE or more */
    RL_SHORTFALL_TAIL,   /* a last wave: it reaches RL_NEAR_ROOF in the time of its full waves */
    RL_SHORTFALL_SMS,    /* idle SMs: it reaches RL_NEAR_ROOF in the time for which SMs have work */
    RL_SHORTFALL_STALL,  /* warps wait for one reason for RL_TELLING_STALL of their time */
    RL_SHORTFALL_UNKNOWN,
};

/* Levels of memory whose latency chains of loads measure (kernels/latency.cu). */
enum rl_chain_level { RL_CHAIN_L1, RL_CHAIN_L2, RL_CHAIN_DRAM, RL_CHAIN_COUNT };
extern const char *const rl_chain_level_names[RL_CHAIN_COUNT];

/* Counters of the link to the host include what others move meanwhile, so that up to this much says nothing about a launch: bytes,
 * and bytes a second. Launches that access no host memory have from 0.02 to 1.0 MB there, long ones up to 3.1 MB or 0.3 GB/s
 * (samples/h100.rlcap, samples/h200.rlcap; lts__t_sectors_aperture_sysmem). */
#define RL_HOST_BACKGROUND_BYTES 2000000
#define RL_HOST_BACKGROUND_RATE  1000000000

/* L1 looks up what it asks L2 for; bulk copies (TMA) pass it by. Launches that ask L2 for as many times as much have them. */
#define RL_BULK_FROM 1.05

/* Little's law: requests in flight = rate x latency. Loads queue if their latency is RL_QUEUED times that of a single load. */
#define RL_QUEUED 2
struct rl_in_flight {
    enum rl_chain_level level;     /* of which the launch used the largest share; without one the rest is missing */
    struct rl_value latency_s;     /* missing: unknown for this GPU, with the remedy */
    const char *from;              /* the capture of another GPU of the model that has unloaded_s; NULL: this one */
    struct rl_value bytes, needed; /* in flight, and at the level's roof; missing with the reason */
    struct rl_value wait_s;        /* latency of a load during the launch, by its stalls */
    struct rl_value unloaded_s;    /* latency of the slowest level that at least a tenth of its loads reach */
    bool queued;                   /* wait_s is at least RL_QUEUED times that: more loads would only wait longer */
};

/* Time of a launch that does not grow with its work, from a longer one of the same code and block: start and drain.
 *
 * The time is taken to be a + the sum of b x work over the resources, all of them at least 0. With two launches of times t and T
 * whose works differ by factors from r to R, `a` is then from (r t - T) / (r - 1) to (R t - T) / (R - 1). Works are of resources
 * that one of the two uses to a tenth or more, and instructions; a grid of another size is as much work as it has waves, rounded
 * up. So more parallelism, a resource that the longer launch needs no more of, another access pattern (R is at most 2 r) and a
 * lower clock (r is at least 2) are not taken for it. */
struct rl_fixed {
    double low, high;   /* share of the time, from the 95 % CI of both times */
    double least, most; /* work of the longer launch, as a multiple: r, R */
    size_t longer;      /* that launch */
};

/* The stall reason with the most samples of its warps, and their share of all samples (analysis/pc.h). */
struct rl_sampled_stall {
    enum rl_stall_reason reason; /* RL_STALL_COUNT: no warp was stalled */
    double share, low, high;     /* with its 95 % CI */
    uint64_t samples;            /* of the kernel; 0: it was not sampled, and the other members are meaningless */
    size_t classes;              /* number of classes of its name on its GPU, which share the samples */
    size_t line;                 /* source line with the most samples; RL_NONE: unknown */
    double line_share, line_low, line_high;
};
/* Share of the warps' time from which on a stall reason is evidence of latency (Nsight Compute, rule CPIStall: 30 %). */
#define RL_TELLING_STALL 0.3
/* Whether the reason is evidence of latency, by the lower end of the interval. */
bool rl_sampled_stall_tells(const struct rl_sampled_stall *stall);
/* Whether that could be decided; otherwise there are no samples, or too few. */
bool rl_sampled_stall_known(const struct rl_sampled_stall *stall);

struct rl_limiting {
    struct rl_limit of[RL_RESOURCE_COUNT];
    enum rl_bound bound;
    enum rl_resource limiter;       /* RL_RESOURCE_COUNT: no resource is */
    enum rl_resource first, second; /* those with the largest shares; RL_RESOURCE_COUNT: fewer are known */
    uint64_t tied;          /* 1 << enum rl_resource: others from RL_BOUND_SHARE on (the interval of an estimate must reach it), of
                               other units, whose intervals overlap that of the limiter: each of them may have the largest share */
    const char *limited_by; /* the limiter and those, "DRAM bandwidth and L2 bandwidth (read)"; in the arena of the analysis */
    const struct rl_fixed *fixed; /* more than half of the time; in the arena of the analysis; NULL: it may be less */
    enum rl_idle idle;            /* of RL_BOUND_PARALLELISM */
    double used;                  /* used share of that parallelism: 0.01 with one SM of 100; otherwise 1 */
    double launch_s;              /* time of the launch used here: the median, or that on the timeline of a run; 0: not needed */
    double start_s;               /* of RL_BOUND_LAUNCH: the shortest time of a kernel; 0: it was not measured */
    enum rl_shortfall shortfall;  /* of a resource that limits */
    enum rl_resource also;        /* of RL_SHORTFALL_SECOND; RL_RESOURCE_COUNT otherwise */
    int stall;                    /* of RL_BOUND_LATENCY, enum rl_metric: the largest reason that was counted; -1 otherwise */
    struct rl_sampled_stall sampled_stall; /* for any limiter, also if stalls were counted */
    bool stall_is_sampled;                 /* of RL_BOUND_LATENCY: it follows from sampled_stall */
    struct rl_in_flight in_flight;
    bool types_matter;   /* unknown, because matrix operations were not counted by type */
    bool sampled;        /* work is estimated from samples of the whole GPU, and none was counted */
    const char *why;     /* one sentence, in the arena of the analysis */
    const char *lacking; /* why the resources in `why` are missing; NULL: nothing to add */
    bool countless;      /* unknown because the class has no counters */
    bool uncounted;      /* unknown because it has no or not all counters; `lacking` has the reason of its use (capture/program.h)
                          * */
    uint64_t wanted;     /* 1 << enum rl_resource: resources that would decide an unknown limiter */
    bool wants_stalls;   /* stall reasons would also decide it */
};

struct rl_buf;
/* Appends the evidence for a limiter, with the reason for missing values. */
void rl_limiting_say(const struct rl_limiting *limits, struct rl_buf *out);

/* Theoretical occupancy of a launch, and its limiters.
 *
 * Calculated from the rows of sm_limits.def (Kepler to Blackwell), so that it works without CUDA and for any GPU. The allocation
 * rules are those of the CUDA C++ Programming Guide ("Compute Capabilities") and the occupancy calculator; tests compare it with
 * the toolkit's cuda_occupancy.h on every compute capability. It assumes the largest shared-memory carve-out, one barrier a block,
 * no thread-block clusters.
 *
 * How a block is allocated: registers by the warp, `registers_per_thread` x 32 rounded up to `register_unit`; the warps are dealt
 * out to `warp_allocation_unit` partitions that have their registers each; shared memory by the block, static + dynamic + reserved,
 * rounded up to `shared_unit`. */

/* Limits of a compute capability (a row of sm_limits.def). */
struct rl_sm_limits {
    int cc; /* major x 10 + minor */
    int warp_size, max_warps, max_blocks, max_threads_per_block;
    int registers, registers_per_block, max_registers_per_thread, register_unit;
    int warp_allocation_unit; /* partitions of the SM */
    int launch_check_unit;    /* partitions that the check of a block's registers assumes */
    int64_t shared_bytes, shared_bytes_per_block, shared_unit, shared_reserved;
};

enum { /* bits of rl_occupancy.limiters */
       RL_LIMIT_WARPS = 1,
       RL_LIMIT_BLOCKS = 2,
       RL_LIMIT_REGISTERS = 4,
       RL_LIMIT_SHARED = 8,
};

struct rl_occupancy {
    struct rl_value fraction;        /* active warps over the most warps; missing with the reason: unknown GPU, registers unknown,
                                        "does not fit: ..." */
    bool too_large;                  /* fraction is missing because the block is beyond a limit: it cannot run */
    int blocks_per_sm, warps_per_sm; /* 0 when missing */
    unsigned limiters;               /* every resource that allows no further block; 0 when missing */
    int blocks_by_warps, blocks_by_slots, blocks_by_registers,
        blocks_by_shared; /* what each alone would allow; INT32_MAX: no limit */
};

struct rl_block_shape {
    int threads;              /* per block, at least 1 */
    int registers_per_thread; /* 0: none */
    int64_t static_shared_bytes, dynamic_shared_bytes;
};

/* Every row of sm_limits.def, ascending by compute capability. */
extern const struct rl_sm_limits rl_sm_limits[];
extern const size_t rl_sm_limits_count;

/* Limits for a compute capability (major x 10 + minor); NULL when sm_limits.def has no row for it (never a neighbour's). */
const struct rl_sm_limits *rl_sm_limits_of(int cc);
/* Occupancy of a block shape under `limits`. `limits` may be NULL: missing ("compute capability unknown"). The reasons are static.
 */
struct rl_occupancy rl_occupancy_of(const struct rl_sm_limits *limits, const struct rl_block_shape *shape);
/* "registers", "registers and shared memory": appends the limiters in words; nothing at full occupancy and when missing. */
void rl_occupancy_limiter_text(const struct rl_occupancy *occupancy, struct rl_buf *out);

/* program_builder.h - how a capture of an observed program is made of its streams: what the files program_*.c share. Private to the
 * collector.
 *
 *     program_capture.c    session, GPUs, instances of ranges with parameters, all together
 *     program_processes.c  processes, copies, NVTX ranges, what is known of how they ended
 *     program_classes.c    kernel classes of several processes put together, with their times
 *     program_clocks.c     what the clock added to those times
 *     populations.c        kinds of launches of a class
 *     program_populations.c  classes whose launches do different work taken apart
 *     program_sampling.c   samples of the whole GPU attributed to the classes
 *     program_pc.c         samples of instructions, and the lines that they are of
 *     program_timeline.c   what the GPUs did over time
 *     program_moments.c    samples of the whole GPU by moment
 *     program_counters.c   counters, and why there are none
 */
#pragma once

#include "pm_sampler.h"
#include "populations.h"
#include "program_capture.h"

/* A class of the capture and where it was seen. */
struct merged {
    const char *name;
    struct rl_record_class shape; /* gpu is the capture's */
    struct part {
        const struct rl_stream *stream;
        const struct rl_stream_class *class;
        const uint8_t *population; /* of each counted launch of the class: 0 unknown; NULL: the class is one */
    } * parts;
    size_t part_count, part_cap;
    uint64_t seen, timed, graph, total_ns, min_ns, max_ns;
    uint64_t traced, traced_ns, cost_ns; /* struct rl_record_totals */
    double squares;
    uint32_t population, populations; /* index, by time, and number of the populations of its class; 0: it is not divided */
    uint64_t from_ns, below_ns;       /* times of its launches */
    uint64_t class_timed;             /* launches of the whole class */
    size_t kin_counted;               /* shapes of the same kernel that have counters */
    bool kinds_counted;               /* launches of a population of its class were counted */
};

/* Why a class has no counters, or not all of them. */
enum why {
    WHY_NOT,
    WHY_NOT_ASKED,
    WHY_COLLECTIVE,
    WHY_REST,
    WHY_NO_COUNTERS,
    WHY_GRAPH,
    WHY_POPULATION,
    WHY_LEAST,
    WHY_FAMILY,
    WHY_WAITS,
    WHY_PC_SAMPLED,
    WHY_SHORT_RUN,
    WHY_UNREADY,
    WHY_NOT_IDLE,
    WHY_BUDGET,
    WHY_INSTRUMENTED,
    WHY_TOO_SELDOM,
    RL_WHY_COUNT,
};

struct builder {
    const struct rl_program_facts *facts;
    struct rl_capture *capture;
    struct rl_stream *const *streams;
    size_t stream_count;
    struct merged *classes;
    size_t class_count, class_cap;
    uint32_t *slots; /* class + 1 by place_of, while classes are merged; a power of two of them */
    size_t slot_count;
    size_t (*gpus)[RL_STREAM_MOST_GPUS]; /* of each stream: index in the capture; RL_NONE */
    bool *conditional;                   /* for each pass of the capture: only some classes need it */
    bool clocks_known;                   /* offset of the samples' clock from that of launches */
    bool lacks;                          /* reports of processes are incomplete */
    bool any_counters;                   /* some class has some */
    enum rl_status counters;             /* why there are none, as a process reported */
    const char *counters_text;
    struct reason { /* the last reason why a class has no counters, because most have the same */
        uint64_t launches;
        bool brief;
        char *text;
    } reasons[RL_WHY_COUNT];
    struct { /* texts of the kernel that was added last */
        char *mangled, *name;
    } last;
    char *timing; /* how times were taken; NULL: none yet */
};

/* ---- program_processes.c ---- */

/* Adds every process of the timed run, with its copies, ranges and reported problems. */
void rl_builder_add_processes(struct builder *b);
/* The same of troubles alone. */
void rl_builder_add_troubles(struct builder *b, const struct rl_stream *stream);
/* Adds the note that other processes may have used CUDA; last. */
void rl_builder_add_unseen(struct builder *b);
/* Says in the log why there is no kernel in the capture. */
void rl_builder_explain_nothing(struct builder *b);

/* ---- program_classes.c ---- */

/* Merges the classes of all streams, those with the most time first. */
void rl_builder_merge_classes(struct builder *b);
/* Those with the most time first. */
void rl_builder_sort_classes(struct builder *b);
/* Time of all launches, those without a time estimated by the others. 0 for collective kernels, which have no counters and must
 * not count in shares. */
double rl_merged_countable_ns(const struct merged *merged);
/* A kernel of the capture, with its times and resources. */
struct rl_kernel *rl_builder_add_kernel(struct builder *b, const struct merged *merged);

/* ---- program_clocks.c ---- */

/* The value of a counter of a counted launch; NAN: its pass does not have it. */
double rl_counted_value(const struct rl_stream_pass *pass, const double *values, const char *name);
/* Subtracts the overhead of instrumentation from the kernel's times, and records the overhead of every clock. A kernel without a
 * timed launch gets the time of its counted launches by their counters. Called after its times are set, with its class. */
void rl_builder_correct_times(struct builder *b, struct rl_kernel *kernel, struct rl_kernel_use *use, const struct merged *merged);

/* Whether it represents the classes beyond a process's limit. */
static inline bool rl_merged_is_rest(const struct merged *merged)
{
    return strcmp(merged->name, RL_STREAM_REST) == 0;
}

/* Whether counters of the i-th counted launch of the p-th part belong to it. */
static inline bool rl_merged_has(const struct merged *merged, size_t p, size_t i)
{
    const uint8_t *population = merged->parts[p].population;
    return !population || population[i] == merged->population;
}

/* ---- program_populations.c ---- */

/* Divides merged classes whose launches do different work, and sorts them again. */
void rl_builder_split(struct builder *b);

/* ---- program_sampling.c ---- */

/* Samples of a GPU, by kernel; after the kernels, and at the end only. */
void rl_builder_add_sampling(struct builder *b);
/* As captures call it. */
enum rl_sampled_counter rl_builder_sampled(enum rl_pm_counter counter);

/* ---- program_pc.c ---- */

/* Adds stall samples by instruction, if there are any. */
void rl_builder_add_pc(struct builder *b);

/* ---- program_timeline.c ---- */

/* Activity of the GPUs over time; after the kernels. */
void rl_builder_add_timelines(struct builder *b);

/* ---- program_moments.c ---- */

/* Samples of the GPU in each bin of the capture's last timeline, whose first one begins at `start_ns` by the clock
 * of launches; after rl_builder_add_sampling. Nothing where the GPU was not sampled, or where the clocks are unknown. */
void rl_builder_add_moments(struct builder *b, uint64_t start_ns);

/* ---- program_counters.c ---- */

/* Whether the plan of the chip has the counter as a witness: one that depends on the work alone. */
bool rl_builder_is_witness(const struct builder *b, size_t gpu, const char *name);

/* Whether counters were requested, with a budget above 0. */
bool rl_builder_asks(const struct builder *b);

/* Adds the passes first, because a class lacks what its GPU has. */
void rl_builder_add_passes(struct builder *b);
/* Sets for each class the number of counted shapes of its kernel. */
void rl_builder_count_shapes(struct builder *b);
/* Adds the counters of kernel `kernel`, or the reasons why it lacks them; `above` is the share of the countable time in classes
 * with more time. */
void rl_builder_add_counters(struct builder *b, size_t kernel, struct merged *merged, double above);
/* Whether another run may count the class: it was shown to wait for no other launch. */
bool rl_merged_wants_run(const struct merged *merged);

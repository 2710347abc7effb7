/* The tables of a capture file. docs/data/capture-tables.md documents them; a test compares the two.
 *
 * Columns and rules of what is declared in capture/capture.h stand here, the others in two headers, for programs and the suite. */
#include "schema_program.h"
#include "schema_suite.h"

static const char *const sources[] = {"collect", "ncu", "nvprof", "nsys", "kineto", "benchmark", "published", NULL};
static const char *const moments[] = {"before", "during", "after", NULL};
static const char *const caches[] = {"warm", "flushed", "unknown", NULL};

static const char *const counter_kinds[] = {[RL_COUNTER] = "counter", [RL_METRIC_VALUE] = "metric", [RL_FOREIGN] = "foreign"};
static const char *const log_levels[] = {[RL_LOG_NOTE] = "note", [RL_LOG_WARNING] = "warning", [RL_LOG_ERROR] = "error"};

NAMES(state, RL_STATE_COUNT, rl_state_name((enum rl_state)member))
NAMES(kind, RL_FOREIGN + 1, counter_kinds[member])
NAMES(level, RL_LOG_ERROR + 1, log_levels[member])
NAMES(clock, RL_CLOCK_COUNT, rl_clock_name((enum rl_clock)member))

static const struct rl_column missing_columns[] = {
    ENUM_AS("state", shared_text, tag, state_names),
    TEXT_AS("reason", shared_text, text),
};
static const struct rl_column counter_name_columns[] = {
    ENUM_AS("kind", shared_text, tag, kind_names),
    NAME_AS("name", shared_text, text),
};
static const struct rl_column session_columns[] = {
    PRIVATE(PUBLIC, session, started),
    TEXT(session, tool_version),
    WORD(session, source, sources),
    PRIVATE(PLACE, session, host, .optional = true),
    OPTIONAL_TEXT(session, os),
    OPTIONAL_TEXT(session, driver),
    OPTIONAL_TEXT(session, cuda_driver),
    OPTIONAL_TEXT(session, cuda_runtime),
    OPTIONAL_TEXT(session, cupti),
    TEXT(session, counters),
    BOOL(session, complete),
};
static const struct rl_column argument_columns[] = {
    OWNER("session", SESSION),
    COLUMN("text", TEXT, .offset = 0, .privacy = RL_PRIVACY_COMMAND),
};
static const struct rl_column gpu_columns[] = {
    INT("ordinal", gpu, index, INT32_MAX),         PRIVATE(PRODUCT, gpu, name),         PRIVATE(PLACE, gpu, uuid, .optional = true),
    PRIVATE(PRODUCT, gpu, chip, .optional = true), INT("cc_major", gpu, cc_major, 999), INT("cc_minor", gpu, cc_minor, 9),
};
static const struct rl_column gpu_fact_columns[] = {OWNER("gpu", GPU), FIELD("fact"), COLUMN("value", VALUE, RANGE(0, EXACT))};
static const struct rl_column gpu_moment_columns[] = {OWNER("gpu", GPU), WORD(gpu_moment, moment, moments),
                                                      TIME(gpu_moment, at_ns)};
static const struct rl_column gpu_reading_columns[] = {
    OWNER("gpu_moment", GPU_MOMENT), FIELD("reading"),
    COLUMN("value", VALUE, RANGE(-274, BITS)) /* the only negative one is a temperature */
};
static const struct rl_column pass_columns[] = {
    INDEX(pass, gpu, GPU),
    TEXT(pass, configuration),
    TEXT(pass, mode),
    WORD(pass, cache, caches),
};
static const struct rl_column kernel_columns[] = {
    INDEX(kernel, gpu, GPU),
    INDEX_OR_NONE(kernel, variant, VARIANT),
    PRIVATE(KERNEL, kernel, name),
    PRIVATE(KERNEL, kernel, mangled, .optional = true),
    U32("grid_x", kernel, grid[0]),
    U32("grid_y", kernel, grid[1]),
    U32("grid_z", kernel, grid[2]),
    U32("block_x", kernel, block[0]),
    U32("block_y", kernel, block[1]),
    U32("block_z", kernel, block[2]),
    U64(kernel, dynamic_shared_bytes),
    VALUE(kernel, static_shared_bytes, 0, INT32_MAX),
    VALUE(kernel, registers_per_thread, 0, INT32_MAX),
    VALUE(kernel, local_bytes_per_thread, 0, EXACT),
    U64(kernel, launches),
    U64_OR_UNKNOWN(kernel, launches_per_run),
    U64_OR_UNKNOWN(kernel, total_ns),
    OPTIONAL_TEXT(kernel, timing),
    PRIVATE(NAME, kernel, nvtx, .optional = true),
};
static const struct rl_column population_columns[] = {
    OWNER("kernel", KERNEL),  U32("number", population, number), U32("total", population, total),
    U64(population, from_ns), U64(population, before_ns),
};
static const struct rl_column kernel_clock_columns[] = {
    OWNER("kernel", KERNEL),
    ENUM(kernel_clock, clock, clock_names),
    VALUE(kernel_clock, cost_ns, 0, EXACT),
    VALUE(kernel_clock, cost_low_ns, 0, EXACT),
    VALUE(kernel_clock, cost_high_ns, 0, EXACT),
    VALUE(kernel_clock, back_to_back_ns, 0, EXACT),
};
static const struct rl_column duration_columns[] = {
    OWNER("kernel", KERNEL),
    INTEGER("duration_ns", U64, 0, LARGEST, .offset = 0),
};
static const struct rl_column counter_columns[] = {
    OWNER("kernel", KERNEL),
    COLUMN("counter_name", COUNTER_NAME, .target = RL_SCHEMA_COUNTER_NAME),
    INDEX_OR_NONE(counter, pass, PASS),
    VALUE(counter, value, -ANY, ANY),
};
static const struct rl_column launch_counter_columns[] = {
    OWNER("kernel", KERNEL),
    U64(launch_counter, launch),
    COLUMN("counter_name", COUNTER_NAME, .target = RL_SCHEMA_COUNTER_NAME),
    COLUMN("value", VALUE, MEMBER(launch_counter, counter.value, struct rl_value), RANGE(-ANY, ANY)),
};
static const struct rl_column log_columns[] = {TIME(log_entry, at_ns), ENUM(log_entry, level, level_names), TEXT(log_entry, text)};

/* ---- rules over more than one column ---- */

RULE(missing, shared_text, here->tag == RL_PRESENT ? "the state 'present' is no reason for a missing value" : NULL)

/* "2026-11-21T10:30:40Z", or "" when unknown. */
static const char *session_rule(const struct rl_schema_row *row)
{
    static const char shape[] = "0000-00-00T00:00:00Z";
    const char *started = ((const struct rl_session *)row->element)->started;
    if (!*started)
        return NULL;
    bool fits = strlen(started) == strlen(shape);
    for (size_t i = 0; fits && shape[i]; i++)
        fits = shape[i] == '0' ? started[i] >= '0' && started[i] <= '9' : started[i] == shape[i];
    return fits ? NULL : "started is not a time like 2026-11-21T10:30:40Z";
}

/* Facts that count something are small enough for an int, which is what the users of most of them want. */
static const char *fact_rule(const struct rl_schema_row *row)
{
    const struct rl_value *value = row->element;
    assert(row->position < RL_FACT_COUNT);
    bool fits = rl_facts[row->position].unit != RL_UNIT_COUNT || !rl_present(*value) || value->v <= INT32_MAX;
    return fits ? NULL : "the count is over 2147483647";
}

RULE(kernel, kernel,
     here->variant != RL_NONE && row->capture->variants[here->variant].gpu != here->gpu ? "its variant ran on another GPU"
     : here->total_ns && !here->timing ? "it has a total time, but timing does not say from where"
                                       : NULL)

UNSAID(no_population, population, here->total == 0)
RULE(population, population,
     here->number<1 || here->number> here->total ? "it is none of the populations of its configuration"
     : here->from_ns >= here->before_ns          ? "no launch can be in it"
                                                 : NULL)

UNSAID(no_clock, kernel_clock, here->clock == RL_CLOCK_UNKNOWN)
RULE(kernel_clock, kernel_clock,
     rl_present(here->cost_ns) && rl_present(here->cost_low_ns) && rl_present(here->cost_high_ns) &&
             here->cost_low_ns.v <= here->cost_ns.v && here->cost_ns.v <= here->cost_high_ns.v
         ? NULL
         : "what the clock added is not between its bounds")

static const char *duration_rule(const struct rl_schema_row *row)
{
    return row->capture->kernels[row->owner].timing ? NULL : "its kernel's timing does not say where times are from";
}

RULE(counter, counter,
     here->pass == RL_NONE || row->capture->passes[here->pass].gpu == row->capture->kernels[row->owner].gpu
         ? NULL
         : "its pass was made on another GPU")
RULE(launch_counter, launch_counter, IN_ORDER(launch) ? NULL : "it does not stand in the order of launches")

#define ROWS(one, type, items, ...)                                                                                                \
    static void *add_##one(struct rl_capture *capture, size_t owner)                                                               \
    {                                                                                                                              \
        (void)owner;                                                                                                               \
        return rl_capture_add_##one(capture);                                                                                      \
    }
#include "capture/rows.def"
#undef ROWS
#define ADD_TO_OWNER(what)                                                                                                         \
    static void *add_##what(struct rl_capture *capture, size_t owner)                                                              \
    {                                                                                                                              \
        return rl_capture_add_##what(capture, owner);                                                                              \
    }
ADD_TO_OWNER(moment)
ADD_TO_OWNER(claim)
ADD_TO_OWNER(process_gpu)

static void *add_log_entry(struct rl_capture *capture, size_t owner)
{
    (void)owner;
    rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", "");
    return &capture->log[capture->log_count - 1];
}

#define SHARED() .owner = RL_SCHEMA_NO_TABLE, .storage = RL_STORAGE_SHARED, .element_size = sizeof(struct rl_shared_text)
/* An array of the capture, or of an element of table `of`. */
#define ARRAY_OF(of, place, type, items, number)                                                                                   \
    .owner = RL_SCHEMA_##of, .storage = RL_STORAGE_##place,                                                                        \
    .array = OFFSET(type, items, __typeof__(((struct rl_##type *)0)->items)), .count = OFFSET(type, number, size_t),               \
    .element_size = sizeof(*((struct rl_##type *)0)->items)
#define GROWN(one, items) ARRAY_OF(NO_TABLE, GROWN, capture, items, one##_count), .add = add_##one
#define EMBEDDED(of, type, member, element, number)                                                                                \
    .owner = RL_SCHEMA_##of, .storage = RL_STORAGE_EMBEDDED, .array = offsetof(struct rl_##type, member), .count = number,         \
    .element_size = sizeof(element)

const struct rl_schema_table rl_schema[RL_SCHEMA_COUNT] = {
#define TABLE(id, title, list, place, of_one, of_all, ...)                                                                         \
    [RL_SCHEMA_##id] = {.name = #title,                                                                                            \
                        .columns = list##_columns,                                                                                 \
                        .column_count = RL_COUNT(list##_columns),                                                                  \
                        place,                                                                                                     \
                        .limit = of_one,                                                                                           \
                        .total = of_all,                                                                                           \
                        __VA_ARGS__},
#include "schema.def"
};

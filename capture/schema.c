/* The tables of a capture file. docs/data/capture-tables.md documents them; a test compares the two.
 *
 * Columns and rules of what is declared in capture/capture.h stand here, the others in a header for each header of the model. */
#include "schema_cases.h"
#include "schema_columns.h"
#include "schema_ledger.h"
#include "schema_link.h"
#include "schema_pc.h"
#include "schema_program.h"
#include "schema_sampled.h"
#include "schema_suite.h"
#include "schema_timeline.h"

#include <assert.h>
#include <string.h>

static const char *const sources[] = {"collect", "ncu", "nvprof", "nsys", "kineto", "benchmark", "published", NULL};
static const char *const moments[] = {"before", "during", "after", NULL};
static const char *const caches[] = {"warm", "flushed", "unknown", NULL};

static const char *const counter_kinds[] = {[RL_COUNTER] = "counter", [RL_METRIC_VALUE] = "metric", [RL_FOREIGN] = "foreign"};
static const char *const log_levels[] = {[RL_LOG_NOTE] = "note", [RL_LOG_WARNING] = "warning", [RL_LOG_ERROR] = "error"};

static const char *state_name(unsigned member)
{
    return rl_state_name((enum rl_state)member);
}
static const char *kind_name(unsigned member)
{
    return counter_kinds[member];
}
static const char *level_name(unsigned member)
{
    return log_levels[member];
}
static const char *clock_name(unsigned member)
{
    return rl_clock_name((enum rl_clock)member);
}

static const struct rl_enumeration state_names = {RL_STATE_COUNT, state_name};
static const struct rl_enumeration kind_names = {RL_FOREIGN + 1, kind_name};
static const struct rl_enumeration level_names = {RL_LOG_ERROR + 1, level_name};
static const struct rl_enumeration clock_names = {RL_CLOCK_COUNT, clock_name};

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

static const char *missing_rule(const struct rl_schema_row *row)
{
    const struct rl_shared_text *missing = row->element;
    return missing->tag == RL_PRESENT ? "the state 'present' is no reason for a missing value" : NULL;
}

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

static const char *kernel_rule(const struct rl_schema_row *row)
{
    const struct rl_kernel *kernel = row->element;
    if (kernel->variant != RL_NONE && row->capture->variants[kernel->variant].gpu != kernel->gpu)
        return "its variant ran on another GPU";
    return kernel->total_ns && !kernel->timing ? "it has a total time, but timing does not say from where" : NULL;
}

static bool no_population(const void *element)
{
    return ((const struct rl_population *)element)->total == 0;
}

static const char *population_rule(const struct rl_schema_row *row)
{
    const struct rl_population *population = row->element;
    return population->number < 1 || population->number > population->total ? "it is none of the populations of its class"
           : population->from_ns >= population->before_ns                   ? "no launch can be in it"
                                                                            : NULL;
}

static bool no_clock(const void *element)
{
    return ((const struct rl_kernel_clock *)element)->clock == RL_CLOCK_UNKNOWN;
}

static const char *kernel_clock_rule(const struct rl_schema_row *row)
{
    const struct rl_kernel_clock *clock = row->element;
    const bool ordered = rl_present(clock->cost_ns) && rl_present(clock->cost_low_ns) && rl_present(clock->cost_high_ns) &&
                         clock->cost_low_ns.v <= clock->cost_ns.v && clock->cost_ns.v <= clock->cost_high_ns.v;
    return ordered ? NULL : "what the clock added is not between its bounds";
}

static const char *duration_rule(const struct rl_schema_row *row)
{
    return row->capture->kernels[row->owner].timing ? NULL : "its kernel's timing does not say where times are from";
}

static const char *counter_rule(const struct rl_schema_row *row)
{
    const struct rl_counter *counter = row->element;
    const struct rl_capture *capture = row->capture;
    bool fits = counter->pass == RL_NONE || capture->passes[counter->pass].gpu == capture->kernels[row->owner].gpu;
    return fits ? NULL : "its pass was made on another GPU";
}

/* The same of a counter of a launch. */
static const char *launch_counter_rule(const struct rl_schema_row *row)
{
    const struct rl_launch_counter *counter = row->element;
    return row->position > 0 && counter[-1].launch > counter->launch ? "it does not stand in the order of launches" : NULL;
}

ADD_TO_CAPTURE(gpu)
ADD_TO_CAPTURE(pass)
ADD_TO_CAPTURE(kernel)
ADD_TO_OWNER(moment)

static void *add_log_entry(struct rl_capture *capture, size_t owner)
{
    (void)owner;
    rl_capture_log(capture, 0, RL_LOG_NOTE, "%s", "");
    return &capture->log[capture->log_count - 1];
}

#define COLUMNS(list) .columns = list##_columns, .column_count = sizeof(list##_columns) / sizeof(list##_columns[0])
#define SHARED()      .owner = RL_SCHEMA_NO_TABLE, .storage = RL_STORAGE_SHARED, .element_size = sizeof(struct rl_shared_text)
/* An array of the capture, or of an element of table `of`. */
#define ARRAY_OF(of, place, type, items, number)                                                                                   \
    .owner = RL_SCHEMA_##of, .storage = RL_STORAGE_##place,                                                                        \
    .array = OFFSET(type, items, __typeof__(((struct rl_##type *)0)->items)), .count = OFFSET(type, number, size_t),               \
    .element_size = sizeof(*((struct rl_##type *)0)->items)
#define EMBEDDED(of, type, member, element, number)                                                                                \
    .owner = RL_SCHEMA_##of, .storage = RL_STORAGE_EMBEDDED, .array = offsetof(struct rl_##type, member), .count = number,         \
    .element_size = sizeof(element)
#define LIMITS(of_one, of_all) .limit = of_one, .total = of_all

const struct rl_schema_table rl_schema[RL_SCHEMA_COUNT] = {
    [RL_SCHEMA_MISSING] = {"missing", COLUMNS(missing), SHARED(), LIMITS(1000000, 1000000), .rule = missing_rule},
    [RL_SCHEMA_COUNTER_NAME] = {"counter_name", COLUMNS(counter_name), SHARED(), LIMITS(1000000, 1000000)},
    [RL_SCHEMA_SESSION] = {"session", COLUMNS(session), EMBEDDED(NO_TABLE, capture, session, struct rl_session, 1), LIMITS(1, 1),
                           .rule = session_rule},
    [RL_SCHEMA_ARGUMENT] = {"argument", COLUMNS(argument), ARRAY_OF(SESSION, BLOCK, session, command, command_count),
                            LIMITS(100000, 100000)},
    [RL_SCHEMA_GPU] = {"gpu", COLUMNS(gpu), ARRAY_OF(NO_TABLE, GROWN, capture, gpus, gpu_count), LIMITS(4096, 4096),
                       .add = add_gpu},
    [RL_SCHEMA_GPU_FACT] = {"gpu_fact", COLUMNS(gpu_fact), EMBEDDED(GPU, gpu, fact, struct rl_value, RL_FACT_COUNT),
                            LIMITS(RL_FACT_COUNT, 4096 * RL_FACT_COUNT), .fields = rl_facts, .rule = fact_rule},
    [RL_SCHEMA_GPU_MOMENT] = {"gpu_moment", COLUMNS(gpu_moment), ARRAY_OF(GPU, GROWN, gpu, moments, moment_count),
                              LIMITS(1000000, 1000000), .add = add_moment},
    [RL_SCHEMA_GPU_READING] = {"gpu_reading", COLUMNS(gpu_reading),
                               EMBEDDED(GPU_MOMENT, gpu_moment, reading, struct rl_value, RL_READING_COUNT),
                               LIMITS(RL_READING_COUNT, 1000000 * RL_READING_COUNT), .fields = rl_readings},
    [RL_SCHEMA_CEILING_RUN] = {"ceiling_run", COLUMNS(ceiling_run), ARRAY_OF(NO_TABLE, GROWN, capture, ceilings, ceiling_count),
                               LIMITS(100000, 100000), .add = add_ceiling},
    [RL_SCHEMA_CEILING_SAMPLE] = {"ceiling_sample", COLUMNS(ceiling_sample),
                                  ARRAY_OF(CEILING_RUN, BLOCK, ceiling_run, samples, sample_count), LIMITS(1000000, 50000000)},
    [RL_SCHEMA_EXPERIMENT] = {"experiment", COLUMNS(experiment), ARRAY_OF(NO_TABLE, GROWN, capture, experiments, experiment_count),
                              LIMITS(10000, 10000), .add = add_experiment},
    [RL_SCHEMA_CLAIM] = {"claim", COLUMNS(claim), ARRAY_OF(EXPERIMENT, GROWN, experiment, claims, claim_count),
                         LIMITS(1000, 100000), .add = add_claim},
    [RL_SCHEMA_VARIANT] = {"variant", COLUMNS(variant), ARRAY_OF(NO_TABLE, GROWN, capture, variants, variant_count),
                           LIMITS(1000000, 1000000), .add = add_variant, .rule = variant_rule},
    [RL_SCHEMA_VARIANT_DURATION] = {"variant_duration", COLUMNS(variant_duration),
                                    ARRAY_OF(VARIANT, BLOCK, variant, duration_ns, duration_count), LIMITS(1000000, 50000000)},
    [RL_SCHEMA_EVENT] = {"event", COLUMNS(event), ARRAY_OF(VARIANT, BLOCK, variant, events, event_count), LIMITS(100000, 10000000),
                         .rule = event_rule},
    [RL_SCHEMA_PASS] = {"pass", COLUMNS(pass), ARRAY_OF(NO_TABLE, GROWN, capture, passes, pass_count), LIMITS(1000000, 1000000),
                        .add = add_pass},
    [RL_SCHEMA_KERNEL] = {"kernel", COLUMNS(kernel), ARRAY_OF(NO_TABLE, GROWN, capture, kernels, kernel_count),
                          LIMITS(1000000, 1000000), .add = add_kernel, .rule = kernel_rule},
    [RL_SCHEMA_DURATION] = {"duration", COLUMNS(duration), ARRAY_OF(KERNEL, BLOCK, kernel, duration_ns, duration_count),
                            LIMITS(1000000, 50000000), .rule = duration_rule},
    [RL_SCHEMA_COUNTER] = {"counter", COLUMNS(counter), ARRAY_OF(KERNEL, BLOCK, kernel, counters, counter_count),
                           LIMITS(10000, 10000000), .rule = counter_rule},
    [RL_SCHEMA_LOG] = {"log", COLUMNS(log), ARRAY_OF(NO_TABLE, GROWN, capture, log, log_count),
                       LIMITS(RL_CAPTURE_MAX_LOG, RL_CAPTURE_MAX_LOG), .add = add_log_entry},
    [RL_SCHEMA_PROCESS] = {"process", COLUMNS(process), ARRAY_OF(NO_TABLE, GROWN, capture, processes, process_count),
                           LIMITS(100000, 100000), .add = add_process},
    [RL_SCHEMA_PROCESS_GPU] = {"process_gpu", COLUMNS(process_gpu), ARRAY_OF(PROCESS, GROWN, process, gpus, gpu_count),
                               LIMITS(4096, 1000000), .add = add_process_gpu, .rule = process_gpu_rule},
    [RL_SCHEMA_TRANSFER] = {"transfer", COLUMNS(transfer), ARRAY_OF(NO_TABLE, GROWN, capture, transfers, transfer_count),
                            LIMITS(1000000, 1000000), .add = add_transfer},
    [RL_SCHEMA_RANGE] = {"nvtx_range", COLUMNS(range), ARRAY_OF(NO_TABLE, GROWN, capture, ranges, range_count),
                         LIMITS(1000000, 1000000), .add = add_range, .rule = range_rule},
    [RL_SCHEMA_KERNEL_USE] = {"kernel_use", COLUMNS(use), ARRAY_OF(NO_TABLE, GROWN, capture, uses, use_count),
                              LIMITS(1000000, 1000000), .add = add_use, .rule = use_rule},
    [RL_SCHEMA_LINK] = {"link", COLUMNS(link), ARRAY_OF(NO_TABLE, GROWN, capture, links, link_count), LIMITS(100000, 100000),
                        .add = add_link, .rule = link_rule},
    [RL_SCHEMA_LINK_RUN] = {"link_run", COLUMNS(link_run), ARRAY_OF(NO_TABLE, GROWN, capture, link_runs, link_run_count),
                            LIMITS(1000000, 1000000), .add = add_link_run, .rule = link_run_rule},
    [RL_SCHEMA_LINK_DURATION] = {"link_duration", COLUMNS(link_duration),
                                 ARRAY_OF(LINK_RUN, BLOCK, link_run, duration_ns, duration_count), LIMITS(1000000, 50000000)},
    [RL_SCHEMA_VARIANT_SETTING] = {"variant_setting", COLUMNS(variant_setting),
                                   ARRAY_OF(VARIANT, BLOCK, variant, settings, setting_count), LIMITS(100, 10000000),
                                   .rule = setting_rule},
    [RL_SCHEMA_VARIANT_DEVIATION] = {"variant_deviation", COLUMNS(deviation),
                                     EMBEDDED(VARIANT, variant, deviation, struct rl_deviation, 1), LIMITS(1, 1000000),
                                     .rule = deviation_rule, .says_nothing = no_deviation},
    [RL_SCHEMA_CEILING_SETTING] = {"ceiling_setting", COLUMNS(ceiling_setting),
                                   ARRAY_OF(CEILING_RUN, BLOCK, ceiling_run, settings, setting_count), LIMITS(100, 10000000),
                                   .rule = setting_rule},
    [RL_SCHEMA_EXPERIMENT_FORM] = {"experiment_form", COLUMNS(form),
                                   EMBEDDED(EXPERIMENT, experiment, form, struct rl_experiment_form, 1), LIMITS(1, 10000),
                                   .rule = form_rule, .says_nothing = plain_form},
    [RL_SCHEMA_EXPERIMENT_COLUMN] = {"experiment_column", COLUMNS(column),
                                     ARRAY_OF(EXPERIMENT, BLOCK, experiment, columns, column_count), LIMITS(1000, 100000)},
    [RL_SCHEMA_EXPERIMENT_PAIR] = {"experiment_pair", COLUMNS(pair), ARRAY_OF(EXPERIMENT, BLOCK, experiment, pairs, pair_count),
                                   LIMITS(1000, 100000)},
    [RL_SCHEMA_EXPERIMENT_REFERENCE] = {"experiment_reference", COLUMNS(reference),
                                        ARRAY_OF(EXPERIMENT, BLOCK, experiment, references, reference_count), LIMITS(1000, 100000)},
    [RL_SCHEMA_POPULATION] = {"population", COLUMNS(population), EMBEDDED(KERNEL, kernel, population, struct rl_population, 1),
                              LIMITS(1, 1000000), .rule = population_rule, .says_nothing = no_population},
    [RL_SCHEMA_CLAIM_SOURCE] = {"claim_source", COLUMNS(claim_source), EMBEDDED(CLAIM, claim, from, struct rl_claim_source, 1),
                                LIMITS(1, 100000), .rule = claim_source_rule, .says_nothing = no_claim_source},
    [RL_SCHEMA_GPU_SAMPLING] = {"gpu_sampling", COLUMNS(gpu_sampling),
                                ARRAY_OF(NO_TABLE, GROWN, capture, samplings, sampling_count), LIMITS(4096, 4096),
                                .add = add_sampling, .rule = gpu_sampling_rule},
    [RL_SCHEMA_SAMPLED_VALUE] = {"sampled_value", COLUMNS(sampled_value),
                                 ARRAY_OF(NO_TABLE, GROWN, capture, sampled, sampled_count), LIMITS(10000000, 10000000),
                                 .add = add_sampled, .rule = sampled_value_rule},
    PC_TABLE(PC_SAMPLING, pc_sampling, pc_samplings, 4096),
    PC_TABLE(PC_FUNCTION, pc_function, pc_functions, 1000000, .rule = pc_function_rule),
    PC_TABLE(SOURCE_FILE, source_file, source_files, 1000000),
    PC_TABLE(SOURCE_LINE, source_line, source_lines, 1000000, .rule = source_line_rule),
    PC_TABLE(PC_INSTRUCTION, pc_instruction, pc_instructions, 1000000, .rule = pc_instruction_rule),
    PC_TABLE(PC_STALL, pc_stall, pc_stalls, 10000000, .rule = pc_stall_rule),
    TIMELINE_TABLES,
    PC_TABLE(PC_TEXT, pc_text, pc_texts, 1000000, .rule = pc_text_rule),
    RANGE_TABLES,
    [RL_SCHEMA_KERNEL_CLOCK] = {"kernel_clock", COLUMNS(kernel_clock), EMBEDDED(KERNEL, kernel, clock, struct rl_kernel_clock, 1),
                                LIMITS(1, 1000000), .rule = kernel_clock_rule, .says_nothing = no_clock},
    [RL_SCHEMA_COUNTED] = {"counted", COLUMNS(counted), ARRAY_OF(NO_TABLE, GROWN, capture, counted, counted_count),
                           LIMITS(10000000, 10000000), .add = add_counted, .rule = counted_rule},
    [RL_SCHEMA_LEDGER] = {"ledger", COLUMNS(ledger), ARRAY_OF(NO_TABLE, GROWN, capture, ledger, ledger_count),
                          LIMITS(1000000, 1000000), .add = add_ledger, .optional = true},
    CASE_TABLES,
    PC_TABLE(PC_COUNTED, pc_counted, pc_counts, 10000000, .rule = pc_counted_rule, .optional = true),
    [RL_SCHEMA_LAUNCH_COUNTER] = {"launch_counter", COLUMNS(launch_counter),
                                  ARRAY_OF(KERNEL, BLOCK, kernel, launch_counters, launch_counter_count),
                                  LIMITS(10000000, 10000000), .rule = launch_counter_rule, .optional = true},
    [RL_SCHEMA_TRACER] = {"tracer", COLUMNS(tracer), ARRAY_OF(NO_TABLE, GROWN, capture, tracer, tracer_count), LIMITS(65536, 65536),
                          .add = add_tracer, .rule = tracer_rule, .optional = true},
};

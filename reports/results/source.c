#include "results/source.h"
#include "analysis/pc.h"

/* Samples of one reason. */
struct reason_row {
    enum rl_stall_reason reason;
    uint64_t samples;
    double share;
};
/* A line or an instruction. */
struct place_row {
    const char *kernel; /* label */
    const char *path, *text;
    const char *sass; /* of an instruction; NULL: unknown */
    uint32_t number;
    uint64_t offset;
    uint64_t samples;
    double share, low, high; /* of the samples of the kernel, with its 95 % CI */
    enum rl_stall_reason reason;
    double reason_share; /* of the samples here */
    uint64_t counts[RL_PC_COUNTER_COUNT];
    bool has_line, hot, has_threads; /* `has_threads`: of its kernel they were counted */
};
struct source_kernel {
    const char *label, *name, *id;
    int gpu;
    const struct rl_pc_profile *profile;
    double stalled_share, gpu_share;
    struct rl_value sectors[2], ideal[2]; /* of a global load, of a store: measured, and the fewest that have its bytes */
    struct reason_row *reasons;
    size_t reason_count;
    struct place_row *lines, *around, *instructions;
    size_t line_count, around_count, instruction_count;
};
struct view_source {
    struct view_subject *subject;
    size_t matching;
    struct source_kernel *kernels;
    size_t kernel_count;
    struct place_row *lines; /* of all of them */
    size_t line_count;
};

enum { MOST_LINES = 10, MOST_INSTRUCTIONS = 10, MOST_REASONS = 8 };

/* ---- fields: a reason ---- */

VIEW_CELL(reason_cell, struct reason_row, rl_stalls[row->reason].id);
VIEW_CELL(label_cell, struct reason_row, rl_stalls[row->reason].label);
VIEW_CELL(meaning_cell, struct reason_row, rl_stalls[row->reason].meaning);

VIEW_CELL(is_stall_cell, struct reason_row, rl_stalls[row->reason].stall);

/* clang-format off */
static const struct view_field reason_fields[] = {
    {.id = "reason", VIEW_GET(TEXT, reason_cell), .identifies = true, .shown = VIEW_ON_REQUEST,
     .help = "why a warp was stalled, as CUPTI calls it"},
    {.id = "label", .head = "reason", VIEW_GET(TEXT, label_cell), .help = "the same for people"},
    {.id = "samples", .head = "samples", VIEW_AT(struct reason_row, samples), .help = "samples of warps stalled for this reason"},
    {.id = "share", .head = "share", VIEW_AT(struct reason_row, share), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true,
     .help = "of the samples of the kernel"},
    {.id = "stall", VIEW_GET(BOOLEAN, is_stall_cell), .shown = VIEW_ON_REQUEST, .help = "whether the warp could not issue"},
    {.id = "meaning", VIEW_GET(TEXT, meaning_cell), .wraps = true,
     .shown = VIEW_ON_REQUEST, .help = "what the warp does meanwhile"},
};
/* clang-format on */
static const struct view_record reason_record = {
    .id = "source_reason", .help = "why warps were stalled", VIEW_FIELDS(reason_fields)};

/* ---- fields: a line, an instruction ---- */

VIEW_CELL(number_cell, struct place_row,
          row->has_line ? view_cell_whole(row->number) : view_cell_absent("its module has no line numbers"));
VIEW_CELL(path_cell, struct place_row,
          row->path ? view_cell_text(row->path) : view_cell_absent(row->has_line ? "left out" : "its module has no line numbers"));

static struct view_cell file_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct place_row *place = row;
    const char *slash = place->path ? strrchr(place->path, '/') : NULL;
    if (!place->has_line)
        return view_cell_absent("");
    return view_cell_text(
        rl_arena_printf(view->arena, "%s:%" PRIu32, place->path ? slash ? slash + 1 : place->path : "line", place->number));
}

/* Blanks at its beginning are kept only where lines stand below one another. */
static struct view_cell line_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct place_row *place = row;
    const char *text = place->text;
    if (!text)
        return view_cell_absent("");
    return view_cell_text(field->key ? text : text + strspn(text, " \t"));
}

VIEW_CELL(offset_cell, struct place_row, rl_arena_printf(view->arena, "%04" PRIx64, row->offset));
VIEW_CELL_IF(top_cell, struct place_row, row->reason != RL_STALL_COUNT, rl_stalls[row->reason].id);
VIEW_CELL_IF(top_label_cell, struct place_row, row->reason != RL_STALL_COUNT, rl_stalls[row->reason].label);
VIEW_CELL_IF(top_share_cell, struct place_row, row->reason != RL_STALL_COUNT, row->reason_share);
VIEW_CELL_IF(share_cell, struct place_row, row->hot, row->share);
VIEW_CELL_IF(end_cell, struct place_row, row->hot, field->key ? row->high : row->low);
VIEW_CELL_IF(executed_cell, struct place_row, row->counts[RL_PC_executed], row->counts[RL_PC_executed]);
VIEW_CELL_IF(threads_cell, struct place_row, row->counts[RL_PC_executed] && row->has_threads,
             (double)row->counts[RL_PC_threads] / (double)row->counts[RL_PC_executed]);

/* `key`: the counter that follows is the fewest. */
static struct view_cell excess_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const uint64_t *counts = ((const struct place_row *)row)->counts;
    const uint64_t all = counts[field->key], fewest = counts[field->key + 1];
    return all && fewest ? view_cell_whole(all > fewest ? all - fewest : 0) : view_cell_absent("");
}

/* clang-format off */
#define WHERE                                                                                                                      \
    {.id = "at", .head = "line", VIEW_GET(TEXT, file_cell), .for_people = true, .look = VIEW_LOOK_CODE,             \
     .columns = 40, .help = "name of the file and number of the line"}
#define HEAT                                                                                                                       \
    {.id = "samples", .head = "samples", VIEW_AT(struct place_row, samples),                                                       \
     .help = "samples of warps at this line or instruction"},                                                                      \
    {.id = "share", .head = "share", VIEW_GET(NUMBER, share_cell), .unit = RL_UNIT_FRACTION, .digits = 3,           \
     .bar = true, .help = "of the samples of the kernel"},                                                                         \
    {.id = "low", .head = "from", VIEW_GET(NUMBER, end_cell), .key = 0, .unit = RL_UNIT_FRACTION, .digits = 3,      \
     .shown = VIEW_ON_REQUEST, .help = "lower end of its 95 % CI; samples of the same moment count as one"},                 \
    {.id = "high", .head = "to", VIEW_GET(NUMBER, end_cell), .key = 1, .unit = RL_UNIT_FRACTION, .digits = 3,       \
     .shown = VIEW_ON_REQUEST, .help = "upper end of it"},                                                                         \
    {.id = "reason", VIEW_GET(TEXT, top_cell), .shown = VIEW_ON_REQUEST, .optional = true,           \
     .help = "commonest reason why its warps could not issue, as CUPTI calls it"},                                                 \
    {.id = "reason_label", .head = "most wait for", .wraps = true, VIEW_GET(TEXT, top_label_cell), .optional = true,       \
     .help = "the same for people"},                                                                                               \
    {.id = "reason_share", .head = "of them", VIEW_GET(NUMBER, top_share_cell), .unit = RL_UNIT_FRACTION,           \
     .digits = 3, .optional = true, .help = "of the samples there"}
#define COUNTED(title, heading, type_of, cell, which, ...)                                                                         \
    {.id = title, .head = heading, .type = type_of, .get = cell, .key = which, .shown = VIEW_SHOWN_WHEN_ANY, .optional = true,     \
     __VA_ARGS__}
#define COUNTS                                                                                                                     \
    COUNTED("executed", "executed", VIEW_TYPE_WHOLE, executed_cell, 0,                                                             \
            .help = "instructions that warps executed there, of all launches that were counted by instruction"),                   \
    COUNTED("active_threads", "threads", VIEW_TYPE_NUMBER, threads_cell, 0, .unit = RL_UNIT_NONE, .digits = 3,                     \
            .help = "active threads in one of them, on average"),                                                          \
    COUNTED("excess_sectors", "excess sectors", VIEW_TYPE_WHOLE, excess_cell, RL_PC_sectors,                                       \
            .help = "32-byte sectors of global memory that they touched beyond the fewest that have their bytes"),                 \
    COUNTED("excess_wavefronts", "excess wavefronts", VIEW_TYPE_WHOLE, excess_cell, RL_PC_wavefronts,                              \
            .help = "wavefronts of shared memory beyond the fewest: bank conflicts")
static const struct view_field line_fields[] = {
    {.id = "kernel", VIEW_AT(struct place_row, kernel), .shown = VIEW_ON_REQUEST, .help = "label of the kernel"},
    WHERE,
    {.id = "path", VIEW_GET(TEXT, path_cell), .shown = VIEW_ON_REQUEST, .help = "file, as the compiler was given it"},
    {.id = "line", VIEW_GET(WHOLE, number_cell), .identifies = true, .shown = VIEW_ON_REQUEST, .help = "number of the line"},
    HEAT,
    COUNTS,
    {.id = "text", .head = "text", VIEW_GET(TEXT, line_text_cell), .key = 0, .wraps = true, .columns = 28, .look = VIEW_LOOK_CODE,
     .optional = true, .help = "text of the line after the program had run"},
};
static const struct view_field around_fields[] = {
    WHERE,
    {.id = "path", VIEW_GET(TEXT, path_cell), .shown = VIEW_ON_REQUEST, .help = "file, as the compiler was given it"},
    {.id = "line", VIEW_GET(WHOLE, number_cell), .identifies = true, .shown = VIEW_ON_REQUEST, .help = "number of the line"},
    {.id = "share", .head = "share", VIEW_GET(NUMBER, share_cell), .unit = RL_UNIT_FRACTION, .digits = 3,
     .optional = true, .help = "of the samples of the kernel; absent: none, or fewer than are kept"},
    {.id = "text", .head = "text", VIEW_GET(TEXT, line_text_cell), .key = 1, .wraps = true, .look = VIEW_LOOK_CODE,
     .optional = true, .help = "text of the line after the program had run"},
};
static const struct view_field instruction_fields[] = {
    {.id = "offset", .head = "offset", VIEW_GET(TEXT, offset_cell), .identifies = true, .look = VIEW_LOOK_CODE,
     .numeral = true, .help = "of the instruction in its function, hexadecimal, in bytes"},
    {.id = "sass", .head = "instruction", VIEW_AT(struct place_row, sass), .wraps = true, .look = VIEW_LOOK_CODE,
     .shown = VIEW_SHOWN_WHEN_ANY, .optional = true, .help = "what it says, without names of the program"},
    WHERE,
    {.id = "path", VIEW_GET(TEXT, path_cell), .shown = VIEW_ON_REQUEST, .help = "file, as the compiler was given it"},
    {.id = "line", VIEW_GET(WHOLE, number_cell), .shown = VIEW_ON_REQUEST, .help = "number of the line"},
    HEAT,
    COUNTS,
};
/* clang-format on */
const struct view_record view_record_source_line = {
    .id = "source_line", .help = "a source line of a kernel", VIEW_FIELDS(line_fields)};
static const struct view_record around_record = {
    .id = "source_around", .help = "a source line near a hot one", VIEW_FIELDS(around_fields)};
static const struct view_record instruction_record = {
    .id = "source_instruction", .help = "an instruction of a kernel", VIEW_FIELDS(instruction_fields)};

/* ---- fields: a kernel ---- */

VIEW_CELL(sectors_unknown_cell, struct source_kernel,
          rl_present(row->ideal[0]) || rl_present(row->ideal[1]) ? view_cell_absent("")
                                                                 : view_cell_text(rl_value_reason(row->ideal[0])));

#define SECTORS(member) VIEW_AT(struct source_kernel, member), .unit = RL_UNIT_NONE, .digits = 3

enum figure { SAMPLES, STALLED, FUNCTIONS, CLASSES, WITHOUT_LINE, PERIOD, DROPPED };
static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_pc_profile *profile = ((const struct source_kernel *)row)->profile;
    const struct rl_pc_sampling *sampling = profile->sampling;
    const uint64_t figures[] = {[SAMPLES] = profile->all.samples,
                                [STALLED] = profile->all.stalled,
                                [FUNCTIONS] = profile->functions,
                                [CLASSES] = profile->classes,
                                [WITHOUT_LINE] = profile->without_line,
                                [PERIOD] = sampling ? UINT64_C(1) << sampling->period : 0,
                                [DROPPED] = sampling ? sampling->dropped : 0};
    return sampling ? view_cell_whole(figures[field->key]) : view_cell_absent("instructions were not sampled");
}

/* clang-format off */
#define FIGURE(which) VIEW_GET(WHOLE, figure_cell), .key = which
static const struct view_field kernel_fields[] = {
    {.id = "label", VIEW_AT(struct source_kernel, label), .identifies = true, .help = "short name of the kernel"},
    {.id = "name", VIEW_AT(struct source_kernel, name), .help = "its name"},
    {.id = "id", VIEW_AT(struct source_kernel, id), .help = "its id"},
    {.id = "gpu", VIEW_AT(struct source_kernel, gpu), .help = "index of the GPU"},
    {.id = "samples", FIGURE(SAMPLES), .help = "samples of its warps"},
    {.id = "stalled", FIGURE(STALLED), .help = "of these, samples of warps that could not issue"},
    {.id = "stalled_share", VIEW_AT(struct source_kernel, stalled_share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "the latter over the former"},
    {.id = "gpu_share", VIEW_AT(struct source_kernel, gpu_share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "its samples over all of its GPU"},
    {.id = "period_cycles", FIGURE(PERIOD), .help = "cycles between two samples of a scheduler"},
    {.id = "dropped", FIGURE(DROPPED), .help = "samples of the GPU that the hardware dropped for lack of room"},
    {.id = "functions", FIGURE(FUNCTIONS), .help = "functions of this name: a module may be loaded in several versions"},
    {.id = "classes", FIGURE(CLASSES), .help = "configurations of its name on the GPU, which share these samples"},
    {.id = "sectors_per_load", SECTORS(sectors[0]),
     .help = "32-byte sectors that a global load touches, mean over the whole kernel"},
    {.id = "ideal_sectors_per_load", SECTORS(ideal[0]), .help = "the fewest that hold the bytes that it asks for"},
    {.id = "sectors_per_store", SECTORS(sectors[1]), .help = "the same of a global store"},
    {.id = "ideal_sectors_per_store", SECTORS(ideal[1]), .help = "the fewest"},
    {.id = "sectors_unknown", VIEW_GET(TEXT, sectors_unknown_cell), .for_people = true, .help = "why neither is known"},
    {.id = "without_line", FIGURE(WITHOUT_LINE), .help = "samples of instructions whose line is unknown"},
    {.id = "reasons", VIEW_AT_ROWS(struct source_kernel, reasons, reason_count, &reason_record), .help = "why its warps were "
                                                                                                         "stalled"},
    {.id = "lines", VIEW_AT_ROWS(struct source_kernel, lines, line_count, &view_record_source_line),
     .help = "its lines, hottest first"},
    {.id = "around", VIEW_AT_ROWS(struct source_kernel, around, around_count, &around_record),
     .help = "lines around the hottest ones"},
    {.id = "instructions", VIEW_AT_ROWS(struct source_kernel, instructions, instruction_count, &instruction_record),
     .help = "its instructions, hottest first"},
};
/* clang-format on */

VIEW_WHEN(is_shared, struct source_kernel, row->profile->all.samples > 0 && row->profile->classes > 1);

/* clang-format off */
static const struct view_block kernel_blocks[] = {
    {VIEW_BLOCK_SENTENCE,
     .text = "{samples sample|samples} of its warps, one per scheduler every {period_cycles} cycles; {stalled_share} of them could "
             "not issue", .with = "samples"},
    {VIEW_BLOCK_SENTENCE, .text = "no sample hit any of its warps: it ran too briefly", .with = "period_cycles,!samples"},
    {VIEW_BLOCK_SENTENCE,
     .text = "instructions were not sampled: rooflight collect --pc-sampling -- PROGRAM does", .with = "!period_cycles"},
    {VIEW_BLOCK_NOTE, .when = is_shared,
     .text = "samples identify the function, not the launch: these cover all {classes configuration|configurations} of this name"},
    {VIEW_BLOCK_TABLE, .field = "reasons", .most = MOST_REASONS, .with = "samples", .apart = true},
    {VIEW_BLOCK_TABLE, .field = "lines", .most = MOST_LINES, .with = "lines", .apart = true, .title = "hottest lines",
     .rest = "{left} of {all} lines are not shown", .more = true},
    {VIEW_BLOCK_TABLE, .field = "around", .with = "around", .apart = true, .title = "where they are"},
    {VIEW_BLOCK_TABLE, .field = "instructions", .most = MOST_INSTRUCTIONS, .with = "samples", .apart = true,
     .title = "hottest instructions", .rest = "{left} of {all} instructions are not shown", .more = true},
    {VIEW_BLOCK_NOTE, .with = "samples,ideal_sectors_per_load",
     .text = "a global load touches {sectors_per_load} sectors on average, over the whole kernel; {ideal_sectors_per_load} would "
             "hold its bytes"},
    {VIEW_BLOCK_NOTE, .with = "samples,ideal_sectors_per_store",
     .text = "a global store touches {sectors_per_store} sectors on average, over the whole kernel; {ideal_sectors_per_store} "
             "would hold its bytes"},
    {VIEW_BLOCK_NOTE, .with = "samples,!ideal_sectors_per_load,!ideal_sectors_per_store",
     .text = "sectors per load and store are unknown: {sectors_unknown}"},
    {VIEW_BLOCK_NOTE, .text = "the module has no line numbers: compile with nvcc -lineinfo (NVRTC: the option -lineinfo) to get "
     "them", .with = "samples,!lines"},
    {VIEW_BLOCK_NOTE, .with = "lines,!around", .text = "the files of these lines could not be read, or their text was left out"},
};
const struct view_record view_record_source_kernel = {
    .id = "source_kernel", .title = "{label}", .help = "where the warps of a kernel were stalled, and why",
    VIEW_FIELDS(kernel_fields), VIEW_BLOCKS(kernel_blocks)};
/* clang-format on */

/* ---- the whole ---- */

VIEW_CELL(matching_cell, struct view_source, field->key ? row->matching - row->kernel_count : row->matching);

/* clang-format off */
static const struct view_field source_fields[] = {
    {.id = "matching", VIEW_GET(WHOLE, matching_cell), .key = 0, .help = "kernels that match"},
    {.id = "left", VIEW_GET(WHOLE, matching_cell), .key = 1, .help = "how many of them are not listed"},
    {.id = "kernels", VIEW_AT_ROWS(struct view_source, kernels, kernel_count, &view_record_source_kernel),
     .help = "those with the most GPU time first"},
};
static const struct view_block source_blocks[] = {
    {VIEW_BLOCK_EACH, .field = "kernels"},
    {VIEW_BLOCK_NOTE, .text = "{left} of {matching} kernels that match are not shown", .with = "left", .apart = true},
};
const struct view_record view_record_source = {
    .id = "source", .format = "rooflight source", .title = "Source lines and stall reasons",
    .help = "where the warps of kernels were stalled, and why", VIEW_FIELDS(source_fields), VIEW_BLOCKS(source_blocks)};
/* clang-format on */

enum { MOST_AROUND = 3, AROUND = 2 };

/* ---- rows ---- */

static double over(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

RL_COMPARATOR(by_samples, struct reason_row, rl_descending(x->samples, y->samples) ?: rl_ascending(x->reason, y->reason));

/* Instructions at `line` (RL_NONE: unknown). */
static struct place_row place_of(const struct view_source *source, const struct source_kernel *kernel, size_t line,
                                 const struct rl_pc_count *count)
{
    const struct rl_capture *capture = source->subject->capture;
    const struct rl_source_line *of = line == RL_NONE ? NULL : &capture->source_lines[line];
    struct place_row row = {.kernel = kernel->label, .reason = RL_STALL_COUNT, .has_line = of != NULL, .hot = count != NULL};
    if (of) {
        row.path = capture->source_files[of->file].path;
        row.number = of->number;
        row.text = of->text;
    }
    if (count) {
        row.samples = count->samples;
        const struct rl_pc_share share =
            rl_pc_share_of(capture, kernel->profile->sampling, count->samples, kernel->profile->all.samples);
        row.share = share.share;
        row.low = share.low;
        row.high = share.high;
        memcpy(row.counts, count->counts, sizeof row.counts);
        row.has_threads = kernel->profile->all.counts[RL_PC_threads] > 0;
        row.reason = rl_pc_top(count);
        row.reason_share = row.reason == RL_STALL_COUNT ? 0 : over(count->by[row.reason], count->samples);
    }
    return row;
}

static const struct rl_pc_count *count_of_line(const struct rl_pc_profile *profile, size_t line)
{
    for (size_t i = 0; i < profile->line_count; i++)
        if (profile->lines[i].at == line)
            return &profile->lines[i].count;
    return NULL;
}

/* Whether the line is one of the hottest, or near one. */
static bool is_near(const struct rl_capture *capture, const struct rl_pc_profile *profile, size_t line)
{
    const struct rl_source_line *of = &capture->source_lines[line];
    for (size_t i = 0; i < profile->line_count && i < MOST_AROUND; i++) {
        const struct rl_source_line *hot = &capture->source_lines[profile->lines[i].at];
        if (hot->file == of->file && (of->number > hot->number ? of->number - hot->number : hot->number - of->number) <= AROUND)
            return true;
    }
    return false;
}

RL_COMPARATOR(by_path, struct place_row, rl_ascending(x->path, y->path) ?: rl_ascending(x->number, y->number));

static void add_places(const struct view_source *source, struct source_kernel *kernel)
{
    const struct rl_pc_profile *profile = kernel->profile;
    struct rl_arena *arena = &source->subject->arena;
    kernel->lines = rl_arena_alloc(arena, profile->line_count * sizeof *kernel->lines);
    kernel->instructions = rl_arena_alloc(arena, profile->instruction_count * sizeof *kernel->instructions);
    for (size_t i = 0; i < profile->line_count; i++)
        kernel->lines[kernel->line_count++] = place_of(source, kernel, profile->lines[i].at, &profile->lines[i].count);
    for (size_t i = 0; i < profile->instruction_count; i++) {
        const struct rl_pc_instruction *instruction = &source->subject->capture->pc_instructions[profile->instructions[i].at];
        struct place_row *row = &kernel->instructions[kernel->instruction_count++];
        *row = place_of(source, kernel, instruction->line, &profile->instructions[i].count);
        row->offset = instruction->offset;
        row->sass = rl_capture_pc_text(source->subject->capture, profile->instructions[i].at);
    }
    /* The hottest lines with their neighbours, as the file has them. */
    const struct rl_capture *capture = source->subject->capture;
    kernel->around = rl_arena_alloc(&source->subject->arena, MOST_AROUND * (2 * AROUND + 1) * sizeof *kernel->around);
    for (size_t i = 0; i < kernel->profile->line_count && i < MOST_AROUND; i++) {
        const size_t hot = kernel->profile->lines[i].at;
        for (size_t line = hot > AROUND ? hot - AROUND : 0; line <= hot + AROUND && line < capture->source_line_count; line++) {
            bool had =
                !is_near(capture, kernel->profile, line) || capture->source_lines[line].file != capture->source_lines[hot].file;
            for (size_t k = 0; k < kernel->around_count && !had; k++)
                had = kernel->around[k].number == capture->source_lines[line].number &&
                      kernel->around[k].path == capture->source_files[capture->source_lines[line].file].path;
            if (!had && capture->source_lines[line].text)
                kernel->around[kernel->around_count++] = place_of(source, kernel, line, count_of_line(kernel->profile, line));
        }
    }
    if (kernel->around_count)
        rl_sort(kernel->around, kernel->around_count, sizeof *kernel->around, by_path);
}

/* ---- kernels ---- */

static bool matches(const regex_t *only, const char *text)
{
    return text && regexec(only, text, 0, NULL, 0) == 0;
}

/* Shapes of one kernel share their samples: the first of each name stands for all. */
static bool is_first(const struct view_source *source, const struct rl_kernel *kernel)
{
    return !RL_ANY(i, source->kernel_count,
                   strcmp(source->kernels[i].name, kernel->name) == 0 &&
                       source->kernels[i].gpu == source->subject->capture->gpus[kernel->gpu].index);
}

/* Samples of several periods stand for as many cycles. */
static double share_of_gpu(const struct rl_capture *capture, size_t gpu, const struct rl_pc_profile *profile)
{
    double all = 0;
    for (size_t i = 0; i < capture->pc_sampling_count; i++)
        if (capture->pc_samplings[i].gpu == gpu)
            all += ldexp((double)capture->pc_samplings[i].samples, (int)capture->pc_samplings[i].period);
    return all > 0 ? ldexp((double)profile->all.samples, (int)profile->sampling->period) / all : 0;
}

static void fill(const struct view_source *source, const struct rl_family *family, struct source_kernel *row)
{
    struct view_subject *subject = source->subject;
    const struct rl_kernel *kernel = &subject->capture->kernels[family->kernel];
    const struct rl_pc_profile *profile = rl_pc_profile_of(subject->capture, family->kernel, &subject->arena);
    *row = (struct source_kernel){.label = subject->analysis->kernels[family->kernel].label,
                                  .name = kernel->name,
                                  .id = family->figures ? family->id : family->classes->id,
                                  .gpu = subject->capture->gpus[kernel->gpu].index,
                                  .profile = profile,
                                  .stalled_share = over(profile->all.stalled, profile->all.samples)};
    if (profile->sampling)
        row->gpu_share = share_of_gpu(subject->capture, kernel->gpu, profile);
    /* Exact counters of the whole kernel: without patching launches, none can be read for single instructions. */
    const struct rl_kernel_result *result = &subject->analysis->kernels[family->kernel];
    static const struct {
        enum rl_metric sectors, efficiency;
    } metrics[] = {{RL_METRIC_sectors_per_request_load, RL_METRIC_load_efficiency},
                   {RL_METRIC_sectors_per_request_store, RL_METRIC_store_efficiency}};
    for (size_t i = 0; i < RL_COUNT(metrics); i++) {
        row->sectors[i] = result->metric[metrics[i].sectors];
        row->ideal[i] = rl_value_mul(row->sectors[i], result->metric[metrics[i].efficiency]);
    }
    row->reasons = rl_arena_alloc(&source->subject->arena, RL_STALL_COUNT * sizeof *row->reasons);
    const struct rl_pc_count *all = &row->profile->all;
    for (unsigned r = 0; r < RL_STALL_COUNT; r++)
        if (all->by[r])
            row->reasons[row->reason_count++] =
                (struct reason_row){(enum rl_stall_reason)r, all->by[r], over(all->by[r], all->samples)};
    rl_sort(row->reasons, row->reason_count, sizeof *row->reasons, by_samples);
    add_places(source, row);
}

const struct source_kernel *view_source_of_kernel(struct view_subject *subject, const struct rl_family *family)
{
    struct source_kernel *row = rl_arena_alloc(&subject->arena, sizeof *row);
    fill(&(struct view_source){.subject = subject}, family, row);
    return row->profile->all.samples ? row : NULL;
}

bool view_source_has_sass(const struct source_kernel *source)
{
    return RL_ANY(i, source->instruction_count, source->instructions[i].sass);
}

struct view_source *view_source_new(struct view_subject *subject, const regex_t *only)
{
    const struct rl_families *families = subject->families;
    struct view_source *source = rl_arena_alloc(&subject->arena, sizeof *source);
    assert(only);
    *source = (struct view_source){.subject = subject};
    source->kernels = rl_arena_alloc(&subject->arena, VIEW_SOURCE_KERNELS * sizeof *source->kernels);
    for (size_t i = 0; i < families->count; i++) {
        const struct rl_family *family = &families->at[i];
        const struct rl_kernel *kernel = &subject->capture->kernels[family->kernel];
        const char *id = family->figures ? family->id : family->classes->id;
        if ((matches(only, kernel->name) || matches(only, subject->analysis->kernels[family->kernel].label) || matches(only, id)) &&
            is_first(source, kernel)) {
            if (source->matching++ < VIEW_SOURCE_KERNELS)
                fill(source, family, &source->kernels[source->kernel_count++]);
        }
    }
    size_t count = RL_SUM(size_t, i, source->kernel_count, source->kernels[i].line_count);
    source->lines = rl_arena_alloc(&source->subject->arena, count * sizeof *source->lines);
    for (size_t i = 0; i < source->kernel_count; i++)
        for (size_t k = 0; k < source->kernels[i].line_count; k++)
            source->lines[source->line_count++] = source->kernels[i].lines[k];
    return source;
}

size_t view_source_matching(const struct view_source *source)
{
    return source->matching;
}

struct view_rows view_source_lines(const struct view_source *source)
{
    return VIEW_ROWS(source->lines, source->line_count);
}

/* levels.c - kernels against every level of memory (see roofline_entries.h). */
#include "roofline_entries.h"

enum { LEVELS = 4, MOST_CHOSEN = 7, MOST_ROOFS = 18 };
#define HIERARCHY_HEIGHT   196.0
#define INSTRUCTION_HEIGHT 210.0
#define LEAST_SHARE        1e-3 /* of the fastest: what is slower would squeeze all others together */

/* A level of memory: bytes of its transactions for the instruction roofline, and what a kernel moved there. */
static const struct level {
    enum rl_ceiling_id ceiling;
    enum rl_tone tone;
    double radius; /* nearer to DRAM is larger: of points on each other all are seen */
    double transaction_bytes;
    enum rl_metric intensity; /* FLOP per byte */
    enum rl_metric traffic;   /* bytes, or transactions where `counted` */
    bool counted;
} levels[LEVELS] = {
    {RL_CEILING_dram, RL_TONE_DRAM, 4.4, 32, RL_METRIC_intensity_dram, RL_METRIC_dram_bytes, false},
    {RL_CEILING_l2, RL_TONE_L2, 3.2, 32, RL_METRIC_intensity_l2, RL_METRIC_l2_bytes, false},
    {RL_CEILING_l1, RL_TONE_L1, 2.2, 32, RL_METRIC_intensity_l1, RL_METRIC_l1_bytes, false},
    {RL_CEILING_shared, RL_TONE_L1, 1.5, 128, RL_METRIC_intensity_shared, RL_METRIC_shared_wavefronts, true},
};

/* ---- which kernels ---- */

/* Of each kind of chart: the rate that it draws. */
static const enum rl_metric rates[] = {
    [RL_LEVELS_ARITHMETIC] = RL_METRIC_flop_per_second, [RL_LEVELS_INSTRUCTIONS] = RL_METRIC_instructions_per_second};

/* Whether a kernel has a place in such a chart. */
static bool has_place(struct rl_report *report, const struct rl_roofline_entry *entry, enum rl_levels_kind kind)
{
    return (kind == RL_LEVELS_ARITHMETIC ? rl_entry_on_roofline(entry) : entry->shows) &&
           rl_positive(rl_entry_metric(report, entry, rates[kind]));
}

struct chosen {
    const struct rl_roofline_entry *at[MOST_CHOSEN];
    size_t count, too_slow; /* shown; left out because it lies far below all others */
    bool unnamed;           /* a heading has the name */
};

/* Takes the entry in, in the order of the time that kernels took. */
static void take(struct chosen *chosen, const struct rl_roofline_entry *entry)
{
    size_t place = chosen->count;
    while (place > 0 && entry->total_ns > chosen->at[place - 1]->total_ns)
        place--;
    if (place == MOST_CHOSEN)
        return;
    chosen->count += chosen->count < MOST_CHOSEN;
    for (size_t i = chosen->count - 1; i > place; i--)
        chosen->at[i] = chosen->at[i - 1];
    chosen->at[place] = entry;
}

static struct chosen choose(struct rl_report *report, size_t gpu, enum rl_levels_kind kind)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    struct chosen chosen = {.count = 0};
    for (size_t i = 0; i < entries->count; i++)
        if (!entries->at[i].run && has_place(report, &entries->at[i], kind))
            take(&chosen, &entries->at[i]);
    const enum rl_metric rate = rates[kind];
    double fastest = 0;
    size_t kept = 0;
    for (size_t i = 0; i < chosen.count; i++)
        fastest = fmax(fastest, rl_entry_metric(report, chosen.at[i], rate).v);
    for (size_t i = 0; i < chosen.count; i++)
        if (rl_entry_metric(report, chosen.at[i], rate).v >= LEAST_SHARE * fastest)
            chosen.at[kept++] = chosen.at[i];
    chosen.too_slow = chosen.count - kept;
    chosen.count = kept;
    return chosen;
}

/* Whether a kernel of a program does no arithmetic that has a place, and takes more time than one of the chosen. */
static bool misses_longer(struct rl_report *report, size_t gpu, const struct chosen *chosen)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    if (chosen->count == 0)
        return false;
    return RL_ANY(i, entries->count,
                  !has_place(report, &entries->at[i], RL_LEVELS_ARITHMETIC) &&
                      entries->at[i].total_ns > chosen->at[chosen->count - 1]->total_ns);
}

static const char *longest_text(struct rl_report *report, size_t gpu, const struct chosen *chosen)
{
    const char *most = chosen->count == 1 ? "one that takes" : rl_words(report->doc, "%zu that take", chosen->count);
    if (misses_longer(report, gpu, chosen))
        return rl_words(report->doc, "Of the kernels that can be placed, the %s the most time.", most);
    return chosen->count == 1 ? "The kernel." : rl_words(report->doc, "The %zu kernels that take the most time.", chosen->count);
}

const char *rl_levels_executing_text(struct rl_report *report, size_t gpu)
{
    const size_t drawn = choose(report, gpu, RL_LEVELS_INSTRUCTIONS).count, all = rl_roofline_entries_of(report, gpu)->count;
    return drawn == all ? "Every kernel has a place here, even those without floating-point work"
                        : rl_words(report->doc, "%zu of %zu kernels %s drawn here, with or without floating-point work", drawn, all,
                                   drawn == 1 ? "is" : "are");
}

const char *rl_levels_chosen_text(struct rl_report *report, size_t gpu)
{
    const struct chosen chosen = choose(report, gpu, RL_LEVELS_ARITHMETIC);
    const char *slow = chosen.too_slow == 0 ? ""
                                            : rl_words(report->doc, " %s over a thousand times slower and not drawn.",
                                                       rl_words_count(report->doc, chosen.too_slow, "more is", "more are"));
    return rl_words(report->doc, "%s%s", longest_text(report, gpu, &chosen), slow);
}

bool rl_levels_has(struct rl_report *report, size_t gpu, enum rl_levels_kind kind)
{
    return choose(report, gpu, kind).count > 0;
}

bool rl_levels_issue_leads(struct rl_report *report, size_t gpu)
{
    const struct rl_roofline_entries *entries = rl_roofline_entries_of(report, gpu);
    double leads_ns = 0, all_ns = 0;
    for (size_t i = 0; i < entries->count; i++) {
        const struct rl_roofline_entry *entry = &entries->at[i];
        all_ns += entry->total_ns;
        if (entry->limiter < RL_RESOURCE_COUNT && rl_resources[entry->limiter].kind == RL_KIND_COMPUTE)
            leads_ns += entry->total_ns;
    }
    return leads_ns > all_ns / 2;
}

/* ---- joined points ---- */

/* x of a kernel at a level, missing where it moved nothing there. */
typedef struct rl_value (*place_fn)(struct rl_report *report, const struct rl_roofline_entry *entry, const struct level *level);

static struct rl_value arithmetic_place(struct rl_report *report, const struct rl_roofline_entry *entry, const struct level *level)
{
    return rl_entry_metric(report, entry, level->intensity);
}

static struct rl_value instruction_place(struct rl_report *report, const struct rl_roofline_entry *entry, const struct level *level)
{
    struct rl_value traffic = rl_entry_metric(report, entry, level->traffic);
    if (!level->counted)
        traffic = rl_value_div(traffic, rl_value_of(level->transaction_bytes), NULL);
    return rl_value_div(rl_entry_metric(report, entry, RL_METRIC_instructions), traffic, "no traffic");
}

/* The points of one kernel, from the level nearest to DRAM on; the first one has the label. */
static size_t add_kernel(struct rl_report *report, const struct rl_roofline_entry *entry, const char *label, place_fn place,
                         enum rl_metric rate, struct rl_chart_point *points)
{
    size_t count = 0;
    double y = rl_entry_metric(report, entry, rate).v;
    const struct rl_stats *time = entry->duration;
    const enum rl_tone limiter = rl_words_tone(rl_entry_limiter(entry));
    for (size_t i = 0; i < LEVELS; i++) {
        const struct rl_value x = place(report, entry, &levels[i]);
        if (!rl_positive(x))
            continue;
        points[count] = (struct rl_chart_point){.x = x.v,
                                                .y = y,
                                                .low = NAN,
                                                .high = NAN,
                                                .tone = levels[i].tone,
                                                .hollow = levels[i].tone != limiter,
                                                .joined = count > 0,
                                                .radius = levels[i].radius,
                                                .name = entry->label,
                                                .label = count > 0 ? NULL : label};
        if (time->has_interval && time->low > 0) {
            points[count].low = y * time->median / time->high;
            points[count].high = y * time->median / time->low;
        }
        count++;
    }
    return count;
}

static void plan_joined(struct rl_report *report, struct rl_section *section, const struct chosen *chosen, place_fn place,
                        enum rl_metric rate, double height, struct rl_chart_roofline *roofline)
{
    struct rl_chart_point *points = rl_arena_alloc(report->doc->arena, MOST_CHOSEN * LEVELS * sizeof *points);
    size_t count = 0;
    for (size_t i = 0; i < chosen->count; i++)
        count += add_kernel(report, chosen->at[i], chosen->unnamed ? NULL : chosen->at[i]->name, place, rate, points + count);
    roofline->points = points;
    roofline->point_count = count;
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_ROOFLINE);
    chart->roofline = *roofline;
    chart->height = height;
}

/* Whether a level has the roof of one that is there already: L1 and shared memory are one unit. */
static bool is_same_roof(const struct rl_chart_roof *roofs, size_t count, const struct rl_chart_roof *roof)
{
    return RL_ANY(i, count, roofs[i].slanted && fabs(roofs[i].value / roof->value - 1) < 0.01);
}

/* The roofs of all levels, of FP32, and of the arithmetic of each kernel, the first of which is the main one. */
static void plan_arithmetic(struct rl_report *report, struct rl_section *section, size_t gpu, const struct chosen *chosen)
{
    struct rl_chart_roof *roofs = rl_arena_alloc(report->doc->arena, MOST_ROOFS * sizeof *roofs);
    bool done[RL_CEILING_COUNT] = {false};
    size_t count = 0;
    for (size_t i = 0; i < LEVELS; i++) {
        const size_t more = rl_roofs_add(report->doc, report->analysis, gpu, levels[i].ceiling,
                                         levels[i].ceiling == RL_CEILING_dram, roofs + count);
        count += more && is_same_roof(roofs, count, &roofs[count]) ? 0 : more;
    }
    for (size_t i = 0; i <= chosen->count && count + 2 <= MOST_ROOFS; i++) {
        const enum rl_ceiling_id flat = i < chosen->count ? rl_entry_arithmetic_roof(chosen->at[i]) : RL_CEILING_fp32;
        if (!done[flat])
            count += rl_roofs_add(report->doc, report->analysis, gpu, flat, i == 0, roofs + count);
        done[flat] = true;
    }
    struct rl_chart_roofline roofline = {
        .roofs = roofs, .roof_count = count, .x_title = "Arithmetic intensity, FLOP per byte of that level", .no_ridge = true};
    plan_joined(report, section, chosen, arithmetic_place, RL_METRIC_flop_per_second, HIERARCHY_HEIGHT, &roofline);
}

/* ---- instructions ---- */

/* A bandwidth as transactions a second; a label that says so. */
static size_t add_transactions(struct rl_report *report, size_t gpu, const struct level *level, bool main,
                               struct rl_chart_roof *roofs)
{
    size_t count = rl_roofs_add(report->doc, report->analysis, gpu, level->ceiling, main, roofs);
    for (size_t i = 0; i < count; i++) {
        roofs[i].value /= level->transaction_bytes;
        roofs[i].low /= level->transaction_bytes;
        roofs[i].high /= level->transaction_bytes;
        roofs[i].figure = NULL;
        if (roofs[i].label)
            roofs[i].label = rl_words(report->doc, "%s %s", rl_roofs_name(report->doc, level->ceiling),
                                      rl_words_value(report->doc, RL_UNIT_TRANSACTION_PER_SECOND, rl_value_of(roofs[i].value), 3));
    }
    return count;
}

static void plan_execution(struct rl_report *report, struct rl_section *section, size_t gpu, const struct chosen *chosen)
{
    struct rl_chart_roof *roofs = rl_arena_alloc(report->doc->arena, MOST_ROOFS * sizeof *roofs);
    size_t count = 0;
    for (size_t i = 0; i < LEVELS; i++)
        count += add_transactions(report, gpu, &levels[i], levels[i].ceiling == RL_CEILING_dram, roofs + count);
    count += rl_roofs_add(report->doc, report->analysis, gpu, RL_CEILING_issue, true, roofs + count);
    struct rl_chart_roofline roofline = {.roofs = roofs,
                                         .roof_count = count,
                                         .x_title = "Warp instructions per transaction at that level",
                                         .y_title = "Warp instructions per second",
                                         .no_ridge = true};
    plan_joined(report, section, chosen, instruction_place, RL_METRIC_instructions_per_second, INSTRUCTION_HEIGHT, &roofline);
}

static void plan(struct rl_report *report, struct rl_section *section, size_t gpu, enum rl_levels_kind kind,
                 const struct chosen *chosen)
{
    (kind == RL_LEVELS_ARITHMETIC ? plan_arithmetic : plan_execution)(report, section, gpu, chosen);
}

void rl_levels_plan(struct rl_report *report, struct rl_section *section, size_t gpu, enum rl_levels_kind kind)
{
    const struct chosen chosen = choose(report, gpu, kind);
    plan(report, section, gpu, kind, &chosen);
}

/* Whether a level has a point of the kernel: transactions of at least one were counted. */
static bool has_transactions(struct rl_report *report, const struct rl_roofline_entry *entry)
{
    return RL_ANY(i, LEVELS, rl_positive(instruction_place(report, entry, &levels[i])));
}

bool rl_levels_plan_kernel(struct rl_report *report, struct rl_section *section, size_t gpu, const struct rl_roofline_entry *entry,
                           bool *arithmetic)
{
    const struct chosen one = {.at = {entry}, .count = 1, .unnamed = true};
    *arithmetic = has_place(report, entry, RL_LEVELS_ARITHMETIC);
    const enum rl_levels_kind kind = *arithmetic ? RL_LEVELS_ARITHMETIC : RL_LEVELS_INSTRUCTIONS;
    if (!has_place(report, entry, kind) || (!*arithmetic && !has_transactions(report, entry)))
        return false;
    plan(report, section, gpu, kind, &one);
    return true;
}

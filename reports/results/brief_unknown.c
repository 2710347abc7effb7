/* brief_unknown.c - what is unknown of kernels, and how to get it. */
#include "core/formula.h"
#include "show_parts.h"

/* ---- which sets have what is missing ---- */

/* Sets that a formula needs: bits 1u << enum rl_metric_set. */
static unsigned sets_of(const char *text)
{
    struct rl_formula *formula = NULL;
    struct rl_err err = RL_ERR_INIT;
    const char *const *names;
    unsigned sets = 0;
    if (!text || rl_formula_parse(text, &formula, &err) != RL_OK)
        return 0;
    for (size_t i = 0, count = rl_formula_names(formula, &names); i < count; i++) {
        const enum rl_metric metric = rl_metric_find(names[i]);
        if (metric < RL_METRIC_COUNT)
            sets |= 1u << rl_metrics[metric].set;
    }
    rl_formula_free(formula);
    return sets;
}

static unsigned sets_of_resource(enum rl_resource resource)
{
    unsigned sets = 0;
    for (size_t i = 0; i < RL_DEMAND_COUNT; i++)
        if (rl_demands[i].resource == resource)
            sets |= sets_of(rl_demands[i].work);
    return sets;
}

/* "collect --metrics pipes --budget all counts them": with more budget where these sets were collected of other kernels. NULL: no
 * sets. */
static const char *how(const struct view *view, unsigned sets)
{
    const unsigned collected = view_subject_of(view)->analysis->sets, core = 1u << RL_SET_CORE, limits = 1u << RL_SET_LIMITS;
    struct rl_buf text = RL_BUF_IN(view->arena);
    /* The set of limiters is the suite's, and has what others have. */
    sets = sets & ~core & ~limits ? sets & ~core & ~limits : sets;
    for (size_t set = 0, count = 0; set < RL_SET_COUNT; set++)
        if (sets & ~core & 1u << set)
            rl_buf_addf(&text, "%s%s", count++ ? "," : "collect --metrics ", rl_sets[set].name);
    if (!sets)
        return NULL;
    rl_buf_addf(&text, "%s%s counts them", text.len ? "" : "collect", sets & ~collected ? "" : " --budget all");
    return text.data;
}

const char *view_how_to_decide(const struct view *view, const struct rl_limiting *limits)
{
    unsigned sets = limits->wants_stalls && !limits->sampled_stall.samples ? 1u << RL_SET_TOPSTALLS : 0;
    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        if (limits->wanted >> i & 1 && limits->of[i].time_s.state == RL_NOT_COLLECTED)
            sets |= sets_of_resource((enum rl_resource)i);
    return limits->uncounted ? NULL : how(view, sets);
}

/* ---- of one kernel ---- */

struct unknowns {
    const struct view *view;
    struct view_unknown *list;
    size_t count;
    unsigned sets[RL_RESOURCE_COUNT];       /* that would measure each resource */
    bool decides, is_option;                /* of the rows that are being added */
    bool uncounted;                         /* a row says why it has no counters, or not all */
    bool lacks_stalls;                      /* they were not collected, and no row has it yet */
    const char *groups[VIEW_BRIEF_UNKNOWN]; /* of the first resource of each row; NULL: of none */
};

static void add_of(struct unknowns *unknowns, const char *group, const char *what, const char *reason, const char *get)
{
    assert(what && reason);
    if (unknowns->count == VIEW_BRIEF_UNKNOWN)
        return;
    unknowns->groups[unknowns->count] = group;
    unknowns->list[unknowns->count++] = (struct view_unknown){.what = view_brief_text(unknowns->view, what),
                                                              .reason = view_brief_text(unknowns->view, reason),
                                                              .how = get,
                                                              .is_option = unknowns->is_option,
                                                              .decides = unknowns->decides};
}

static void add(struct unknowns *unknowns, const char *what, const char *reason, const char *get)
{
    add_of(unknowns, NULL, what, reason, get);
}

/* Whether a row says so already: of the same group, or of others for the same reason where no option collects them. */
static bool is_told(const struct unknowns *unknowns, const char *group, const char *reason)
{
    const char *text = view_brief_text(unknowns->view, reason);
    return RL_ANY(i, unknowns->count,
                  strcmp(unknowns->list[i].reason, text) == 0 && (!unknowns->list[i].is_option || unknowns->groups[i] == group));
}

/* Unknown, and not because the chip has no such thing or there was too little work. */
static bool is_unknown(const struct rl_limit *limit)
{
    return !rl_present(limit->time_s) && limit->time_s.state != RL_NOT_ON_CHIP && !limit->too_little;
}

static bool has_stalls(const struct rl_kernel_result *result)
{
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        if (rl_metric_is_stall((enum rl_metric)i) && rl_present(result->metric[i]))
            return true;
    return rl_sampled_stall_known(&result->limits.sampled_stall);
}

/* The name of a resource in a list: its group, where others of it are missing, too. */
static const char *name_of(const struct rl_kernel_result *result, size_t resource)
{
    const char *group = rl_resources[resource].group;
    return group && !result->limits.of[resource].no_roof ? group : rl_resources[resource].label;
}

/* Whether two unknown resources share a line: the reason is the same, and another set of metrics helps both or neither. */
static bool is_like(const struct unknowns *unknowns, const struct rl_kernel_result *result, size_t a, size_t b)
{
    const struct rl_limit *of = result->limits.of;
    return is_unknown(&of[b]) && strcmp(rl_value_reason(of[a].time_s), rl_value_reason(of[b].time_s)) == 0 &&
           !unknowns->sets[a] == !unknowns->sets[b];
}

/* The remedy where no set of metrics is one. */
static const char *remedy_of(enum rl_state state)
{
    return state == RL_NOT_PERMITTED ? "rooflight doctor has the remedy" : "no option collects it";
}

/* The resources that are unknown as `first` is, unless an earlier line has it. */
static void add_resources(struct unknowns *unknowns, const struct rl_kernel_result *result, size_t first)
{
    const char *reason = rl_value_reason(result->limits.of[first].time_s);
    struct rl_buf names = RL_BUF_INIT;
    const char *last = NULL; /* rows of a group stand together */
    unsigned sets = 0;
    assert(is_unknown(&result->limits.of[first]));
    for (size_t i = 0; i < first; i++)
        if (is_like(unknowns, result, first, i))
            return;
    for (size_t i = first; i < RL_RESOURCE_COUNT; i++) {
        if (!is_like(unknowns, result, first, i))
            continue;
        const char *name = name_of(result, i);
        if (name != last)
            rl_buf_addf(&names, "%s%s", last ? ", " : "", name);
        last = name;
        sets |= unknowns->sets[i];
    }
    if (sets && unknowns->lacks_stalls) { /* for the same reason, and the same command helps */
        rl_buf_adds(&names, ", stall reasons");
        sets |= 1u << RL_SET_TOPSTALLS;
        unknowns->lacks_stalls = false;
        unknowns->decides |= result->limits.wants_stalls;
    }
    const enum rl_state state = result->limits.of[first].time_s.state;
    const bool is_covered = unknowns->uncounted && state == RL_NOT_COLLECTED;
    unknowns->is_option = sets != 0;
    if (sets || (!is_covered && !is_told(unknowns, name_of(result, first), reason)))
        add_of(unknowns, name_of(result, first), names.data, reason, sets ? how(unknowns->view, sets) : remedy_of(state));
    unknowns->is_option = false;
    rl_buf_release(&names);
}

static void add_all(struct unknowns *unknowns, const struct view_brief_kernel *kernel)
{
    const struct rl_capture *capture = view_subject_of(unknowns->view)->capture;
    const char *uncounted = rl_uncounted_reason(capture, kernel->kernel.class->kernel);
    if (!rl_present(kernel->kernel.allowed))
        return;
    if (!rl_present(kernel->kernel.median_s))
        add(unknowns, "times", rl_value_reason(kernel->kernel.median_s), "no option collects it");
    unknowns->uncounted = uncounted != NULL;
    if (uncounted)
        add(unknowns, "counters", uncounted, rl_uncounted_remedy(capture, uncounted));
    if (kernel->told && kernel->told->limits.countless) /* and that is why all else is unknown */
        return;
    if (kernel->told) {
        /* A set does not help where a roof is missing, or where counters are refused; the reason for which a class was not counted
         * has a row, and neither a larger budget nor a set that others have changes it. */
        const struct rl_kernel_result *result = kernel->told;
        const unsigned no_help = unknowns->uncounted ? 1u << RL_SET_CORE | view_subject_of(unknowns->view)->analysis->sets : 0;
        for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
            if (is_unknown(&result->limits.of[i]) && !result->limits.of[i].no_roof &&
                result->limits.of[i].time_s.state == RL_NOT_COLLECTED)
                unknowns->sets[i] = sets_of_resource((enum rl_resource)i) & ~no_help;
    }
    const bool no_stalls = kernel->told && !has_stalls(kernel->told),
               too_few = no_stalls && kernel->told->limits.sampled_stall.samples;
    unknowns->lacks_stalls = no_stalls && !too_few;
    for (size_t i = 0; kernel->told && i < 2 * RL_RESOURCE_COUNT; i++) { /* those that an option collects come first */
        const size_t r = i % RL_RESOURCE_COUNT;
        unknowns->decides = kernel->told->limits.wanted >> r & 1;
        if (is_unknown(&kernel->told->limits.of[r]) && (i < RL_RESOURCE_COUNT) == (unknowns->sets[r] != 0))
            add_resources(unknowns, kernel->told, r);
    }
    unknowns->decides = kernel->told && kernel->told->limits.wants_stalls;
    unknowns->is_option = true;
    if (unknowns->lacks_stalls || too_few)
        add(unknowns, "stall reasons", too_few ? "too few samples of its warps" : "not collected",
            how(unknowns->view, 1u << RL_SET_TOPSTALLS));
    unknowns->is_option = false;
}

RL_COMPARATOR(by_use, struct view_unknown, rl_descending(x->decides, y->decides) ?: rl_ascending(x->order, y->order));

struct view_rows view_unknown_of_kernel(const struct view *view, const struct view_brief_kernel *kernel)
{
    struct unknowns unknowns = {.view = view, .list = rl_arena_alloc(view->arena, VIEW_BRIEF_UNKNOWN * sizeof *unknowns.list)};
    add_all(&unknowns, kernel);
    for (size_t i = 0; i < unknowns.count; i++)
        unknowns.list[i].order = i;
    if (unknowns.count)
        rl_sort(unknowns.list, unknowns.count, sizeof *unknowns.list, by_use);
    return VIEW_ROWS(unknowns.list, unknowns.count);
}

/* ---- of an overview ---- */

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Rows that decide a limiter come first, then those that an option collects, then the rest. */
static int rank_of(const struct view_unknown *row)
{
    return !row->is_option ? 2 : row->decides ? 0 : 1;
}

RL_COMPARATOR(by_rank, struct view_unknown,
              rl_ascending(rank_of(x), rank_of(y)) ?: rl_descending(x->share, y->share) ?: rl_ascending(x->order, y->order));

/* Once for each option that collects it, and for each other reason. */
struct view_rows view_unknown_of_brief(const struct view *view, const struct view_brief *brief)
{
    struct view_unknown *list = rl_arena_alloc(view->arena, (brief->kernel_count * VIEW_BRIEF_UNKNOWN + 1) * sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < brief->kernel_count; i++) {
        const struct view_rows rows = view_unknown_of_kernel(view, &brief->kernels[i]);
        for (size_t k = 0; k < rows.count; k++) {
            const struct view_unknown *row = view_rows_at(&rows, k);
            size_t same = 0;
            while (same < count && (!is_same(list[same].reason, row->reason) || !is_same(list[same].how, row->how)))
                same++;
            if (same == count) {
                list[count] = *row;
                list[count].order = count;
                count++;
            }
            list[same].decides |= row->decides;
            list[same].kernels++;
            list[same].share += brief->kernels[i].family->share;
        }
    }
    if (count)
        rl_sort(list, count, sizeof *list, by_rank);
    return VIEW_ROWS(list, count < VIEW_BRIEF_UNKNOWN || brief->all ? count : VIEW_BRIEF_UNKNOWN);
}

VIEW_CELL_IF(option_cell, struct view_unknown, row->is_option, row->how);
VIEW_CELL_IF(elsewhere_cell, struct view_unknown, !row->is_option, "reason and remedy under Evidence");
VIEW_CELL_IF(unknown_share_cell, struct view_unknown, row->share > 0, rl_value_of(row->share));

/* clang-format off */
static const struct view_field unknown_fields[] = {
    {.id = "what", VIEW_AT(struct view_unknown, what), .help = "what is unknown"},
    {.id = "reason", VIEW_AT(struct view_unknown, reason), .help = "why"},
    {.id = "how", VIEW_AT(struct view_unknown, how), .optional = true,
     .help = "the option that collects it, or that none does; absent: the reason names one"},
    {.id = "option", VIEW_GET(TEXT, option_cell), .for_people = true, .help = "'how', where it is an option"},
    {.id = "elsewhere", VIEW_GET(TEXT, elsewhere_cell), .for_people = true,
     .help = "of a report's page about a kernel, where it is none: what has the reason and the remedy"},
    {.id = "kernels", VIEW_AT(struct view_unknown, kernels), .for_people = true, .help = "of how many kernels of an overview"},
    {.id = "share", VIEW_GET(NUMBER, unknown_share_cell), .unit = RL_UNIT_FRACTION, .digits = 3, .for_people = true,
     .help = "their share of the GPU time"},
};
/* clang-format on */
const struct view_record view_record_unknown = {
    .id = "unknown", .help = "what is unknown, and how to get it", VIEW_FIELDS(unknown_fields)};

/* counters.c - counters of a kernel class that were asked for by name, with the unit that the name tells. */
#include "analysis/plan.h"
#include "show_parts.h"

static struct view_cell unit_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf unit = RL_BUF_IN(view->arena);
    rl_counter_unit(((const struct rl_counter *)row)->name, &unit);
    const char *kept = rl_arena_strdup(view->arena, unit.len ? unit.data : "1");
    return view_cell_text(kept);
}

static const struct view_field counter_fields[] = {
    {.id = "name", VIEW_AT(struct rl_counter, name), .identifies = true, .help = "the vendor's name"},
    {.id = "value", VIEW_AT(struct rl_counter, value), .help = "median over the launches that were counted"},
    {.id = "unit", VIEW_GET(TEXT, unit_cell), .help = "from its name; '1': a plain number"},
};
const struct view_record view_record_counter = {
    .id = "counter", .help = "a counter that was asked for by the vendor's name", VIEW_FIELDS(counter_fields)};

struct view_cell view_counters_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_kernel *of = row;
    const char *const *names;
    const size_t count = rl_named_counters(view_subject_of(view)->analysis, &names);
    size_t *at = rl_arena_alloc(view->arena, count * sizeof *at), found = 0;
    if (of->family || !of->kernel)
        return view_cell_absent("");
    rl_named_counters_of(view_subject_of(view)->analysis, of->kernel, at);
    for (size_t i = 0; i < count; i++)
        if (at[i] != RL_NONE)
            at[found++] = at[i];
    if (!found)
        return view_cell_absent("");
    return view_cell_rows((struct view_rows){of->kernel->counters, sizeof *of->kernel->counters, found, at});
}

const struct rl_counter *view_show_counter(const void *row, const char *name)
{
    const struct view_kernel *of = row;
    return of->family || !of->kernel ? NULL : rl_named_counter(of->kernel, name);
}

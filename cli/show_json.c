/* show_json.c - a capture as JSON, its kernels as CSV and as one table. */
#include <stdlib.h>

#include "analysis/counters.h"
#include "core/mem.h"
#include "core/units.h"
#include "results/show.h"
#include "show.h"
#include "view_csv.h"
#include "view_json.h"
#include "view_text.h"

void show_json(const struct show *show, struct rl_buf *out)
{
    struct view_show *all = view_show_new(show->subject); /* what data has and text does not */
    const struct view view = view_subject_view(show->subject, &view_record_show, all);
    cli_view_document(&view, &(struct cli_view_document){.choice = show->choice, .chosen = &view_record_kernel}, out);
}

/* The value of a counter that was asked for by name; a family of classes has none of its own. */
static void counter_cell(const void *context, const void *row, size_t column, struct rl_buf *out)
{
    const struct rl_analysis *analysis = context;
    const struct rl_counter *counter = view_show_counter(row, analysis->counters[column]);
    if (counter && rl_present(counter->value))
        rl_number_exact(out, counter->value.v);
}

/* Heads of such columns: "dram__bytes_read.sum [B]". Free each, and the array, with free(). */
static char **counter_heads(const struct rl_analysis *analysis)
{
    char **heads = rl_calloc(analysis->counter_count, sizeof *heads);
    for (size_t i = 0; i < analysis->counter_count; i++) {
        struct rl_buf head = RL_BUF_INIT, unit = RL_BUF_INIT;
        rl_counter_unit(analysis->counters[i], &unit);
        rl_buf_addf(&head, "%s%s%s%s", analysis->counters[i], unit.len ? " [" : "", unit.len ? unit.data : "", unit.len ? "]" : "");
        heads[i] = rl_buf_detach(&head, NULL);
        rl_buf_release(&unit);
    }
    return heads;
}

void show_csv(const struct show *show, struct rl_buf *out)
{
    char **heads = counter_heads(show->analysis);
    const struct cli_csv_beside beside = {(const char *const *)heads, show->analysis->counter_count, counter_cell, show->analysis};
    struct view_show *all = view_show_new(show->subject); /* what data has and text does not */
    const struct view view = view_subject_view(show->subject, &view_record_show, all);
    const struct view_rows rows = view_choice_rows(show->choice, &view, view_show_kernels(all));
    cli_view_csv(&view, &view_record_kernel, &rows, show->choice, &beside, out);
    for (size_t i = 0; i < beside.count; i++)
        free(heads[i]);
    free(heads);
}

void show_chosen(const struct show *show, struct cli_doc *doc)
{
    struct view_show *all = view_show_new(show->subject); /* what data has and text does not */
    const struct view view = view_subject_view(show->subject, &view_record_show, all);
    const struct view_rows rows = view_choice_rows(show->choice, &view, view_show_kernels(all));
    if (rows.count)
        cli_view_table(&view, &view_record_kernel, &rows, show->choice, doc);
    else
        cli_doc_note(doc, "no kernel fulfils the conditions");
}

#include "compare_project.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/suggest.h"
#include "core/table.h"

enum { MOST_ROWS = 40 };

/* ---- cards ---- */

static enum rl_status unknown_card(const char *name, struct rl_err *err)
{
    const char **known = rl_calloc(rl_card_count, sizeof *known);
    for (size_t i = 0; i < rl_card_count; i++)
        known[i] = rl_cards[i].id;
    const char *nearest = rl_nearest(name, known, rl_card_count);
    rl_err_set(err, RL_USAGE, "there is no card '%s'%s%s%s; 'rooflight list cards' shows all", name,
               nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    free(known);
    return RL_USAGE;
}

static bool among(const struct rl_card_info *const *cards, size_t count, const struct rl_card_info *card)
{
    for (size_t i = 0; i < count; i++)
        if (cards[i] == card)
            return true;
    return false;
}

enum rl_status project_parse(const char *list, const struct rl_card_info *cards[PROJECT_MOST_CARDS], size_t *count,
                             struct rl_err *err)
{
    enum rl_status status = RL_OK;
    *count = 0;
    for (const char *at = list; status == RL_OK && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char *name = rl_strndup(at, strcspn(at, ","));
        const struct rl_card_info *card = rl_card_find(name);
        if (!card)
            status = unknown_card(name, err);
        else if (*count == PROJECT_MOST_CARDS)
            status = rl_err_set(err, RL_USAGE, "--project takes at most %d cards", PROJECT_MOST_CARDS);
        else if (!among(cards, *count, card))
            cards[(*count)++] = card;
        free(name);
    }
    return status;
}

void project_make(struct project *project, const struct rl_analysis *analysis, const struct rl_card_info *const *cards,
                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        project->cards[project->count++] = rl_projection_new(analysis, cards[i]);
}

void project_release(struct project *project)
{
    for (size_t i = 0; i < project->count; i++)
        rl_projection_free(project->cards[i]);
    project->count = 0;
}

/* ---- text ---- */

static void cell_value(struct rl_table *table, enum rl_unit unit, struct rl_value value, const char *prefix)
{
    struct rl_buf text = RL_BUF_INIT;
    if (rl_present(value))
        rl_buf_adds(&text, prefix);
    rl_value_format(&text, unit, value, 3);
    rl_table_cell(table, text.data);
    rl_buf_release(&text);
}

/* "3.23–5.01 ms": the bound under other assumptions; nothing where they make no difference. */
static void cell_range(struct rl_table *table, const struct rl_projected *projected)
{
    const struct rl_value low = projected->bound_low_s, high = projected->bound_high_s;
    struct rl_buf from = RL_BUF_INIT, to = RL_BUF_INIT;
    if (rl_present(low) && rl_present(high)) {
        const struct rl_scale scale = rl_unit_scale(RL_UNIT_SECOND, high.v);
        rl_number_format(&from, low.v * scale.factor, 3);
        rl_number_format(&to, high.v * scale.factor, 3);
        if (strcmp(from.data, to.data) != 0)
            rl_buf_addf(&from, "–%s %s", to.data, scale.symbol);
        else
            rl_buf_reset(&from);
    }
    rl_table_cell(table, from.len ? from.data : "");
    rl_buf_release(&from);
    rl_buf_release(&to);
}

static struct rl_value time_here(const struct rl_projection *projection, size_t kernel)
{
    const struct rl_stats *duration = &projection->analysis->kernels[kernel].duration;
    return duration->n ? rl_value_of(duration->median) : rl_value_missing(RL_NOT_COLLECTED, "not timed");
}

static void add_row(struct rl_table *table, const struct rl_projection *projection, size_t kernel)
{
    const struct rl_projected *projected = &projection->kernels[kernel];
    rl_table_row(table);
    rl_table_cell(table, projection->analysis->kernels[kernel].label);
    cell_value(table, RL_UNIT_SECOND, time_here(projection, kernel), "");
    cell_value(table, RL_UNIT_SECOND, projected->bound_s, "≥ ");
    cell_range(table, projected);
    rl_table_cell(table, rl_present(projected->bound_s) ? rl_ceilings[projected->binding].label : "–");
    cell_value(table, RL_UNIT_SECOND, projected->estimate_s, "~ ");
}

struct head {
    const char *text;
    enum rl_align align;
};

static void begin_table(struct rl_table *table, const struct head *heads, size_t count)
{
    rl_table_init(table);
    for (size_t i = 0; i < count; i++)
        rl_table_column(table, heads[i].text, heads[i].align);
}

static void end_table(struct rl_table *table, size_t left_out, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    if (table->row_count)
        cli_doc_table(doc, table);
    if (left_out) {
        rl_buf_addf(&text, "%zu more kernels (--verbose lists all)", left_out);
        cli_doc_note(doc, text.data);
    }
    rl_buf_release(&text);
    rl_table_release(table);
}

static void print_times(const struct rl_projection *projection, bool all, struct cli_doc *doc)
{
    static const struct head heads[] = {{"kernel", RL_LEFT},    {"measured", RL_RIGHT}, {"bound", RL_RIGHT},
                                        {"interval", RL_RIGHT}, {"set by", RL_LEFT},    {"estimate", RL_RIGHT}};
    const size_t count = projection->analysis->capture->kernel_count, most = all || count <= MOST_ROWS ? count : MOST_ROWS;
    struct rl_table table;
    begin_table(&table, heads, RL_COUNT(heads));
    for (size_t i = 0; i < most; i++)
        add_row(&table, projection, i);
    end_table(&table, count - most, doc);
}

static bool is_full(struct rl_value occupancy)
{
    return rl_present(occupancy) && occupancy.v >= 1;
}

static void add_occupancy(struct rl_table *table, const char *label, struct rl_value here, const struct rl_occupancy *there)
{
    struct rl_buf limiter = RL_BUF_INIT;
    rl_occupancy_limiter_text(there, &limiter);
    rl_table_row(table);
    rl_table_cell(table, label);
    cell_value(table, RL_UNIT_FRACTION, here, "");
    cell_value(table, RL_UNIT_FRACTION, there->fraction, "");
    rl_table_cell(table, !rl_present(there->fraction) ? there->fraction.reason : limiter.len ? limiter.data : "");
    rl_buf_release(&limiter);
}

/* Kernels that are full on both cards need no row. */
static void print_occupancy(const struct rl_projection *projection, bool all, struct cli_doc *doc)
{
    static const struct head heads[] = {
        {"kernel", RL_LEFT}, {"occupancy here", RL_RIGHT}, {"there", RL_RIGHT}, {"limited there by", RL_LEFT}};
    const size_t most = all ? (size_t)-1 : MOST_ROWS;
    struct rl_table table;
    struct rl_buf text = RL_BUF_INIT;
    size_t full = 0, left_out = 0;
    begin_table(&table, heads, RL_COUNT(heads));
    for (size_t i = 0; i < projection->analysis->capture->kernel_count; i++) {
        const struct rl_kernel_result *result = &projection->analysis->kernels[i];
        const struct rl_occupancy *there = &projection->kernels[i].occupancy;
        if (is_full(result->occupancy.fraction) && is_full(there->fraction))
            full++;
        else if (table.row_count < most)
            add_occupancy(&table, result->label, result->occupancy.fraction, there);
        else
            left_out++;
    }
    if (table.row_count)
        cli_doc_gap(doc);
    if (full) {
        rl_buf_addf(&text, "static occupancy is 100 %% here and there for %zu%s", full, table.row_count ? " others" : "");
    }
    end_table(&table, left_out, doc);
    if (text.len)
        cli_doc_note(doc, text.data);
    rl_buf_release(&text);
}

/* Why there is no figure: each reason once, with how many kernels it is of. */
static void print_gaps(const struct rl_projection *projection, struct cli_doc *doc)
{
    const size_t count = projection->analysis->capture->kernel_count;
    for (size_t i = 0; i < count; i++) {
        const struct rl_value first = projection->kernels[i].estimate_s;
        size_t same = 0;
        bool said = false;
        for (size_t j = 0; j < count && !said && !rl_present(first); j++) {
            const struct rl_value other = projection->kernels[j].estimate_s;
            const bool equal = !rl_present(other) && strcmp(other.reason, first.reason) == 0;
            said = equal && j < i;
            same += equal;
        }
        if (said || same == 0)
            continue;
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "no estimate for %zu: %s", same, first.reason);
        cli_doc_note(doc, text.data);
        rl_buf_release(&text);
    }
}

void project_text(const struct project *project, bool all, struct cli_doc *doc)
{
    for (size_t i = 0; i < project->count; i++) {
        const struct rl_projection *projection = project->cards[i];
        struct rl_buf title = RL_BUF_INIT;
        rl_buf_addf(&title, "Projected to %s: calculated, not measured", projection->card->id);
        cli_doc_gap(doc);
        cli_doc_heading(doc, title.data);
        print_times(projection, all, doc);
        print_gaps(projection, doc);
        print_occupancy(projection, all, doc);
        for (size_t j = 0; j < projection->assumption_count; j++)
            cli_doc_note(doc, projection->assumptions[j]);
        rl_buf_release(&title);
    }
}

/* ---- JSON ---- */

static void write_kernel(struct rl_json *json, const struct rl_projection *projection, size_t kernel)
{
    const struct rl_projected *projected = &projection->kernels[kernel];
    struct rl_buf limiter = RL_BUF_INIT;
    rl_occupancy_limiter_text(&projected->occupancy, &limiter);
    rl_json_object(json, NULL);
    rl_json_string(json, "name", projection->analysis->kernels[kernel].label);
    rl_json_value(json, "measured_here_s", time_here(projection, kernel));
    rl_json_value(json, "bound_s", projected->bound_s);
    rl_json_value(json, "bound_low_s", projected->bound_low_s);
    rl_json_value(json, "bound_high_s", projected->bound_high_s);
    rl_json_string(json, "set_by", rl_present(projected->bound_s) ? rl_ceilings[projected->binding].id : NULL);
    rl_json_value(json, "share_here", projected->share_here);
    rl_json_value(json, "estimate_s", projected->estimate_s);
    rl_json_string(json, "no_estimate", rl_present(projected->estimate_s) ? NULL : projected->estimate_s.reason);
    rl_json_value(json, "speedup_at_most", projected->most_speedup);
    rl_json_value(json, "speedup_estimate", projected->estimate_speedup);
    rl_json_value(json, "occupancy", projected->occupancy.fraction);
    rl_json_string(json, "limited_by", limiter.len ? limiter.data : NULL);
    rl_json_end(json);
    rl_buf_release(&limiter);
}

static void write_ceilings(struct rl_json *json, const struct rl_projection *projection)
{
    rl_json_object(json, "ceilings");
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        struct rl_buf origin = RL_BUF_INIT;
        if (rl_ceilings[i].role != RL_ROOF || !rl_present(projection->ceiling[i].figure))
            continue;
        rl_projection_origin_text(projection, (enum rl_ceiling_id)i, &origin);
        rl_json_object(json, rl_ceilings[i].id);
        rl_json_value(json, "figure", projection->ceiling[i].figure);
        rl_json_string(json, "unit", rl_unit_json(rl_ceilings[i].unit));
        rl_json_string(json, "origin", origin.data);
        rl_json_end(json);
        rl_buf_release(&origin);
    }
    rl_json_end(json);
}

void project_json(const struct project *project, struct rl_json *json)
{
    rl_json_array(json, "projections");
    for (size_t i = 0; i < project->count; i++) {
        const struct rl_projection *projection = project->cards[i];
        rl_json_object(json, NULL);
        rl_json_string(json, "card", projection->card->id);
        rl_json_string(json, "kind", "projected");
        rl_json_array(json, "assumptions");
        for (size_t j = 0; j < projection->assumption_count; j++)
            rl_json_string(json, NULL, projection->assumptions[j]);
        rl_json_end(json);
        write_ceilings(json, projection);
        rl_json_array(json, "kernels");
        for (size_t j = 0; j < projection->analysis->capture->kernel_count; j++)
            write_kernel(json, projection, j);
        rl_json_end(json);
        rl_json_end(json);
    }
    rl_json_end(json);
}

#include "compare_project.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/table.h"
#include "suggest.h"

enum { MOST_ROWS = 40 };

/* ---- cards ---- */

static enum rl_status unknown_card(const char *name, struct rl_err *err)
{
    const char **known = rl_calloc(rl_card_count, sizeof *known);
    for (size_t i = 0; i < rl_card_count; i++)
        known[i] = rl_cards[i].id;
    const char *nearest = cli_nearest(name, known, rl_card_count);
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

/* "37.5 % registers". */
static void cell_occupancy(struct rl_table *table, const struct rl_occupancy *occupancy)
{
    struct rl_buf text = RL_BUF_INIT, limiter = RL_BUF_INIT;
    rl_value_format(&text, RL_UNIT_FRACTION, occupancy->fraction, 3);
    rl_occupancy_limiter_text(occupancy, &limiter);
    if (limiter.len)
        rl_buf_addf(&text, " %s", limiter.data);
    rl_table_cell(table, text.data);
    rl_buf_release(&limiter);
    rl_buf_release(&text);
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
    rl_table_cell(table, rl_present(projected->bound_s) ? rl_ceilings[projected->binding].label : "–");
    cell_value(table, RL_UNIT_SECOND, projected->estimate_s, "~ ");
    cell_occupancy(table, &projected->occupancy);
}

static void print_table(const struct rl_projection *projection, bool all, struct cli_doc *doc)
{
    static const struct {
        const char *head;
        enum rl_align align;
    } columns[] = {{"kernel", RL_LEFT}, {"measured here", RL_RIGHT}, {"bound there", RL_RIGHT},
                   {"set by", RL_LEFT}, {"estimate", RL_RIGHT},      {"occupancy there", RL_LEFT}};
    const size_t count = projection->analysis->capture->kernel_count, most = all || count <= MOST_ROWS ? count : MOST_ROWS;
    struct rl_table table;
    struct rl_buf text = RL_BUF_INIT;
    rl_table_init(&table);
    for (size_t i = 0; i < RL_COUNT(columns); i++)
        rl_table_column(&table, columns[i].head, columns[i].align);
    for (size_t i = 0; i < most; i++)
        add_row(&table, projection, i);
    cli_doc_table(doc, &table);
    if (most < count) {
        rl_buf_addf(&text, "%zu more kernels (--verbose lists all)", count - most);
        cli_doc_note(doc, text.data);
    }
    rl_buf_release(&text);
    rl_table_release(&table);
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
        print_table(projection, all, doc);
        print_gaps(projection, doc);
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
    rl_json_string(json, "set_by", rl_present(projected->bound_s) ? rl_ceilings[projected->binding].id : NULL);
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

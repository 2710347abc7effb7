/* fleet_doc.h - the sections of the document about a fleet (private to reports/). */
#ifndef RL_REPORTS_FLEET_DOC_H
#define RL_REPORTS_FLEET_DOC_H

#include "document.h"
#include "flow.h"
#include "grid.h"
#include "media/fleet.h"
#include "results/view.h"
#include "words.h"

enum rl_fleet_page_id {
#define PAGE(id, title, when) RL_FLEET_PAGE_##id,
#include "fleet_pages.def"
#undef PAGE
    RL_FLEET_PAGE_COUNT
};

/* Of so many groups, the first, charts show the figures. */
enum { RL_FLEET_MOST_GROUPS = 8 };

/* What such a document is about. */
struct rl_fleet_subject {
    const struct rl_fleet *fleet;
    size_t ceilings[RL_FLEET_MOST_GROUPS], times[RL_FLEET_MOST_GROUPS]; /* number of charts of each group */
};
/* The fleet of a document. */
const struct rl_fleet *rl_fleet_of(const struct rl_document *doc);
/* The same as a view (results/fleet.h), as long as the document. */
struct view rl_fleet_view(const struct rl_document *doc);

/* ---- fleet_charts.c ---- */

/* Adds the chart of the parts of a group's cards, unless it has none. */
void rl_fleet_plan_parts(struct rl_document *doc, struct rl_section *section, size_t group);
/* Adds the charts of a group's ceilings, or of its times, at most so many of them in each. Returns their number. */
size_t rl_fleet_plan_figures(struct rl_document *doc, struct rl_section *section, size_t group, bool ceilings);
/* What a group is called over a chart: "997 x NVIDIA H200". */
const char *rl_fleet_group_name(struct rl_document *doc, size_t group);

/* ---- fleet_tables.c ---- */

/* Marks who stands apart, and greys that no cause is known, in a table of the lists 'slower' and 'faster' (view_table.h). */
void rl_fleet_dress_suspect(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell);
/* Points that the list of captures needs below the groups; 0: it is a long one, with a page of its own. */
double rl_fleet_captures_height(const struct rl_document *doc);

/* ---- fleet_words.c: everything belongs to the document ---- */

/* "3.0 % slower"; the difference is that of the rate. */
const char *rl_fleet_words_share(struct rl_document *doc, double deviation);
/* "32 GPUs and 112 links"; how many of them are slower. */
const char *rl_fleet_words_of(struct rl_document *doc);
/* The answer in a sentence. */
const char *rl_fleet_words_answer(struct rl_document *doc);
/* Which GPU or link a record is of. */
const char *rl_fleet_words_who(struct rl_document *doc, size_t record);

#endif

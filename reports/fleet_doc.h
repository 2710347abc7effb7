/* fleet_doc.h - the pages of the document about a fleet (private to reports/). */
#ifndef RL_REPORTS_FLEET_DOC_H
#define RL_REPORTS_FLEET_DOC_H

#include "document.h"
#include "page.h"
#include "reports/fleet.h"

/* What a chart shows: the parts of the cards, or some figures, of one group. */
struct rl_fleet_chart {
    size_t group;
    bool parts, ceilings;
    size_t first, count; /* of the group's spreads of that kind */
    size_t chart;        /* among the document's charts */
};

struct rl_fleet_doc {
    const struct rl_fleet *fleet;
    struct rl_document document;
    struct rl_layout *layout;
    struct rl_report words; /* arena and layout only: for words.c */
    struct rl_chart *charts;
    struct rl_chart_result *results;
    size_t chart_count, chart_cap;
    struct rl_fleet_chart *shown; /* one for each chart */
    size_t shown_cap;
    size_t tickets, ceilings, times, groups, captures, method; /* targets of the sections */
};

/* ---- fleet_charts.c ---- */

/* Adds the charts of all groups. */
void rl_fleet_plan(struct rl_fleet_doc *doc);
/* The drawing of a chart. */
const struct rl_drawing *rl_fleet_drawing(const struct rl_fleet_doc *doc, size_t shown);
/* How a spread or a kind of figures is called over a chart: "Ceilings of 997 x NVIDIA H200". */
const char *rl_fleet_group_name(struct rl_fleet_doc *doc, size_t group);

/* ---- the pages, in their order ---- */

void rl_fleet_draw_cover(struct rl_fleet_doc *doc);    /* fleet_cover.c */
void rl_fleet_draw_tickets(struct rl_fleet_doc *doc);  /* fleet_tables.c */
void rl_fleet_draw_figures(struct rl_fleet_doc *doc);  /* fleet_figures.c: ceilings and times */
void rl_fleet_draw_groups(struct rl_fleet_doc *doc);   /* fleet_tables.c */
void rl_fleet_draw_captures(struct rl_fleet_doc *doc); /* fleet_tables.c */
void rl_fleet_draw_method(struct rl_fleet_doc *doc);   /* fleet_method.c */

/* Starts a section on a page of its own, with its bookmark. */
void rl_fleet_section(struct rl_fleet_doc *doc, size_t target, const char *title);
/* "3.0 % slower"; the difference is that of the rate. */
const char *rl_fleet_words_share(struct rl_fleet_doc *doc, double deviation);
/* "32 GPUs and 112 links"; how many of them are slower. */
const char *rl_fleet_words_of(struct rl_fleet_doc *doc);
const char *rl_fleet_words_answer(struct rl_fleet_doc *doc);
/* Text of a suspect: who, what, why. */
const char *rl_fleet_words_who(struct rl_fleet_doc *doc, size_t record);
const char *rl_fleet_words_what(struct rl_fleet_doc *doc, const struct rl_fleet_suspect *suspect);
const char *rl_fleet_words_why(struct rl_fleet_doc *doc, const struct rl_fleet_suspect *suspect);

#endif

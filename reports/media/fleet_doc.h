/* fleet_doc.h - the charts of the document about a fleet (private to reports/media/). */
#ifndef RL_MEDIA_FLEET_DOC_H
#define RL_MEDIA_FLEET_DOC_H

#include "analysis/fleet.h"
#include "document.h"

/* Of so many groups, the first, charts show the figures. */
enum { RL_FLEET_MOST_GROUPS = 8 };

/* What such a document is about. */
struct rl_fleet_subject {
    const struct rl_fleet *fleet;
    size_t ceilings[RL_FLEET_MOST_GROUPS], times[RL_FLEET_MOST_GROUPS]; /* number of charts of each group */
};
/* The fleet of a document. */
const struct rl_fleet *rl_fleet_of(const struct rl_document *doc);

/* Adds the chart of the parts of a group's cards, unless it has none. */
void rl_fleet_plan_parts(struct rl_document *doc, struct rl_section *section, size_t group);
/* Adds the charts of a group's ceilings, or of its times, at most so many of them in each. Returns their number. */
size_t rl_fleet_plan_figures(struct rl_document *doc, struct rl_section *section, size_t group, bool ceilings);

#endif

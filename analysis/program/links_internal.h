/* links_internal.h - between the files that analyse links. */
#ifndef RL_ANALYSIS_LINKS_INTERNAL_H
#define RL_ANALYSIS_LINKS_INTERNAL_H

#include "analysis/links.h"

/* The version that the wire carries, which may be an earlier one than the driver tells; 0: not known. */
double rl_nvlink_version_of(struct rl_value version, struct rl_value wire_rate);
/* Links in the order of their ends, which rl_links_find looks through. */
void rl_links_sort_ends(struct rl_links *links);
/* Adds what the rules of link_rules.def find, in their order. */
void rl_links_evaluate(struct rl_links *links);

#endif

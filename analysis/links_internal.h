/* links_internal.h - between the files that analyse links. */
#ifndef RL_ANALYSIS_LINKS_INTERNAL_H
#define RL_ANALYSIS_LINKS_INTERNAL_H

#include "analysis/links.h"

/* Adds what the rules of link_rules.def find, in their order. */
void rl_links_judge(struct rl_links *links);

#endif

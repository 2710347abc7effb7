/* links.h - what copies between GPUs, and between them and the host, say of a machine's links (analysis/links.h): rows are a struct
 * rl_links and what it is made of. The subject is a struct view_subject that has links. */
#ifndef RL_RESULTS_LINKS_H
#define RL_RESULTS_LINKS_H

#include "results/view.h"

extern const struct view_record view_record_links;
/* A link: a row is a struct rl_link_result of the subject's links. */
extern const struct view_record view_record_link;
/* All GPUs at once, from or to the host: a row is a struct rl_link_total. */
extern const struct view_record view_record_link_total;
/* A finding about links: a row is a struct rl_link_finding. */
extern const struct view_record view_record_link_finding;

#endif

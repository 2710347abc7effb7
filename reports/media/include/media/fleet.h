/* fleet.h - one document about many GPUs: how many, which are slow, by how much, why.
 *
 * Made as the report of one capture (report.h): charts by gnuplot, pages by libharu, the same fleet gives the same bytes.
 */
#ifndef RL_MEDIA_FLEET_H
#define RL_MEDIA_FLEET_H

#include "analysis/fleet.h"
#include "media/report.h"

/* Makes the document of a finished fleet with at least one GPU compared, and appends its bytes to `out`. Nothing is attached. Fails
 * as rl_report_make does. */
enum rl_status rl_fleet_report_make(const struct rl_fleet *fleet, const struct rl_report_options *options, struct rl_buf *out,
                                    struct rl_err *err);

#endif

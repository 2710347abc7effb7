/* export.h - every chart of a report as files of its own. */
#ifndef RL_REPORTS_EXPORT_H
#define RL_REPORTS_EXPORT_H

#include "page.h"

/* Writes all charts, drawn already, into the folder options->charts_dir: "SECTION[-TITLE][-gpuN]-NUMBER.svg". RL_IO with the
 * reason; some may be there then. */
enum rl_status rl_export_charts(const struct rl_report *report, struct rl_err *err);

#endif

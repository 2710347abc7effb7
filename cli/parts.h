/* parts.h - parts of the program that a build can omit: the collector and the reports. */
#pragma once

#include "analysis/fleet.h"
#include "collector/collector.h"
#include "media/extract.h"
#include "media/report.h"
#include "results/compare.h"

/* The functions of collector/collector.h, documented there. */
struct cli_collector {
    size_t (*probe)(int gpu, struct rl_probe_check *checks, size_t max);
    enum rl_status (*gpu_count)(int *count, struct rl_err *err);
    enum rl_status (*cupti_open)(const char **path, struct rl_err *err);
    const char *(*cupti_version)(void);
    size_t (*cupti_chips)(const char **names, size_t max);
    enum rl_status (*cupti_available)(const char *chip, const char *const *counters, size_t counter_count, bool *available,
                                      struct rl_err *err);
    enum rl_status (*cupti_schedule)(const char *chip, const struct rl_configuration *wanted, struct rl_schedule *schedule,
                                     struct rl_err *err);
    void (*schedule_release)(struct rl_schedule *schedule);
    enum rl_status (*collect_suite)(const struct rl_collect_options *options, struct rl_collect_summary *summary,
                                    struct rl_err *err);
    enum rl_status (*collect_links)(const struct rl_links_options *options, struct rl_links_summary *summary, struct rl_err *err);
    bool (*other_tool)(const char *program, struct rl_buf *which);
    enum rl_status (*collect_program)(const struct rl_program_options *options, struct rl_program_summary *summary,
                                      struct rl_err *err);
};

/* The functions of media/report.h and media/extract.h, documented there. */
struct cli_reports {
    enum rl_status (*make)(const struct rl_analysis *analysis, const struct rl_report_options *options, struct rl_buf *out,
                           struct rl_err *err);
    void (*probe)(const struct rl_report_options *options, struct rl_report_check checks[RL_REPORT_CHECKS]);
    enum rl_status (*make_fleet)(const struct rl_fleet *fleet, const struct rl_report_options *options, struct rl_buf *out,
                                 struct rl_err *err);
    enum rl_status (*make_comparison)(const struct view_compare *compare, const struct rl_report_options *options,
                                      struct rl_buf *out, struct rl_err *err);
    enum rl_status (*extract)(const void *pdf, size_t len, struct rl_buf *out, struct rl_extracted *extracted, struct rl_err *err);
};

/* NULL when the build omits the part; cli_no_collector or cli_no_reports then has the reason and the remedy. */
extern const struct cli_collector *const cli_collector;
extern const struct cli_reports *const cli_reports;
extern const char cli_no_collector[], cli_no_reports[];

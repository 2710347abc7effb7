#include "parts.h"

const char cli_no_collector[] = "this build has no collector: it was made without the CUDA toolkit (11.8 or newer, with CUPTI); "
                                "install it and build again, or collect on a machine that has it";
const char cli_no_reports[] = "this build makes no reports: it was made with RL_REPORTS=OFF; use a machine with the full program";

#if RL_WITH_COLLECTOR
static const struct cli_collector collector = {
    .probe = rl_collector_probe,
    .gpu_count = rl_collector_gpu_count,
    .cupti_open = rl_cupti_open,
    .cupti_version = rl_cupti_version,
    .cupti_chips = rl_cupti_chips,
    .cupti_available = rl_cupti_available,
    .cupti_schedule = rl_cupti_schedule,
    .schedule_release = rl_schedule_release,
    .collect_suite = rl_collect_suite,
    .collect_links = rl_collect_links,
    .other_tool = rl_other_tool,
    .collect_program = rl_collect_program,
};
const struct cli_collector *const cli_collector = &collector;
#else
const struct cli_collector *const cli_collector = NULL;
#endif

#if RL_WITH_REPORTS
static const struct cli_reports reports = {
    .make = rl_report_make,
    .probe = rl_report_probe,
    .extract = rl_report_extract,
    .make_fleet = rl_fleet_report_make,
    .make_comparison = rl_compare_report_make,
};
const struct cli_reports *const cli_reports = &reports;
#else
const struct cli_reports *const cli_reports = NULL;
#endif

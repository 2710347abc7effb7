/* bench_fleet.c - what judging a fleet and making its document cost, without the reading of captures.
 *
 *   bench_fleet BASE COUNT [FILE.pdf]
 *
 * Makes COUNT records from the capture BASE as simulate_fleet would (fixtures/fleet_model.h), in memory only, and prints how long
 * each step takes, the most memory in use, and how many of the GPUs that were made slow are found. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/fleet_model.h"
#if RL_WITH_REPORTS
#include "analysis/fleet.h"
#include "media/report.h"
#endif

enum { SEED = 1, EVERY = 37 };

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void tell(const char *what, double *since)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-24s %8.2f s CPU, %6.0f MB at most so far\n", what, cpu_seconds() - *since, (double)usage.ru_maxrss / 1000);
    *since = cpu_seconds();
}

static struct rl_fleet_record *make_record(const struct rl_analysis *analysis, size_t gpu)
{
    char path[64], host[64];
    struct model_gpu model = model_gpu_of(SEED, gpu, EVERY, 1);
    snprintf(path, sizeof path, "sim-%06zu.rlcap", gpu);
    snprintf(host, sizeof host, "sim-r%03zun%02zu", gpu / 128, gpu / 8 % 16);
    struct rl_fleet_record *record = rl_fleet_record_new(analysis, 0, path);
    record->host = record->node = rl_arena_strdup(&record->arena, host);
    record->rack = rl_arena_strndup(&record->arena, host, strlen("sim-r000"));
    record->card = rl_arena_printf(&record->arena, "%s (simulated)", record->card);
    record->uuid = rl_arena_strdup(&record->arena, path);
    record->gpu = (int)(gpu % 8);
    record->sha256.hex[0] = 0;
    for (size_t i = 0; i < record->measure_count; i++) {
        double slower = model_slower(&model, SEED, gpu, i, record->keys[i].part);
        record->measures[i].value *= exp(record->keys[i].ceiling ? -slower : slower);
    }
    return record;
}

static void count_found(const struct rl_fleet *fleet, size_t count)
{
    size_t planted = 0, found = 0, accused = 0;
    bool *slower = rl_calloc(count, sizeof *slower);
    for (size_t i = 0; i < fleet->suspect_count; i++) /* records are sorted by path, which is the order of the GPUs */
        slower[fleet->suspects[i].record] = fleet->suspects[i].slower;
    for (size_t i = 0; i < count; i++) {
        bool sick = model_fault_of(SEED, i, EVERY) != MODEL_HEALTHY;
        planted += sick;
        found += sick && slower[i];
        accused += !sick && slower[i];
    }
    printf("%zu of %zu planted found, %zu of %zu healthy accused\n", found, planted, accused, count - planted);
    free(slower);
}

#if RL_WITH_REPORTS
static enum rl_status make_document(const struct rl_fleet *fleet, const char *path, struct rl_err *err)
{
    struct rl_report_options options = {.tool_version = "bench"};
    struct rl_buf pdf = RL_BUF_INIT;
    enum rl_status status = rl_fleet_report_make(fleet, &options, &pdf, err);
    if (status == RL_OK)
        status = rl_write_file_atomic(path, pdf.data, pdf.len, err);
    printf("document: %zu bytes\n", pdf.len);
    rl_buf_release(&pdf);
    return status;
}
#else
static enum rl_status make_document(const struct rl_fleet *fleet, const char *path, struct rl_err *err)
{
    (void)fleet, (void)path;
    return rl_err_set(err, RL_UNSUPPORTED, "this build makes no reports");
}
#endif

int main(int argc, char **argv)
{
    struct rl_fleet_options rules = {0};
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT;
    double count = 0, since = cpu_seconds();
    if (argc < 3 || argc > 4 || !rl_number_parse(argv[2], strlen(argv[2]), &count) || count < 1) {
        fputs("usage: bench_fleet BASE COUNT [FILE.pdf]\n", stderr);
        return 2;
    }
    enum rl_status status = rl_capture_read(argv[1], &capture, &err);
    if (status == RL_OK) {
        struct rl_analysis *analysis = rl_analysis_new(capture);
        struct rl_fleet *fleet = rl_fleet_new(&rules);
        for (size_t i = 0; i < (size_t)count; i++)
            rl_fleet_add(fleet, make_record(analysis, i));
        tell("records", &since);
        rl_fleet_finish(fleet);
        tell("judged", &since);
        count_found(fleet, (size_t)count);
        if (argc == 4)
            status = make_document(fleet, argv[3], &err);
        if (argc == 4)
            tell("document", &since);
        rl_fleet_free(fleet);
        rl_analysis_free(analysis);
    }
    rl_capture_free(capture);
    if (status != RL_OK)
        fprintf(stderr, "bench_fleet: %s\n", err.text);
    return status == RL_OK ? 0 : 1;
}

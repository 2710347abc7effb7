/* simulate_fleet.c - captures of a fleet that does not exist, made from a real one: to try `rooflight compare --fleet` at scale.
 *
 *   simulate_fleet [--seed N] [--every N] [--spread X] [--links N] BASE FOLDER COUNT
 *
 * Writes COUNT captures FOLDER/sim-rRRnNN-G.rlcap (8 GPUs a node, 16 nodes a rack), each the capture BASE with every rate and time
 * changed by what fixtures/fleet_model.h says, and FOLDER/planted.csv, which names the GPUs that were made slow (one in --every:
 * 37; 0: none). With --links every node of 8 GPUs has a capture of its NVLinks, too, made by tests/fixtures/links.h; on one
 * node in --links one pair of GPUs is slow. The captures say what they are: the card's name ends in "(simulated)", the command is
 * this program's, and the log has a line. Nothing in them was measured on the host that they name. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/analysis.h"
#include "capture/capture.h"
#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/fleet_model.h"
#include "fixtures/links.h"
#include "fixtures/random.h"

struct simulation {
    const char *base, *folder;
    uint64_t seed;
    size_t every, count, links;
    double spread;
};

static const char *const fault_names[] = {"healthy", "slow memory", "low clock", "bad link"};
enum { GPUS = 8, NODES = 16 };

/* ---- the parts that kernels and ceilings of the base speak of ---- */

static enum rl_fleet_part *parts_of_kernels(const struct rl_analysis *analysis)
{
    static const enum rl_fleet_part of_bound[] = {
        [RL_BOUND_UNKNOWN] = RL_PART_other, [RL_BOUND_MEMORY] = RL_PART_dram, [RL_BOUND_COMPUTE] = RL_PART_sm,
        [RL_BOUND_LATENCY] = RL_PART_other, [RL_BOUND_DISPATCH] = RL_PART_sm, [RL_BOUND_PARALLELISM] = RL_PART_other,
        [RL_BOUND_LAUNCH] = RL_PART_other,  [RL_BOUND_FIXED] = RL_PART_other, [RL_BOUND_HOST] = RL_PART_link,
    };
    _Static_assert(RL_COUNT(of_bound) == RL_BOUND_COUNT, "every bound has its part");
    enum rl_fleet_part *parts = rl_calloc(analysis->capture->kernel_count + 1, sizeof *parts);
    for (size_t i = 0; i < analysis->capture->kernel_count; i++)
        parts[i] = of_bound[analysis->kernels[i].bound];
    return parts;
}

static enum rl_fleet_part part_of_ceiling(const char *id)
{
    static const struct {
        const char *prefix;
        enum rl_fleet_part part;
    } rows[] = {{"dram", RL_PART_dram}, {"l2", RL_PART_l2}, {"pcie", RL_PART_link}, {"nvlink", RL_PART_link}};
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (strncmp(id, rows[i].prefix, strlen(rows[i].prefix)) == 0)
            return rows[i].part;
    return RL_PART_sm;
}

/* ---- one GPU ---- */

static void change_times(uint64_t *durations, size_t count, double slower)
{
    for (size_t i = 0; i < count; i++)
        durations[i] = (uint64_t)llround((double)durations[i] * exp(slower));
}

static void change_figures(struct rl_capture *capture, const enum rl_fleet_part *parts, const struct model_gpu *model,
                           uint64_t seed, size_t gpu)
{
    size_t measure = 0;
    for (size_t i = 0; i < capture->kernel_count; i++)
        change_times(capture->kernels[i].duration_ns, capture->kernels[i].duration_count,
                     model_slower(model, seed, gpu, measure++, parts[i]));
    for (size_t i = 0; i < capture->variant_count; i++)
        change_times(capture->variants[i].duration_ns, capture->variants[i].duration_count,
                     model_slower(model, seed, gpu, measure++, RL_PART_other));
    for (size_t i = 0; i < capture->ceiling_count; i++) {
        struct rl_ceiling_run *run = &capture->ceilings[i];
        double slower = model_slower(model, seed, gpu, measure++, part_of_ceiling(run->id));
        for (size_t s = 0; s < run->sample_count; s++)
            run->samples[s] *= exp(-slower);
        if (rl_present(run->sm_clock_hz))
            run->sm_clock_hz.v *= exp(-model->slow[RL_PART_sm]);
    }
}

/* Clocks that the counters of the passes give, and the driver's readings. */
static void change_clocks(struct rl_capture *capture, const struct model_gpu *model)
{
    double factor = exp(-model->slow[RL_PART_sm]);
    for (size_t i = 0; i < capture->kernel_count; i++)
        for (size_t k = 0; k < capture->kernels[i].counter_count; k++) {
            struct rl_counter *counter = &capture->kernels[i].counters[k];
            if (strstr(counter->name, "sm__cycles_elapsed.avg.per_second") && rl_present(counter->value))
                counter->value.v *= factor;
        }
    for (size_t i = 0; i < capture->gpus[0].moment_count; i++) {
        struct rl_value *clock = &capture->gpus[0].moments[i].reading[RL_READING_sm_clock_hz];
        if (rl_present(*clock))
            clock->v = round(clock->v * factor / 15e6) * 15e6; /* in the steps that drivers report */
    }
}

static void rename_card(struct rl_capture *capture, struct rl_gpu *card, const struct simulation *simulation, size_t gpu,
                        const char *host)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "%s (simulated)", card->name);
    card->name = rl_capture_text(capture, text.data);
    rl_buf_reset(&text);
    rl_buf_addf(&text, "GPU-simulated-%llu-%06zu", (unsigned long long)simulation->seed, gpu);
    card->uuid = rl_capture_text(capture, text.data);
    card->index = (int)(gpu % GPUS);
    capture->session.host = rl_capture_text(capture, host);
    capture->session.command = rl_arena_alloc(&capture->arena, 2 * sizeof(char *));
    capture->session.command[0] = rl_capture_text(capture, "simulate_fleet");
    capture->session.command[1] = rl_capture_text(capture, simulation->base);
    capture->session.command_count = 2;
    rl_capture_log(capture, 0, RL_LOG_WARNING,
                   "simulated from a real capture by simulate_fleet, seed %llu: nothing here was measured on %s",
                   (unsigned long long)simulation->seed, host);
    rl_buf_release(&text);
}

/* Without the care of rl_write_file_atomic, which waits for the disk: a thousand files are made again in no time. */
static enum rl_status put_file(const char *path, const struct rl_buf *bytes, struct rl_err *err)
{
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes->data, 1, bytes->len, file) == bytes->len;
    if (file && fclose(file) != 0)
        written = false;
    return written ? RL_OK : rl_err_set(err, RL_IO, "cannot write '%s': %s", path, strerror(errno));
}

static enum rl_status write_gpu(const struct simulation *simulation, const struct rl_buf *base, const enum rl_fleet_part *parts,
                                size_t gpu, struct rl_buf *planted, struct rl_err *err)
{
    struct rl_capture *capture = NULL;
    struct model_gpu model = model_gpu_of(simulation->seed, gpu, simulation->every, simulation->spread);
    char host[64], path[4096];
    snprintf(host, sizeof host, "sim-r%02zun%02zu", gpu / GPUS / NODES, gpu / GPUS % NODES);
    snprintf(path, sizeof path, "%s/%s-%zu.rlcap", simulation->folder, host, gpu % GPUS);
    enum rl_status status = rl_capture_read_bytes(base->data, base->len, simulation->base, &capture, err);
    if (status != RL_OK)
        return status;
    change_figures(capture, parts, &model, simulation->seed, gpu);
    change_clocks(capture, &model);
    if (model.fault == MODEL_BAD_LINK)
        capture->gpus[0].fact[RL_FACT_pcie_width] = rl_value_of(8);
    rename_card(capture, &capture->gpus[0], simulation, gpu, host);
    struct rl_buf bytes = RL_BUF_INIT;
    status = rl_capture_write_bytes(capture, &bytes, err);
    if (status == RL_OK)
        status = put_file(path, &bytes, err);
    rl_buf_release(&bytes);
    if (model.fault != MODEL_HEALTHY)
        rl_buf_addf(planted, "%s,%zu,%s,%s\n", host, gpu % GPUS, fault_names[model.fault], path);
    rl_capture_free(capture);
    return status;
}

/* ---- the links of a node ---- */

static const double link_spread = 0.003, link_noise = 0.0015; /* assumptions, as in fleet_model.h */

static void scatter_links(struct rl_capture *capture, uint64_t seed)
{
    for (size_t i = 0; i < capture->link_run_count; i++) {
        struct rl_link_run *run = &capture->link_runs[i];
        change_times(run->duration_ns, run->duration_count,
                     link_spread * random_normal(seed, run->link) + link_noise * random_normal(seed, 1000 + i));
    }
}

static struct rl_capture *links_of(const struct simulation *simulation, size_t node, const char *host)
{
    const bool bad = node % simulation->links == 0;
    const struct sample_machine machine = {
        .gpus = GPUS, .switched = true, .together = 0.9, .slow_from = bad ? 2 : 0, .slow_to = bad ? 2 + 1 + node % 5 : 0};
    struct rl_capture *capture = rl_capture_new();
    capture->session.started = rl_capture_text(capture, "2026-11-21T10:30:40Z");
    capture->session.tool_version = rl_capture_text(capture, "simulated");
    capture->session.source = rl_capture_text(capture, "collect");
    capture->session.counters = rl_capture_text(capture, "not collected: only links were measured");
    capture->session.complete = true;
    sample_machine_links(capture, &machine);
    scatter_links(capture, model_seed(simulation->seed + 1, node));
    for (size_t i = 0; i < capture->gpu_count; i++)
        rename_card(capture, &capture->gpus[i], simulation, node * GPUS + i, host);
    return capture;
}

static enum rl_status write_links(const struct simulation *simulation, size_t node, struct rl_buf *planted, struct rl_err *err)
{
    char host[64], path[4096];
    snprintf(host, sizeof host, "sim-r%02zun%02zu", node / NODES, node % NODES);
    snprintf(path, sizeof path, "%s/%s-links.rlcap", simulation->folder, host);
    struct rl_capture *capture = links_of(simulation, node, host);
    struct rl_buf bytes = RL_BUF_INIT;
    enum rl_status status = rl_capture_write_bytes(capture, &bytes, err);
    if (status == RL_OK)
        status = put_file(path, &bytes, err);
    if (node % simulation->links == 0)
        rl_buf_addf(planted, "%s,2,bad pair,%s\n", host, path);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
    return status;
}

static enum rl_status simulate(const struct simulation *simulation, struct rl_err *err)
{
    struct rl_buf base = RL_BUF_INIT, planted = RL_BUF_INIT;
    struct rl_capture *capture = NULL;
    char path[4096];
    enum rl_status status = rl_read_file(simulation->base, RL_CAPTURE_MAX_BYTES, &base, err);
    if (status == RL_OK)
        status = rl_capture_read_bytes(base.data, base.len, simulation->base, &capture, err);
    if (status == RL_OK && capture->gpu_count != 1)
        status = rl_err_set(err, RL_USAGE, "'%s' is not a capture of one GPU", simulation->base);
    if (status == RL_OK && mkdir(simulation->folder, 0777) != 0 && errno != EEXIST)
        status = rl_err_set(err, RL_IO, "cannot make '%s': %s", simulation->folder, strerror(errno));
    if (status == RL_OK) {
        struct rl_analysis *analysis = rl_analysis_new(capture);
        enum rl_fleet_part *parts = parts_of_kernels(analysis);
        rl_buf_adds(&planted, "host,gpu,fault,path\n");
        for (size_t gpu = 0; gpu < simulation->count && status == RL_OK; gpu++)
            status = write_gpu(simulation, &base, parts, gpu, &planted, err);
        for (size_t node = 0; simulation->links && node < simulation->count / GPUS && status == RL_OK; node++)
            status = write_links(simulation, node, &planted, err);
        free(parts);
        rl_analysis_free(analysis);
    }
    snprintf(path, sizeof path, "%s/planted.csv", simulation->folder);
    if (status == RL_OK)
        status = rl_write_file_atomic(path, planted.data, planted.len, err);
    rl_capture_free(capture);
    rl_buf_release(&base);
    rl_buf_release(&planted);
    return status;
}

int main(int argc, char **argv)
{
    struct simulation simulation = {.seed = 1, .every = 37, .spread = 1};
    struct rl_err err = RL_ERR_INIT;
    double number = 0;
    int at = 1;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (!rl_number_parse(argv[at + 1], strlen(argv[at + 1]), &number) || number < 0)
            number = 0;
        if (strcmp(argv[at], "--seed") == 0)
            simulation.seed = (uint64_t)number;
        else if (strcmp(argv[at], "--every") == 0)
            simulation.every = (size_t)number;
        else if (strcmp(argv[at], "--spread") == 0)
            simulation.spread = number;
        else if (strcmp(argv[at], "--links") == 0)
            simulation.links = (size_t)number;
        else
            break;
    }
    if (argc - at != 3 || !rl_number_parse(argv[at + 2], strlen(argv[at + 2]), &number) || number < 1) {
        fputs("usage: simulate_fleet [--seed N] [--every N] [--spread X] [--links N] BASE FOLDER COUNT\n", stderr);
        return 2;
    }
    simulation.base = argv[at];
    simulation.folder = argv[at + 1];
    simulation.count = (size_t)number;
    if (simulate(&simulation, &err) == RL_OK)
        return 0;
    fprintf(stderr, "simulate_fleet: %s\n", err.text);
    return 1;
}

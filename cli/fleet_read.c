/* fleet_read.c - thousands of captures by as many threads as there are processors. Each holds one capture at a time; what is kept
 * of it is a record of some kilobytes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "analysis/links.h"
#include "core/clock.h"
#include "core/mem.h"
#include "core/parts.h"
#include "fleet.h"
#include "terminal.h"

struct reading {
    const struct cli_files *files;
    const struct cli_redaction *redaction; /* NULL: none */
    struct rl_fleet *fleet;                /* below the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t done;        /* below the lock */
    atomic_size_t next; /* file to be taken */
};

static void note_unread(struct reading *reading, const char *path, const char *why)
{
    pthread_mutex_lock(&reading->lock);
    rl_fleet_add_unread(reading->fleet, path, why);
    pthread_mutex_unlock(&reading->lock);
}

static void read_one(struct reading *reading, size_t file)
{
    assert(file < reading->files->count);
    const char *path = reading->files->paths[file];
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT;
    if (rl_capture_read(path, &capture, &err) != RL_OK) {
        /* Why a file is refused may tell what is in it. */
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "'%s': no capture that can be read", path);
        note_unread(reading, path, reading->redaction ? text.data : err.text);
        rl_buf_release(&text);
        return;
    }
    if (reading->redaction) {
        /* Host and UUIDs are needed to tell GPUs and nodes apart: the fleet puts numbers in their place when it knows all. */
        char *host = capture->session.host, **uuids = rl_calloc(capture->gpu_count, sizeof *uuids);
        for (size_t i = 0; i < capture->gpu_count; i++)
            uuids[i] = capture->gpus[i].uuid;
        rl_capture_redact(capture, &reading->redaction->how, NULL);
        capture->session.host = host;
        for (size_t i = 0; i < capture->gpu_count; i++)
            capture->gpus[i].uuid = uuids[i];
        free(uuids);
    }
    struct rl_fleet_record **records;
    size_t count = rl_fleet_links_new(capture, path, &records);
    pthread_mutex_lock(&reading->lock);
    for (size_t i = 0; i < count; i++)
        rl_fleet_add(reading->fleet, records[i]);
    pthread_mutex_unlock(&reading->lock);
    free(records);
    if (count) {
        /* Links that could not be measured: nothing can be compared with them, but they are news. */
        struct rl_links *links = rl_links_new(capture);
        for (size_t i = 0; i < links->finding_count; i++) {
            struct rl_buf text = RL_BUF_INIT;
            rl_buf_addf(&text, "'%s': %s", path, links->findings[i].text);
            if (links->findings[i].rule == RL_LINK_RULE_failed)
                note_unread(reading, path, text.data);
            rl_buf_release(&text);
        }
        rl_links_free(links);
    }
    if (rl_capture_has_only_links(capture)) {
        rl_capture_free(capture);
        return;
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t gpu = 0; gpu < analysis->capture->gpu_count; gpu++) {
        struct rl_fleet_record *record = rl_fleet_record_new(analysis, gpu, path);
        pthread_mutex_lock(&reading->lock);
        rl_fleet_add(reading->fleet, record);
        pthread_mutex_unlock(&reading->lock);
    }
    if (capture->gpu_count == 0)
        note_unread(reading, path, "no GPU in it");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void *work(void *context)
{
    struct reading *reading = context;
    for (size_t i; (i = atomic_fetch_add(&reading->next, 1)) < reading->files->count;) {
        read_one(reading, i);
        pthread_mutex_lock(&reading->lock);
        reading->done++;
        pthread_cond_signal(&reading->changed);
        pthread_mutex_unlock(&reading->lock);
    }
    return NULL;
}

void cli_fleet_read(const struct cli_call *call, const struct cli_files *files, const struct cli_redaction *redaction,
                    struct rl_fleet *fleet)
{
    struct reading reading = {.files = files,
                              .redaction = redaction,
                              .fleet = fleet,
                              .lock = PTHREAD_MUTEX_INITIALIZER,
                              .changed = PTHREAD_COND_INITIALIZER};
    size_t wanted = rl_processors() < files->count ? rl_processors() : files->count, started = 0;
    pthread_t *threads = rl_calloc(wanted, sizeof *threads);
    while (started < wanted && pthread_create(&threads[started], NULL, work, &reading) == 0)
        started++;
    if (started == 0)
        work(&reading); /* no threads to be had */
    if (cli_terminal_of(STDERR_FILENO).moves && !call->quiet && files->count > 20) {
        /* A line on a terminal, ten times a second, until all is read. */
        pthread_mutex_lock(&reading.lock);
        while (reading.done < reading.files->count) {
            const struct timespec until = rl_deadline_in(100000000);
            while (reading.done < reading.files->count && pthread_cond_timedwait(&reading.changed, &reading.lock, &until) == 0)
                continue;
            fprintf(stderr, "\r\033[K%zu of %zu captures read", reading.done, reading.files->count);
        }
        pthread_mutex_unlock(&reading.lock);
        fputs("\r\033[K", stderr);
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

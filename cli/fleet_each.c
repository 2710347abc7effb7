/* fleet_each.c - a report of every capture, by processes side by side: a report runs gnuplot and shares nothing with the next one.
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/fs.h"
#include "core/mem.h"
#include "core/parts.h"
#include "fleet.h"
#include "parts.h"

/* What a process says of one capture; all processes see it. */
enum { NOT_BEGUN = -1, BEGUN = -2 };
struct outcome {
    int status; /* enum rl_status, or one of those */
    char text[400];
};

struct shared {
    atomic_size_t next;
    struct outcome outcomes[];
};

struct each {
    const struct cli_files *files;
    const char *folder;
    int paper;
    char **names; /* of the reports */
    struct shared *shared;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_taken(const struct each *each, size_t count, const char *name)
{
    assert(count <= each->files->count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(each->names[i], name) == 0)
            return true;
    return false;
}

/* "h200.pdf" for "caps/h200.rlcap"; "h200-2.pdf" for another capture of that name in another folder. */
static char *report_name(const struct each *each, size_t index)
{
    assert(index < each->files->count);
    static const char ending[] = ".rlcap";
    const char *base = base_name(each->files->paths[index]);
    size_t len = strlen(base);
    if (len > strlen(ending) && strcmp(base + len - strlen(ending), ending) == 0)
        len -= strlen(ending);
    struct rl_buf name = RL_BUF_INIT;
    for (size_t copy = 1; copy == 1 || is_taken(each, index, name.data); copy++) {
        rl_buf_reset(&name);
        rl_buf_add(&name, base, len);
        if (copy > 1)
            rl_buf_addf(&name, "-%zu", copy);
        rl_buf_adds(&name, ".pdf");
    }
    return rl_buf_detach(&name, NULL);
}

static enum rl_status make_report(const struct each *each, size_t index, struct rl_err *err)
{
    assert(index < each->files->count);
    const char *path = each->files->paths[index];
    struct rl_buf bytes = RL_BUF_INIT, pdf = RL_BUF_INIT;
    struct rl_capture *capture = NULL;
    struct rl_analysis *analysis = NULL;
    enum rl_status status = rl_read_file(path, RL_CAPTURE_MAX_BYTES, &bytes, err);
    if (status == RL_OK)
        status = rl_capture_read_bytes(bytes.data, bytes.len, path, &capture, err);
    if (status == RL_OK) {
        struct rl_report_options make = {.paper = (enum rl_paper)each->paper,
                                         .tool_version = CLI_VERSION,
                                         .attachment = bytes.data,
                                         .attachment_len = bytes.len,
                                         .attachment_name = base_name(path)};
        analysis = rl_analysis_new(capture);
        status = cli_reports->make(analysis, &make, &pdf, err);
    }
    if (status == RL_OK) {
        char *output = rl_path_join(each->folder, each->names[index]);
        status = rl_write_file_atomic(output, pdf.data, pdf.len, err);
        free(output);
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    rl_buf_release(&bytes);
    rl_buf_release(&pdf);
    return status;
}

static _Noreturn void run_child(const struct each *each, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* who ends the parent means all */
    if (getppid() != parent)
        _exit(1);
    for (size_t i; (i = atomic_fetch_add(&each->shared->next, 1)) < each->files->count;) {
        struct rl_err err = RL_ERR_INIT;
        struct outcome *outcome = &each->shared->outcomes[i];
        outcome->status = BEGUN;
        const enum rl_status status = make_report(each, i, &err);
        snprintf(outcome->text, sizeof outcome->text, "%.399s", err.text);
        outcome->status = (int)status;
    }
    rl_temporaries_remove();
    _exit(0);
}

static void run_children(const struct each *each)
{
    size_t wanted = rl_processors() < each->files->count ? rl_processors() : each->files->count, started = 0;
    pid_t *children = rl_calloc(wanted, sizeof *children);
    const pid_t parent = getpid();
    fflush(NULL);
    for (; started < wanted; started++) {
        children[started] = fork();
        if (children[started] < 0)
            break;
        if (children[started] == 0)
            run_child(each, parent);
    }
    for (size_t i = 0; i < started; i++)
        while (waitpid(children[i], NULL, 0) < 0 && errno == EINTR)
            continue;
    free(children);
}

static enum rl_status tell(const struct cli_call *call, const struct each *each, struct rl_err *err)
{
    size_t made = 0;
    for (size_t i = 0; i < each->files->count; i++) {
        const struct outcome *outcome = &each->shared->outcomes[i];
        struct rl_buf line = RL_BUF_INIT;
        made += outcome->status == RL_OK;
        if (outcome->status != RL_OK) {
            rl_buf_addf(&line, "no report of '%s': %s", each->files->paths[i],
                        outcome->status == BEGUN       ? "the process that made it died"
                        : outcome->status == NOT_BEGUN ? "it was not tried, as no process was left to make it"
                                                       : outcome->text);
            cli_usage_error(line.data);
        }
        rl_buf_release(&line);
    }
    cli_say(call, "wrote %zu reports to %s", made, each->folder);
    if (made < each->files->count)
        return rl_err_set(err, RL_FAILED, "%zu of %zu reports could not be made", each->files->count - made, each->files->count);
    return RL_OK;
}

enum rl_status cli_fleet_each(const struct cli_call *call, const struct cli_files *files, const char *folder, int paper,
                              struct rl_err *err)
{
    assert(cli_reports);
    struct each each = {.files = files, .folder = folder, .paper = paper};
    size_t bytes = sizeof *each.shared + files->count * sizeof(struct outcome);
    enum rl_status status = rl_make_folder(folder, err);
    if (status != RL_OK)
        return status;
    each.shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (each.shared == MAP_FAILED)
        return rl_err_set(err, RL_FAILED, "cannot share memory between processes: %s", strerror(errno));
    each.names = rl_calloc(files->count, sizeof *each.names);
    for (size_t i = 0; i < files->count; i++) {
        each.names[i] = report_name(&each, i);
        each.shared->outcomes[i].status = NOT_BEGUN;
    }
    run_children(&each);
    status = tell(call, &each, err);
    for (size_t i = 0; i < files->count; i++)
        free(each.names[i]);
    free(each.names);
    munmap(each.shared, bytes);
    return status;
}

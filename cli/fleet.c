/* fleet.c - `rooflight compare --fleet`, from the files to the exit status (see fleet.h). */
#include <ftw.h>
#include <pthread.h>
#include <sys/stat.h>

#include "compare.h"

#include "analysis/links.h"
#include "core/parts.h"
#include "parts.h"
#include "results/fleet.h"
#include "view_media.h"

struct cli_files {
    char **paths; /* sorted, each once */
    size_t count, cap;
};

struct reading {
    const struct cli_files *files;
    const struct cli_redaction *redaction; /* NULL: none */
    struct rl_fleet *fleet;                /* below the lock */
    pthread_mutex_t lock;
};

static void note_unread(struct reading *reading, const char *path, const char *why)
{
    pthread_mutex_lock(&reading->lock);
    rl_fleet_add_unread(reading->fleet, path, why);
    pthread_mutex_unlock(&reading->lock);
}

/* Host and UUIDs are needed to tell GPUs and nodes apart: the fleet puts numbers in their place when it knows all. */
static void redact(struct rl_capture *capture, const struct cli_redaction *redaction)
{
    char *host = capture->session.host;
    RL_FREED char **uuids = rl_calloc(capture->gpu_count, sizeof *uuids);
    for (size_t i = 0; i < capture->gpu_count; i++)
        uuids[i] = capture->gpus[i].uuid;
    rl_capture_redact(capture, &redaction->how);
    capture->session.host = host;
    for (size_t i = 0; i < capture->gpu_count; i++)
        capture->gpus[i].uuid = uuids[i];
}

static void read_one(struct reading *reading, size_t file)
{
    const char *path = reading->files->paths[file];
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT;
    if (rl_capture_read(path, &capture, &err) != RL_OK) {
        /* Why a file is refused may tell what is in it. */
        RL_SCRATCH text = RL_BUF_INIT;
        rl_buf_addf(&text, "'%s': no capture that can be read", path);
        note_unread(reading, path, reading->redaction ? text.data : err.text);
        return;
    }
    if (reading->redaction)
        redact(capture, reading->redaction);
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
            RL_SCRATCH text = RL_BUF_INIT;
            rl_buf_addf(&text, "'%s': %s", path, links->findings[i].text);
            if (links->findings[i].rule == RL_LINK_RULE_failed)
                note_unread(reading, path, text.data);
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

/* An rl_parallel_piece. */
static void read_some(void *context, size_t first, size_t count, size_t thread)
{
    (void)thread;
    for (size_t i = first; i < first + count; i++)
        read_one(context, i);
}

static void add(struct cli_files *files, const char *path)
{
    RL_APPEND(files->paths, files->count, files->cap, rl_strdup(path));
}

/* nftw has no argument for its caller; the command looks for files once, in one thread. */
static struct cli_files *collecting;

static bool is_capture(const char *path)
{
    static const char ending[] = ".rlcap";
    size_t len = strlen(path);
    return len > strlen(ending) && strcmp(path + len - strlen(ending), ending) == 0;
}

/* Whether a capture stands there. A link that leads nowhere is one that cannot be read. */
static bool holds_capture(const char *path, const struct stat *status, int kind)
{
    struct stat target;
    if (!is_capture(path))
        return false;
    return kind == FTW_F ? S_ISREG(status->st_mode) : kind == FTW_SL && (stat(path, &target) != 0 || S_ISREG(target.st_mode));
}

/* Folders that are being filled hold parts of captures, or those of a command that was killed. What cannot be looked at is listed
 * like a capture: whoever reads it says why not, and nothing goes missing without a word. */
static int visit(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    const bool sealed = kind == FTW_NS || kind == FTW_DNR;
    if (kind == FTW_D && where->level > 0 && rl_is_temporary(path + where->base))
        return FTW_SKIP_SUBTREE;
    if (sealed && where->level == 0)
        return FTW_STOP;
    if (sealed || holds_capture(path, status, kind))
        add(collecting, path);
    return FTW_CONTINUE;
}

/* Symbolic links to files are followed, those to folders are not: they could lead around in a circle. Returns errno or 0. */
static int add_folder(struct cli_files *files, const char *folder)
{
    enum { OPEN_FOLDERS = 32 };
    collecting = files;
    const int walked = nftw(folder, visit, OPEN_FOLDERS, FTW_PHYS | FTW_ACTIONRETVAL);
    collecting = NULL;
    return walked == FTW_STOP ? EACCES : walked ? errno : 0; /* nftw calls what has no permission sealed, and fails for the rest */
}

/* "caps" for "caps///". */
static char *without_final_slashes(const char *path)
{
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    return rl_strndup(path, len);
}

/* Operands that are folders stand for all *.rlcap below them; others are taken as they are, also when they do not exist. RL_USAGE
 * when nothing is left. Release in every case. */
static enum rl_status files_find(const char *const *operands, size_t count, struct cli_files *files, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    *files = (struct cli_files){0};
    for (size_t i = 0; i < count && status == RL_OK; i++) {
        struct stat what;
        int error;
        char *path = without_final_slashes(operands[i]);
        if (stat(path, &what) != 0 || !S_ISDIR(what.st_mode))
            add(files, operands[i]);
        else if ((error = add_folder(files, path)))
            status = rl_err_set(err, RL_IO, "cannot look through the folder '%s': %s", operands[i], strerror(error));
        free(path);
    }
    if (status == RL_OK && files->count == 0)
        status = rl_err_set(err, RL_USAGE, "no captures (*.rlcap) below '%s'", operands[0]);
    if (files->count > 0)
        rl_sort(files->paths, files->count, sizeof *files->paths, rl_by_text);
    size_t kept = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (kept > 0 && strcmp(files->paths[kept - 1], files->paths[i]) == 0)
            free(files->paths[i]);
        else
            files->paths[kept++] = files->paths[i];
    }
    files->count = kept;
    return status;
}

static void print(const struct cli_call *call, const struct rl_fleet *fleet, const struct cli_fleet_options *options)
{
    const enum cli_fleet_format format = options->format;
    const bool markdown = format == CLI_FLEET_MARKDOWN;
    const struct view_fleet subject = {.fleet = fleet, .times = call->verbose};
    RL_AT_END(rl_arena_release) struct rl_arena arena = RL_ARENA_INIT;
    const struct view view = view_fleet_view(&subject, &arena);
    if (format == CLI_FLEET_JSON) {
        cli_view_document(&view, &(struct cli_view_document){0}, call->out);
    } else if (format == CLI_FLEET_CSV) {
        const struct view_rows rows = view_fleet_tickets(&view);
        cli_view_csv(&view, &view_record_fleet_ticket, &rows, NULL, NULL, call->out);
    } else {
        struct cli_doc doc = {.out = call->out,
                              .style = markdown ? CLI_DOC_MARKDOWN : CLI_DOC_TERMINAL,
                              .width = markdown ? 0 : call->terminal.width,
                              .bold = call->terminal.bold};
        cli_view_text(&view, &(struct cli_view_options){.document = true}, &doc);
    }
}

static enum rl_status make_document(const struct cli_call *call, const struct rl_fleet *fleet,
                                    const struct cli_fleet_options *options, struct rl_err *err)
{
    struct rl_report_options make = {.medium = cli_is_html(options->output) ? RL_MEDIUM_HTML : RL_MEDIUM_PDF,
                                     .paper = (enum rl_paper)options->paper,
                                     .tool_version = CLI_VERSION,
                                     .redacted = options->redact};
    RL_SCRATCH pdf = RL_BUF_INIT;
    enum rl_status status = cli_reports->make_fleet(fleet, &make, &pdf, err);
    RL_THEN(status, cli_write_output(call, options->output, &pdf, NULL, err));
    return status;
}

static enum rl_status judge(const struct rl_fleet *fleet, const struct cli_fleet_options *options, struct rl_err *err)
{
    RL_SCRATCH answer = RL_BUF_INIT;
    enum rl_status status = RL_OK;
    rl_fleet_summary_text(fleet, &answer);
    if (options->fail_on_outlier && fleet->slower_count > 0)
        status = rl_err_set(err, RL_REGRESSION, "%s", answer.data);
    return status;
}

static enum rl_status make_all(const struct cli_call *call, const struct cli_fleet_options *options, const struct cli_files *files,
                               const struct rl_fleet *fleet, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    if (fleet->compared + fleet->links == 0)
        return rl_err_set(err, RL_FAILED, "nothing to compare in %zu file(s)%s%s", files->count, fleet->unread_count ? ": " : "",
                          fleet->unread_count ? fleet->unread[0].why : "");
    if (!cli_stdout_is_taken(call))
        print(call, fleet, options);
    status = options->document ? make_document(call, fleet, options, err) : cli_redirect_result(call, options->output, err);
    return status == RL_OK ? judge(fleet, options, err) : status;
}

static enum rl_status run(const struct cli_call *call, const struct cli_fleet_options *options, const struct cli_files *files,
                          struct rl_err *err)
{
    struct rl_fleet_options rules = {.least = options->least};
    struct rl_fleet *fleet = rl_fleet_new(&rules);
    struct cli_redaction redaction;
    if (options->redact) { /* one key for all captures, made of the first; where it cannot be read there is nothing to compare */
        RL_SCRATCH bytes = RL_BUF_INIT;
        (void)rl_read_file(files->paths[0], RL_CAPTURE_MAX_BYTES, &bytes, NULL);
        cli_redaction_init(&redaction, options->pseudonyms, &bytes);
    }
    /* As many at once as there are processors; in memory are only those in hand. What cannot be read is noted in the fleet. */
    struct reading reading = {files, options->redact ? &redaction : NULL, fleet, PTHREAD_MUTEX_INITIALIZER};
    rl_parallel_for(rl_processors(), files->count, 1, read_some, &reading);
    if (options->redact)
        rl_fleet_redact(fleet);
    rl_fleet_finish(fleet);
    for (size_t i = 0; i < fleet->unread_count; i++)
        cli_detail(call, "not read: %s", fleet->unread[i].why);
    const enum rl_status status = make_all(call, options, files, fleet, err);
    rl_fleet_free(fleet);
    return status;
}

enum rl_status cli_fleet_run(const struct cli_call *call, const struct cli_fleet_options *options, struct rl_err *err)
{
    struct cli_files files = {0};
    enum rl_status status = RL_OK;
    if (options->document && !cli_reports) /* before the long work */
        status = rl_err_set(err, RL_UNSUPPORTED, "%s", cli_no_reports);
    RL_THEN(status, files_find(call->operands, call->operand_count, &files, err));
    RL_THEN(status, cli_declare_files(call, (const char *const *)files.paths, files.count, err));
    RL_THEN(status, run(call, options, &files, err));
    /* Frees the list. */
    for (size_t i = 0; i < files.count; i++)
        free(files.paths[i]);
    free(files.paths);
    return status;
}

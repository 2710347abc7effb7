/* collect_node.c - all GPUs of a node: a process of this program for each, so that one that fails, crashes or hangs stops no other.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "collect.h"
#include "core/child.h"
#include "parts.h"
#include "view_media.h"

enum { HIGHEST_GPU = 1023 };

/* ---- which GPUs ---- */

static void add_gpu(struct collect_gpus *gpus, int gpu)
{
    gpus->list = rl_realloc(gpus->list, gpus->count + 1, sizeof *gpus->list);
    gpus->list[gpus->count++] = gpu;
}

static enum rl_status parse_list(const char *text, struct collect_gpus *gpus, struct rl_err *err)
{
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, ",");
        uint64_t number = 0;
        RL_FREED char *word = rl_strndup(at, len);
        bool good = cli_parse_number(word, 0, HIGHEST_GPU, &number) && !RL_ANY(i, gpus->count, gpus->list[i] == (int)number);
        if (!good)
            return rl_err_set(err, RL_USAGE, "--gpu takes a number from 0 to %d, several with commas, or all, not '%s'",
                              HIGHEST_GPU, text);
        add_gpu(gpus, (int)number);
        at += len;
        if (!*at)
            return RL_OK;
    }
}

enum rl_status collect_gpus_parse(const char *text, const struct rl_launcher *launcher, struct collect_gpus *gpus,
                                  struct rl_err *err)
{
    *gpus = (struct collect_gpus){.which = COLLECT_ONE};
    enum rl_status status = RL_OK;
    if (text && strcmp(text, "all") == 0)
        gpus->which = COLLECT_ALL;
    else if (text)
        status = parse_list(text, gpus, err);
    else /* a launcher that leaves each process one GPU numbers it 0 for all of them */
        add_gpu(gpus, launcher->local_rank > 0 && rl_launcher_visible_gpus() != 1 ? launcher->local_rank : 0);
    if (gpus->count > 1)
        gpus->which = COLLECT_LIST;
    return status;
}

/* ---- names ---- */

/* Makes the folders on the way to the file; another process may make them at the same time. */
static enum rl_status make_folders(const char *path, struct rl_err *err)
{
    RL_FREED char *copy = rl_strdup(path);
    enum rl_status status = RL_OK;
    for (char *slash = strchr(copy + 1, '/'); slash && status == RL_OK; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(copy, RL_PRIVATE_FOLDER) != 0 && errno != EEXIST)
            status = rl_err_set(err, RL_IO, "cannot make the folder '%s': %s", copy, strerror(errno));
        *slash = '/';
    }
    return status;
}

/* The difference between the processes of a job: rank or process number, or host and GPU together, which the captures of programs
 * do not have. */
enum rl_status collect_check_name(const char *pattern, const struct rl_launcher *launcher, bool of_program, struct rl_err *err)
{
    if (launcher->size <= 1 || rl_name_has(pattern, 'r') || rl_name_has(pattern, 'p') ||
        (rl_name_has(pattern, 'h') && rl_name_has(pattern, 'g')))
        return RL_OK;
    return rl_err_set(err, RL_USAGE, "%d processes of %s would write '%s': put %%r (rank)%s into the name", launcher->size,
                      launcher->name, pattern, of_program ? "" : ", or %h and %g (host and GPU),");
}

enum rl_status collect_name(const char *pattern, const struct rl_launcher *launcher, int gpu, struct rl_buf *out,
                            struct rl_err *err)
{
    assert(pattern && launcher);
    char host[HOST_NAME_MAX + 1] = "";
    RL_TRY(collect_check_name(pattern, launcher, false, err));
    (void)gethostname(host, sizeof host - 1);
    const struct rl_name_parts parts = {
        .host = host, .job = launcher->job, .rank = launcher->rank, .gpu = gpu, .pid = (long)getpid()};
    enum rl_status status = rl_name_expand(pattern, &parts, out, err);
    return status == RL_OK && strcmp(out->data, pattern) != 0 ? make_folders(out->data, err) : status;
}

/* ---- one process for each GPU ---- */

/* Its command line: as typed, and behind it the GPU and the name; the last of several options of one kind counts. */
struct member {
    int gpu; /* RL_NAME_LINKS: the links between all */
    char number[16];
    char *list; /* of the GPUs between which the links are */
    struct rl_buf output;
    struct stat before, before_partial; /* what was at `output`, and at "OUTPUT.partial"; st_ino 0: nothing */
    const char **argv;
};

static void make_member(struct member *member, const struct cli_call *call, const char *program)
{
    size_t count = 0;
    member->argv = rl_calloc(call->command_count + 5, sizeof *member->argv);
    member->argv[count++] = program;
    for (size_t i = 1; i < call->command_count; i++)
        member->argv[count++] = call->command[i];
    snprintf(member->number, sizeof member->number, "%d", member->gpu);
    member->argv[count++] = "--gpu";
    member->argv[count++] = member->number;
    member->argv[count++] = "--output";
    member->argv[count++] = member->output.data;
}

/* Nothing that was typed for the suite is for the links, but the key that signs. */
static void make_links_member(struct member *member, const struct cli_call *call, const struct collect_node *node,
                              const char *program)
{
    struct rl_buf list = RL_BUF_INIT;
    size_t count = 0;
    for (size_t i = 0; i < node->gpus.count; i++)
        rl_buf_addf(&list, "%s%d", i ? "," : "", node->gpus.list[i]);
    member->list = rl_buf_detach(&list, NULL);
    const char *argv[] = {program,
                          "collect",
                          "--links",
                          "only",
                          "--gpu",
                          member->list,
                          "--output",
                          member->output.data,
                          node->quick ? "--quick" : NULL};
    member->argv = rl_calloc(RL_COUNT(argv) + 2, sizeof *member->argv);
    for (size_t i = 0; i < RL_COUNT(argv) && argv[i]; i++)
        member->argv[count++] = argv[i];
    if (call->quiet)
        member->argv[count++] = "--quiet";
}

struct told {
    const struct member *members;
    bool quiet;
};

static void tell_line(void *context, size_t job, const char *text)
{
    const struct told *told = context;
    RL_SCRATCH line = RL_BUF_INIT;
    const char *own = "rooflight: ";
    const char *said = strncmp(text, own, strlen(own)) == 0 ? text + strlen(own) : text;
    if (told->members[job].gpu == RL_NAME_LINKS)
        rl_buf_addf(&line, "links: %s", strncmp(said, "links: ", 7) == 0 ? said + 7 : said);
    else
        rl_buf_addf(&line, "GPU %d: %s", told->members[job].gpu, said);
    cli_usage_error(line.data);
}

/* ---- the end ---- */

static bool is_complete(const struct rl_job *job)
{
    return job->end == RL_JOB_EXITED && job->exit_status == 0;
}

/* Its last message, without the names that begin such a line. */
static const char *reason_of(const struct rl_job *job)
{
    const char *text = job->last_line;
    static const char *const names[] = {"rooflight: ", "collect: "};
    for (size_t i = 0; i < RL_COUNT(names); i++)
        if (strncmp(text, names[i], strlen(names[i])) == 0)
            text += strlen(names[i]);
    return *text ? text : "it gave no reason";
}

static struct stat state_of(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? file : (struct stat){0};
}

/* Captures are written to a new file that takes the place of the old one. */
static bool is_written(const char *path, const struct stat *before)
{
    const struct stat now = state_of(path);
    return now.st_ino != 0 && (now.st_ino != before->st_ino || now.st_dev != before->st_dev ||
                               now.st_mtim.tv_sec != before->st_mtim.tv_sec || now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

/* ---- the table of results ---- */

struct member_result {
    const char *gpu;     /* its number, or "links" */
    double wall_s;       /* time of its process */
    const char *capture; /* that the process has written; NULL: none */
    const char *result;  /* "complete", or what has become of it */
};

static struct view_cell written_capture(const struct view *view, const struct view_field *field, const void *row)
{
    const struct member_result *of = row;
    (void)view, (void)field;
    return of->capture ? view_cell_text(of->capture) : view_cell_absent("the process has written none");
}

static bool result_says_why(const struct view *view, const void *row)
{
    (void)view;
    return *((const struct member_result *)row)->result;
}

/* clang-format off */
static const struct view_field member_fields[] = {
    {.id = "gpu", .head = "GPU", VIEW_AT(struct member_result, gpu), .identifies = true, .numeral = true},
    {.id = "wall_s", .head = "time", VIEW_AT(struct member_result, wall_s), .unit = RL_UNIT_SECOND, .digits = 3, .magnitude = 1},
    {.id = "capture", .head = "capture", VIEW_GET(TEXT, written_capture), .excused = result_says_why},
    {.id = "result", .head = "result", VIEW_AT(struct member_result, result)},
};
static const struct view_record member_record = {.id = "members", .title = "", VIEW_FIELDS(member_fields)};
/* clang-format on */

static struct member_result result_of(const struct member *member, const struct rl_job *job, double limit_s, struct rl_arena *arena)
{
    RL_SCRATCH result = RL_BUF_INIT, output = RL_BUF_INIT;
    if (job->end == RL_JOB_EXITED && job->exit_status == 0)
        rl_buf_adds(&result, "complete");
    else if (job->end == RL_JOB_EXITED || job->end == RL_JOB_NOT_STARTED)
        rl_buf_addf(&result, "failed: %s", reason_of(job));
    else if (job->end == RL_JOB_KILLED)
        rl_buf_addf(&result, "killed by signal %d (%s)", job->exit_status, strsignal(job->exit_status));
    else
        rl_buf_addf(&result, "given up after %.0f s%s", limit_s,
                    job->end == RL_JOB_UNKILLABLE ? "; the process cannot be killed" : "");
    rl_buf_adds(&output, member->output.data);
    bool there = is_written(output.data, &member->before);
    if (!there) {
        rl_buf_adds(&output, ".partial");
        there = is_written(output.data, &member->before_partial);
    }
    if (there && !is_complete(job))
        rl_buf_adds(&result, "; the capture has the finished part");
    return (struct member_result){.gpu = member->gpu == RL_NAME_LINKS ? "links" : member->number,
                                  .wall_s = job->wall_s,
                                  .capture = there ? rl_arena_strdup(arena, output.data) : NULL,
                                  .result = rl_arena_strdup(arena, result.data)};
}

static void print_results(const struct cli_call *call, const struct member *members, const struct rl_jobs *jobs)
{
    RL_AT_END(rl_arena_release) struct rl_arena arena = RL_ARENA_INIT;
    struct member_result *results = rl_arena_alloc(&arena, jobs->count * sizeof *results);
    for (size_t i = 0; i < jobs->count; i++)
        results[i] = result_of(&members[i], &jobs->jobs[i], jobs->limit_s, &arena);
    struct cli_doc doc = {
        .out = call->out, .width = call->terminal.interactive ? call->terminal.width : 0, .bold = call->terminal.bold};
    const struct view view = {.record = &member_record, .arena = &arena, .all = true};
    cli_view_table(&view, &member_record, &VIEW_ROWS(results, jobs->count), NULL, &doc);
}

/* The first `gpus` jobs are for a GPU each; one behind them is for the links. */
static enum rl_status judge(const struct rl_jobs *jobs, size_t gpus, struct rl_err *err)
{
    bool links = jobs->count == gpus || is_complete(&jobs->jobs[gpus]);
    const size_t failed = RL_SUM(size_t, i, gpus, !is_complete(&jobs->jobs[i]));
    if (failed)
        return rl_err_set(err, RL_FAILED, "%zu of %zu GPUs%s could not be measured completely", failed, gpus,
                          links ? "" : ", and the links between them,");
    return links ? RL_OK : rl_err_set(err, RL_FAILED, "the links between the GPUs could not be measured completely");
}

static enum rl_status count_gpus(struct collect_gpus *gpus, struct rl_err *err)
{
    int count = 0;
    enum rl_status status = cli_collector->gpu_count(&count, err);
    for (int i = 0; i < count && status == RL_OK; i++)
        add_gpu(gpus, i);
    if (status == RL_OK && count == 0)
        status = rl_err_set(err, RL_ABSENT, "no GPU is visible here%s",
                            getenv("CUDA_VISIBLE_DEVICES") ? ": CUDA_VISIBLE_DEVICES hides them" : "");
    return status;
}

static enum rl_status run_members(const struct cli_call *call, const struct collect_node *node, struct member *members,
                                  const char *program, struct rl_err *err)
{
    enum { GRACE_S = 15 };
    size_t gpus = node->gpus.count, count = gpus + (members[gpus].gpu == RL_NAME_LINKS);
    RL_FREED struct rl_job *jobs = rl_calloc(count, sizeof *jobs);
    struct told told = {members, call->quiet};
    for (size_t i = 0; i < gpus; i++)
        make_member(&members[i], call, program);
    if (count > gpus)
        make_links_member(&members[gpus], call, node, program);
    for (size_t i = 0; i < count; i++) {
        jobs[i].argv = members[i].argv;
        RL_SCRATCH partial = RL_BUF_INIT;
        rl_buf_addf(&partial, "%s.partial", members[i].output.data);
        members[i].before = state_of(members[i].output.data);
        members[i].before_partial = state_of(partial.data);
    }
    struct rl_jobs all = {.jobs = jobs,
                          .count = gpus,
                          .at_once = node->at_once ? node->at_once : gpus,
                          .limit_s = node->limit_s,
                          .grace_s = GRACE_S,
                          .line = tell_line,
                          .context = &told};
    rl_jobs_run(&all);
    if (count > gpus) { /* when nothing else runs */
        struct told of_links = {members + gpus, call->quiet};
        struct rl_jobs links = all;
        links.jobs = jobs + gpus;
        links.count = links.at_once = 1;
        links.context = &of_links;
        rl_jobs_run(&links);
    }
    all.count = count;
    print_results(call, members, &all);
    return judge(&all, gpus, err);
}

/* The last member, when there is something to measure for it. */
static enum rl_status name_links(const struct cli_call *call, const struct collect_node *node, const struct rl_launcher *launcher,
                                 struct member *member, struct rl_err *err)
{
    member->gpu = -1;
    if (!node->links_pattern)
        return RL_OK;
    if (node->gpus.count < 2) {
        cli_say(call, "links between GPUs are not measured: there is one GPU");
        return RL_OK;
    }
    member->gpu = RL_NAME_LINKS;
    return collect_name(node->links_pattern, launcher, RL_NAME_LINKS, &member->output, err);
}

enum rl_status collect_node_run(const struct cli_call *call, struct collect_node *node, const struct rl_launcher *launcher,
                                struct rl_err *err)
{
    RL_FREED char *program = realpath("/proc/self/exe", NULL);
    RL_FREED struct member *members = NULL;
    enum rl_status status =
        program ? RL_OK : rl_err_set(err, RL_FAILED, "cannot find the program file of rooflight: %s", strerror(errno));
    if (status == RL_OK && !rl_name_has(node->pattern, 'g'))
        status = rl_err_set(err, RL_USAGE, "several GPUs would write '%s': put %%g (GPU) into the name", node->pattern);
    if (status == RL_OK && node->gpus.which == COLLECT_ALL)
        status = count_gpus(&node->gpus, err);
    members = rl_calloc(node->gpus.count + 1, sizeof *members);
    for (size_t i = 0; i <= node->gpus.count; i++)
        rl_buf_init(&members[i].output);
    if (status == RL_OK) {
        /* Each GPU's capture has a name, and can be written. */
        for (size_t j = 0; j < node->gpus.count && status == RL_OK; j++) {
            members[j].gpu = node->gpus.list[j];
            status = collect_name(node->pattern, launcher, members[j].gpu, &members[j].output, err);
            RL_THEN(status, rl_check_writable(members[j].output.data, err));
        }
    }
    RL_THEN(status, name_links(call, node, launcher, &members[node->gpus.count], err));
    RL_THEN(status, run_members(call, node, members, program, err));
    for (size_t i = 0; i <= node->gpus.count; i++) {
        rl_buf_release(&members[i].output);
        RL_FREE(members[i].list, members[i].argv);
    }
    return status;
}

enum rl_status collect_standin(const char *gpu, const char *output, struct rl_err *err)
{
    const char *program = getenv("ROOFLIGHT_STANDIN");
    if (!program || !*program)
        return RL_OK;
    execv(program, (char *const[]){(char *)(uintptr_t)program, (char *)(uintptr_t)gpu, (char *)(uintptr_t)output, NULL});
    return rl_err_set(err, RL_ABSENT, "the stand-in '%s' cannot be started: %s", program, strerror(errno));
}

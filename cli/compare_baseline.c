/* compare_baseline.c - new captures against a folder of accepted ones.
 *
 * The folder holds an entry for each acceptance, a folder NNNN or NNNN-COMMIT with the captures of its sessions. Machine, card,
 * driver and day are in the captures.
 */
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "captures.h"
#include "compare_baseline.h"
#include "core/clock.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/sort.h"
#include "fleet.h"

enum { MOST_ENTRIES = 60, MOST_NAME = 48 };

/* Captures of one acceptance, one after another in the list of files. */
struct entry {
    size_t first, count;
    char *name;
};

struct baseline {
    const struct cli_call *call;
    const struct compare_baseline_options *asked;
    struct cli_files files;
    struct entry *entries; /* in order */
    size_t count, cap;
    struct rl_history history;
    struct rl_sha256 *hashes; /* of the new captures */
    const char *twice;        /* an entry that holds one of them; NULL: none does */
    size_t chosen, fallback;  /* entries: the last of this card and driver; the last of this model. RL_NONE */
};

/* ---- the folder ---- */

/* "0003-1a2b" for "DIR/0003-1a2b/session-1.rlcap"; NULL: it is not in an entry. */
static char *entry_of(const char *path, size_t folder_len)
{
    const char *name = path + folder_len;
    name += strspn(name, "/");
    const size_t len = strcspn(name, "/");
    return name[len] == '/' && isdigit((unsigned char)*name) ? rl_strndup(name, len) : NULL;
}

static void add_file(struct baseline *baseline, size_t file)
{
    char *name = entry_of(baseline->files.paths[file], strlen(baseline->asked->folder));
    struct entry *last = baseline->count ? &baseline->entries[baseline->count - 1] : NULL;
    if (name && last && strcmp(last->name, name) == 0) {
        last->count++;
        free(name);
    } else if (name) {
        RL_GROW(baseline->entries, baseline->count + 1, baseline->cap);
        baseline->entries[baseline->count++] = (struct entry){file, 1, name};
    }
}

static int by_number(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return rl_ascending(strtoul(x->name, NULL, 10), strtoul(y->name, NULL, 10)) ?: strcmp(x->name, y->name);
}

static enum rl_status list_entries(struct baseline *baseline, struct rl_err *err)
{
    if (!rl_path_exists(baseline->asked->folder))
        return baseline->asked->accept
                   ? RL_OK
                   : rl_err_set(err, RL_FAILED, "there is no folder '%s': --accept makes it", baseline->asked->folder);
    struct rl_err none = RL_ERR_INIT;
    const enum rl_status status = cli_files_find(&baseline->asked->folder, 1, &baseline->files, &none);
    if (status != RL_OK && status != RL_USAGE) /* a folder without captures is none yet */
        return rl_err_set(err, status, "%s", none.text);
    for (size_t i = 0; i < baseline->files.count; i++)
        add_file(baseline, i);
    rl_sort(baseline->entries, baseline->count, sizeof *baseline->entries, by_number);
    if (baseline->count == 0 && !baseline->asked->accept)
        return rl_err_set(err, RL_FAILED, "'%s' has no accepted captures: --accept makes these the first", baseline->asked->folder);
    return RL_OK;
}

/* Accepted captures are inputs of this command; into their folder it may have to write. */
static enum rl_status declare_folder(const struct baseline *baseline, struct rl_err *err)
{
    const struct cli_files *files = &baseline->files;
    const enum rl_status status = cli_declare_files(baseline->call, (const char *const *)files->paths, files->count, err);
    return status == RL_OK && baseline->asked->accept ? rl_check_folder(baseline->asked->folder, err) : status;
}

/* ---- holding against each ---- */

static struct compare_sides sides_of(const struct baseline *baseline, const struct entry *entry)
{
    const struct cli_call *call = baseline->call;
    const char **paths = rl_calloc(entry->count + call->operand_count, sizeof *paths);
    for (size_t i = 0; i < entry->count; i++)
        paths[i] = baseline->files.paths[entry->first + i];
    memcpy(paths + entry->count, call->operands, call->operand_count * sizeof *paths);
    return (struct compare_sides){paths, entry->count + call->operand_count, call->operand_count, 0, NULL, NULL};
}

/* Days since 1970; NAN: not known. */
static double day_of(const struct rl_capture *capture)
{
    return rl_utc_s(capture->session.started) / 86400;
}

static bool is_of_one_driver(const struct rl_comparison *comparison)
{
    const char *base = comparison->base.analysis->capture->session.driver, *new = comparison->new.analysis->capture->session.driver;
    struct rl_buf how = RL_BUF_INIT;
    const bool differs = rl_comparison_differs(comparison, RL_CIRCUMSTANCE_DRIVER, &how);
    rl_buf_release(&how);
    return !differs && (base != NULL) == (new != NULL);
}

static void add_point(struct rl_kernel_trend *kernel, double days, const struct rl_median *median)
{
    if (isnan(days) || !(median->median > 0))
        return;
    kernel->points[kernel->trend.count++] = (struct rl_trend_point){days, median->median};
}

/* The kernels of the new captures, with room for all points. */
static void begin_kernels(struct rl_history *history, const struct rl_comparison *comparison)
{
    history->count = comparison->new.count;
    history->kernels = rl_arena_alloc(&history->arena, (history->count + 1) * sizeof *history->kernels);
    for (size_t i = 0; i < history->count; i++)
        history->kernels[i] =
            (struct rl_kernel_trend){.label = rl_arena_strdup(&history->arena, comparison->new.items[i].label),
                                     .points = rl_arena_alloc(&history->arena, (MOST_ENTRIES + 1) * sizeof(struct rl_trend_point))};
}

/* Times of an entry that is of this card and driver. */
static void take_entry(struct baseline *baseline, size_t place, const struct rl_comparison *comparison)
{
    struct rl_history *history = &baseline->history;
    if (comparison->relation != RL_OTHER_MODEL)
        baseline->fallback = place;
    if (comparison->relation == RL_OTHER_MODEL || comparison->relation == RL_ONE_MODEL || !is_of_one_driver(comparison))
        return;
    baseline->chosen = place;
    if (history->comparable++ == 0)
        begin_kernels(history, comparison);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        if (!pair->not_compared && pair->new < history->count)
            add_point(&history->kernels[pair->new], day_of(comparison->base.analysis->capture), &pair->change.base);
    }
}

static void add_new_points(struct rl_history *history, const struct rl_comparison *comparison)
{
    for (size_t i = 0; i < comparison->pair_count && history->count; i++)
        if (!comparison->pairs[i].not_compared)
            add_point(&history->kernels[comparison->pairs[i].new], day_of(comparison->new.analysis->capture),
                      &comparison->pairs[i].change.new);
}

/* Compares the new captures with an entry; `take` gets what came of it. */
static enum rl_status with_entry(struct baseline *baseline, size_t place,
                                 void (*take)(struct baseline *, size_t, const struct rl_comparison *), struct rl_err *err)
{
    assert(place < baseline->count);
    struct cli_call quiet = *baseline->call;
    struct compare_sides sides = sides_of(baseline, &baseline->entries[place]);
    struct compare compare;
    quiet.quiet = true;
    const enum rl_status status = compare_open(&quiet, &sides, &compare, err);
    if (status == RL_OK)
        take(baseline, place, compare.parts[1].against_base);
    compare_close(&compare);
    free((void *)sides.paths);
    return status;
}

static void take_new(struct baseline *baseline, size_t place, const struct rl_comparison *comparison)
{
    (void)place;
    add_new_points(&baseline->history, comparison);
}

static int by_day(const void *a, const void *b)
{
    const struct rl_trend_point *x = a, *y = b;
    return rl_ascending(x->days, y->days);
}

static int by_drift(const void *a, const void *b)
{
    const struct rl_kernel_trend *x = a, *y = b;
    const bool x_drifts = x->trend.verdict == RL_SLOWER || x->trend.verdict == RL_FASTER;
    const bool y_drifts = y->trend.verdict == RL_SLOWER || y->trend.verdict == RL_FASTER;
    const double x_far = x->trend.ratio.present ? fabs(log(x->trend.ratio.estimate)) : 0;
    const double y_far = y->trend.ratio.present ? fabs(log(y->trend.ratio.estimate)) : 0;
    return rl_descending(x_drifts, y_drifts) ?: rl_descending(x_far, y_far) ?: strcmp(x->label, y->label);
}

/* Clocks can be set between two captures: the points are put in the order of their days. */
static void find_trends(struct rl_history *history)
{
    for (size_t i = 0; i < history->count; i++) {
        struct rl_kernel_trend *kernel = &history->kernels[i];
        struct rl_buf line = RL_BUF_INIT;
        rl_sort(kernel->points, kernel->trend.count, sizeof *kernel->points, by_day);
        kernel->trend = rl_trend_of(kernel->points, kernel->trend.count, history->count, RL_SMALLEST_EFFECT);
        rl_trend_sparkline(kernel->points, kernel->trend.count, &line);
        kernel->sparkline = rl_arena_strdup(&history->arena, line.data ? line.data : "");
        rl_buf_release(&line);
    }
    rl_sort(history->kernels, history->count, sizeof *history->kernels, by_drift);
}

/* ---- what is accepted already ---- */

static enum rl_status hash_of(const char *path, struct rl_sha256 *hash, struct rl_err *err)
{
    struct rl_buf bytes = RL_BUF_INIT;
    const enum rl_status status = rl_read_file(path, RL_CAPTURE_MAX_BYTES, &bytes, err);
    if (status == RL_OK)
        *hash = rl_sha256_of(bytes.data, bytes.len);
    rl_buf_release(&bytes);
    return status;
}

static enum rl_status hash_new(struct baseline *baseline, struct rl_err *err)
{
    const struct cli_call *call = baseline->call;
    enum rl_status status = RL_OK;
    baseline->hashes = rl_calloc(call->operand_count, sizeof *baseline->hashes);
    for (size_t i = 0; i < call->operand_count && status == RL_OK; i++)
        status = hash_of(call->operands[i], &baseline->hashes[i], err);
    return status;
}

/* Whether the entry holds one of the new captures: nothing could differ between the two. */
static enum rl_status is_twice(struct baseline *baseline, const struct entry *entry, bool *twice, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    *twice = false;
    for (size_t i = 0; i < entry->count && status == RL_OK; i++) {
        struct rl_sha256 hash;
        status = hash_of(baseline->files.paths[entry->first + i], &hash, err);
        for (size_t j = 0; j < baseline->call->operand_count && status == RL_OK; j++)
            *twice |= strcmp(hash.hex, baseline->hashes[j].hex) == 0;
    }
    if (*twice)
        baseline->twice = entry->name;
    return status;
}

static enum rl_status look_at(struct baseline *baseline, size_t place, struct rl_err *err)
{
    assert(place < baseline->count);
    bool twice;
    const enum rl_status status = is_twice(baseline, &baseline->entries[place], &twice, err);
    return status == RL_OK && !twice ? with_entry(baseline, place, take_entry, err) : status;
}

/* All entries, or the newest ones of very many; those that hold the new captures are left out. */
static enum rl_status look_back(struct baseline *baseline, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    const size_t first = baseline->count > MOST_ENTRIES ? baseline->count - MOST_ENTRIES : 0;
    baseline->chosen = baseline->fallback = RL_NONE;
    baseline->history.entries = baseline->count - first;
    for (size_t i = first; i < baseline->count && status == RL_OK; i++)
        status = look_at(baseline, i, err);
    if (status == RL_OK && baseline->chosen != RL_NONE)
        status = with_entry(baseline, baseline->chosen, take_new, err);
    find_trends(&baseline->history);
    return status;
}

/* What the captures are held against, where it is not the last of their card and driver. */
static enum rl_status tell_choice(const struct baseline *baseline, struct rl_err *err)
{
    const bool found = baseline->chosen != RL_NONE || baseline->fallback != RL_NONE;
    if (!found && baseline->twice)
        return rl_err_set(err, RL_FAILED, "'%s' has no captures of this model of card but these, which are %s",
                          baseline->asked->folder, baseline->twice);
    if (!found)
        return rl_err_set(err, RL_FAILED, "no captures of this model of card were accepted into '%s'", baseline->asked->folder);
    if (baseline->twice)
        cli_say(baseline->call, "%s already holds these captures: it is left out", baseline->twice);
    if (baseline->chosen == RL_NONE)
        cli_say(baseline->call, "no captures of this card and driver were accepted into '%s': compared with %s, of another one",
                baseline->asked->folder, baseline->entries[baseline->fallback].name);
    return RL_OK;
}

/* ---- accepting ---- */

/* Letters, digits, points, lines: what no file system and no shell takes amiss. */
static void add_commit(struct rl_buf *name, const char *commit)
{
    rl_buf_addch(name, '-');
    for (size_t i = 0; commit[i] && i < MOST_NAME; i++)
        rl_buf_addch(name, isalnum((unsigned char)commit[i]) || strchr("._", commit[i]) ? commit[i] : '-');
}

/* What is no capture, or not signed as is asked for, is not accepted, also where there is nothing yet to hold it against. */
static enum rl_status copy_capture(const char *from, const struct cli_trust *trust, const char *folder, size_t number,
                                   struct rl_err *err)
{
    struct rl_buf bytes = RL_BUF_INIT, to = RL_BUF_INIT;
    struct rl_capture *capture = NULL;
    rl_buf_addf(&to, "%s/session-%03zu.rlcap", folder, number);
    enum rl_status status = cli_read_capture(from, trust, &bytes, &capture, err);
    if (status == RL_OK)
        status = rl_write_file_atomic(to.data, bytes.data, bytes.len, err);
    rl_capture_free(capture);
    rl_buf_release(&bytes);
    rl_buf_release(&to);
    return status;
}

/* The greatest number that anything in the folder begins with: another acceptance may have come in between. */
static unsigned long last_number(const char *folder)
{
    enum { MOST_DIGITS = 9 };
    unsigned long last = 0;
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        const size_t digits = strspn(entry->d_name, "0123456789");
        const unsigned long number = digits <= MOST_DIGITS ? strtoul(entry->d_name, NULL, 10) : 0;
        last = number > last ? number : last;
    }
    if (entries)
        closedir(entries);
    return last;
}

/* The next number that is free, also where others accept at the same time. */
static enum rl_status name_entry(const struct baseline *baseline, const char *filled, struct rl_err *err)
{
    enum rl_status status = RL_BUSY;
    for (unsigned long number = last_number(baseline->asked->folder) + 1; status == RL_BUSY; number++) {
        struct rl_buf name = RL_BUF_INIT;
        rl_buf_addf(&name, "%s/%04lu", baseline->asked->folder, number);
        if (baseline->asked->commit)
            add_commit(&name, baseline->asked->commit);
        status = rl_folder_finish(filled, name.data, err);
        if (status == RL_OK)
            cli_say(baseline->call, "accepted as %s", name.data);
        rl_buf_release(&name);
    }
    return status;
}

/* All captures or none become an entry. */
static enum rl_status accept(const struct baseline *baseline, struct rl_err *err)
{
    const struct cli_call *call = baseline->call;
    struct cli_trust trust = {0};
    char *filled = NULL;
    if (baseline->twice) {
        cli_say(call, "not accepted again");
        return RL_OK;
    }
    const bool made = !rl_path_exists(baseline->asked->folder);
    enum rl_status status = cli_trust_open(&((const struct compare_options *)call->options)->trust, &trust, err);
    if (status == RL_OK)
        status = rl_make_folder(baseline->asked->folder, err);
    if (status == RL_OK)
        status = rl_folder_begin(baseline->asked->folder, &filled, err);
    for (size_t i = 0; i < call->operand_count && status == RL_OK; i++)
        status = copy_capture(call->operands[i], &trust, filled, i + 1, err);
    if (status == RL_OK)
        status = name_entry(baseline, filled, err);
    if (status != RL_OK && filled)
        rl_remove_tree(filled);
    if (status != RL_OK && made)
        (void)rmdir(baseline->asked->folder); /* unless another process has put something into it */
    free(filled);
    cli_trust_close(&trust);
    return status;
}

/* ---- all ---- */

static enum rl_status check(const struct cli_call *call, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    const char *const other = chosen->prices                     ? "price"
                              : chosen->each                     ? "each"
                              : chosen->fail_on_outlier          ? "fail-on-outlier"
                              : chosen->format == COMPARE_VALUES ? "values"
                                                                 : NULL;
    if (other)
        return rl_err_set(err, RL_USAGE, "--%s does not go with --baseline", other);
    if (cli_operands_behind_dashes(call) && cli_operands_behind_dashes(call) < call->operand_count)
        return rl_err_set(err, RL_USAGE, "with --baseline all captures are on the new side: leave out the others and '--'");
    if (chosen->baseline.commit && !chosen->baseline.accept)
        return rl_err_set(err, RL_USAGE, "--commit goes with --accept");
    return compare_check_options(call, err);
}

static enum rl_status hold_against(struct baseline *baseline, compare_finish *finish, struct rl_err *err)
{
    enum rl_status status = look_back(baseline, err);
    if (status == RL_OK)
        status = tell_choice(baseline, err);
    if (status != RL_OK)
        return status;
    const struct entry *entry = &baseline->entries[baseline->chosen != RL_NONE ? baseline->chosen : baseline->fallback];
    struct compare_sides sides = sides_of(baseline, entry);
    const bool redact = ((const struct compare_options *)baseline->call->options)->redact; /* the commit's name is a user's word */
    baseline->history.chosen =
        rl_arena_strndup(&baseline->history.arena, entry->name, redact ? strspn(entry->name, "0123456789") : strlen(entry->name));
    sides.history = &baseline->history;
    status = finish(baseline->call, &sides, err);
    free((void *)sides.paths);
    if (baseline->asked->accept && (status == RL_REGRESSION || status == RL_OPEN))
        cli_say(baseline->call, "not accepted");
    return status;
}

enum rl_status compare_baseline(const struct cli_call *call, compare_finish *finish, struct rl_err *err)
{
    const struct compare_options *chosen = call->options;
    struct baseline baseline = {.call = call, .asked = &chosen->baseline, .history = {.arena = RL_ARENA_INIT}};
    enum rl_status status = check(call, err);
    if (status == RL_OK)
        status = list_entries(&baseline, err);
    if (status == RL_OK)
        status = declare_folder(&baseline, err);
    if (status == RL_OK && baseline.count)
        status = hash_new(&baseline, err);
    if (status == RL_OK && baseline.count)
        status = hold_against(&baseline, finish, err);
    if (status == RL_OK && chosen->baseline.accept)
        status = accept(&baseline, err);
    for (size_t i = 0; i < baseline.count; i++)
        free(baseline.entries[i].name);
    free(baseline.entries);
    free(baseline.hashes);
    cli_files_release(&baseline.files);
    rl_arena_release(&baseline.history.arena);
    return status;
}

/* compare_origin.c - where a change comes from. */
#include "views/origin.h"

#include <assert.h>
#include <inttypes.h>

#include "compare_parts.h"
#include "core/utf8.h"

enum { HASH_DIGITS = 12, DATE_DIGITS = 10, SUBJECT_COLUMNS = 90 };

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void view_origin_text(const struct view_origin *origin, struct rl_buf *out)
{
    if (origin->range)
        rl_buf_addf(out, "%" PRIu64 " commit%s; %" PRIu64 " file%s changed, %" PRIu64 " line%s added, %" PRIu64 " removed",
                    origin->commits, plural(origin->commits), origin->files, plural(origin->files), origin->added,
                    plural(origin->added), origin->removed);
}

void view_commit_text(const struct view_commit *commit, struct rl_buf *out)
{
    rl_buf_addf(out, "%.*s ", HASH_DIGITS, commit->hash);
    rl_utf8_abbreviate(out, commit->subject, SUBJECT_COLUMNS);
    rl_buf_addf(out, " (%.*s)", DATE_DIGITS, commit->date);
}

static const struct view_field commit_fields[] = {
    {.id = "hash", VIEW_AT(struct view_commit, hash), .help = "of the commit, in full"},
    {.id = "date", VIEW_AT(struct view_commit, date), .help = "when it was committed"},
    {.id = "subject", VIEW_AT(struct view_commit, subject), .columns = SUBJECT_COLUMNS, .help = "first line of its message"},
};
static const struct view_record commit_record = {
    .id = "commit", .title = "", .help = "a commit of a git repository", VIEW_FIELDS(commit_fields)};

static struct view_cell commit_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_origin *origin = row;
    (void)view;
    return view_cell_record(!origin->range ? NULL : field->key ? &origin->new : &origin->base);
}

enum { COMMITS, FILES, ADDED, REMOVED };

static struct view_cell count_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_origin *origin = row;
    const uint64_t counts[] = {
        [COMMITS] = origin->commits, [FILES] = origin->files, [ADDED] = origin->added, [REMOVED] = origin->removed};
    (void)view;
    assert((size_t)field->key < RL_COUNT(counts));
    return origin->range ? view_cell_whole(counts[field->key]) : view_cell_absent("");
}

enum { RANGE, FLAGS, TEXT, BASE_TEXT, NEW_TEXT };

static struct view_cell text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_origin *origin = row;
    struct rl_buf text = RL_BUF_INIT;
    if (field->key == RANGE || field->key == FLAGS)
        return view_cell_text(field->key == RANGE ? origin->range : origin->build_flags);
    if (!origin->range)
        return view_cell_absent("");
    if (field->key == TEXT)
        view_origin_text(origin, &text);
    else
        view_commit_text(field->key == NEW_TEXT ? &origin->new : &origin->base, &text);
    return view_cell_text(view_keep(view, &text));
}

/* clang-format off */
#define COUNT(name, of, what) \
    {.id = (name), .type = VIEW_TYPE_WHOLE, .get = count_cell, .key = (of), .optional = true, .help = (what)}
#define WORDS(name, of, what) \
    {.id = (name), .type = VIEW_TYPE_TEXT, .get = text_cell, .key = (of), .for_people = true, .help = (what)}
static const struct view_field origin_fields[] = {
    {.id = "range", .type = VIEW_TYPE_TEXT, .get = text_cell, .key = RANGE, .optional = true,
     .help = "commits, as --git names them"},
    {.id = "base", .type = VIEW_TYPE_RECORD, .record = &commit_record, .get = commit_cell, .optional = true,
     .help = "the commit of the base"},
    {.id = "new", .type = VIEW_TYPE_RECORD, .record = &commit_record, .get = commit_cell, .key = 1, .optional = true,
     .help = "the commit of the new version"},
    COUNT("commits", COMMITS, "number of commits from one to the other"),
    COUNT("files", FILES, "number of files that differ between both"),
    COUNT("lines_added", ADDED, "lines that only the new version has"),
    COUNT("lines_removed", REMOVED, "lines that only the base has"),
    {.id = "build_flags", .type = VIEW_TYPE_TEXT, .get = text_cell, .key = FLAGS, .optional = true,
     .help = "what both were built with, as --build-flags says"},
    WORDS("text", TEXT, "how many commits, files and lines"),
    WORDS("base_text", BASE_TEXT, "the commit of the base in a line"),
    WORDS("new_text", NEW_TEXT, "the commit of the new version in a line"),
};
/* clang-format on */
const struct view_record view_record_origin = {
    .id = "origin", .title = "", .help = "where a change comes from, as git and its author say", VIEW_FIELDS(origin_fields)};

bool view_has_commits(const struct view *view, const void *row)
{
    const struct view_origin *origin = ((const struct view_compare *)row)->options.origin;
    (void)view;
    return origin && origin->range;
}

bool view_has_flags(const struct view *view, const void *row)
{
    const struct view_origin *origin = ((const struct view_compare *)row)->options.origin;
    (void)view;
    return origin && origin->build_flags;
}

struct view_cell view_origin_cell(const struct view *view, const struct view_field *field, const void *row)
{
    (void)field;
    return view_cell_record(
        view_has_commits(view, row) || view_has_flags(view, row) ? ((const struct view_compare *)row)->options.origin : NULL);
}

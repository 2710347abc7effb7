/* fleet_report.c - the document about a fleet, from the list of its sections to the bytes (see media/fleet.h). */
#include "media/fleet.h"

#include <assert.h>
#include <string.h>

#include "core/mem.h"
#include "fleet_doc.h"

/* ---- when a section is shown ---- */

static bool always(const struct rl_fleet *fleet)
{
    (void)fleet;
    return true;
}

static bool when_suspects(const struct rl_fleet *fleet)
{
    return fleet->suspect_count > 0;
}

/* Whether a group that has charts has figures of that kind. */
static bool has_figures(const struct rl_fleet *fleet, bool ceilings)
{
    for (size_t i = 0; i < fleet->spread_count; i++)
        if (fleet->spreads[i].group < RL_FLEET_MOST_GROUPS && fleet->keys[fleet->spreads[i].key].ceiling == ceilings)
            return true;
    return false;
}

static bool when_ceilings(const struct rl_fleet *fleet)
{
    return has_figures(fleet, true);
}

static bool when_times(const struct rl_fleet *fleet)
{
    return has_figures(fleet, false);
}

/* ---- the list ---- */

#define PAGE(id, title, when) extern const struct rl_page rl_fleet_page_##id;
#include "fleet_pages.def"
#undef PAGE

static const struct rl_section_kind sections[RL_FLEET_PAGE_COUNT] = {
#define PAGE(id, title, when) [RL_FLEET_PAGE_##id] = {#id, title, &rl_fleet_page_##id},
#include "fleet_pages.def"
#undef PAGE
};

static bool (*const whens[RL_FLEET_PAGE_COUNT])(const struct rl_fleet *fleet) = {
#define PAGE(id, title, when) [RL_FLEET_PAGE_##id] = when,
#include "fleet_pages.def"
#undef PAGE
};

static size_t instances(const struct rl_document *doc, size_t id)
{
    return whens[id](rl_fleet_of(doc));
}

static double room(const struct rl_document *doc, const struct rl_section *section)
{
    return section->id == RL_FLEET_PAGE_captures ? rl_fleet_captures_height(doc) : 0;
}

static const struct rl_document_kind kind = {
    .sections = sections, .count = RL_FLEET_PAGE_COUNT, .instances = instances, .room = room, .between = 14};

/* ---- the document ---- */

/* Files that were given. Records are sorted by path; of a file with several, what is said of it is not counted again. */
static size_t count_files(const struct rl_fleet *fleet)
{
    size_t count = 0, record = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        count += i == 0 || strcmp(fleet->records[i]->path, fleet->records[i - 1]->path) != 0;
    for (size_t i = 0; i < fleet->unread_count; i++) {
        const char *path = fleet->unread[i].path;
        while (record < fleet->record_count && strcmp(fleet->records[record]->path, path) < 0)
            record++;
        bool known = record < fleet->record_count && strcmp(fleet->records[record]->path, path) == 0;
        count += !known && (i == 0 || strcmp(fleet->unread[i - 1].path, path) != 0);
    }
    return count;
}

static const char *newest(const struct rl_fleet *fleet)
{
    const char *latest = "";
    for (size_t i = 0; i < fleet->record_count; i++)
        if (strcmp(fleet->records[i]->started, latest) > 0)
            latest = fleet->records[i]->started;
    return latest;
}

static enum rl_status finish(struct rl_document *doc, const struct rl_fleet *fleet, struct rl_buf *out, struct rl_err *err)
{
    const char *version = doc->options->tool_version;
    const char *title = rl_words(doc, "Fleet of %s", rl_fleet_words_of(doc));
    const struct rl_running running = {.head_left = "GPU fleet report · summary on page 1",
                                       .head_right = title,
                                       .foot = rl_words(doc, "%s · rooflight %s%s",
                                                        rl_words_count(doc, count_files(fleet), "capture", "captures"), version,
                                                        doc->options->redacted ? " · redacted" : "")};
    const struct rl_pdf_info info = {.title = rl_words(doc, "GPU fleet report: %s", title),
                                     .subject = rl_fleet_words_answer(doc),
                                     .keywords = "GPU, CUDA, fleet, acceptance, outliers",
                                     .creator = rl_words(doc, "rooflight %s", version),
                                     .created = newest(fleet)};
    return rl_document_finish(doc, &running, &info, out, err);
}

enum rl_status rl_fleet_report_make(const struct rl_fleet *fleet, const struct rl_report_options *options, struct rl_buf *out,
                                    struct rl_err *err)
{
    assert(fleet->compared + fleet->links > 0 && options->tool_version);
    struct rl_fleet_subject subject = {.fleet = fleet};
    struct rl_document doc;
    enum rl_status status = rl_document_open(&doc, &kind, &subject, options, err);
    if (status == RL_OK) {
        rl_document_list(&doc);
        status = rl_document_lay(&doc, err);
    }
    if (status == RL_OK)
        status = finish(&doc, fleet, out, err);
    rl_document_close(&doc);
    return status;
}

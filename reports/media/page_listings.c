/* page_listings.c - the code of the suite's kernels, where it was asked for: a page for each file. */
#include <assert.h>
#include <string.h>

#include "core/mem.h"
#include "page.h"

#define NBSP "\xC2\xA0"

static bool is_measured(const struct rl_report *report, size_t experiment)
{
    for (size_t i = 0; i < report->experiment_count; i++)
        if (report->experiments[i].experiment == experiment)
            return true;
    return false;
}

void rl_listings_find(struct rl_report *report)
{
    const struct rl_report_options *options = report->doc->options;
    const struct rl_capture *capture = report->capture;
    report->listings = rl_arena_alloc(report->doc->arena, (options->listing_count + 1) * sizeof *report->listings);
    if (!options->list_code && !(options->only && report->pages[RL_PAGE_listings].wanted))
        return;
    for (size_t e = 0; e < capture->experiment_count; e++)
        for (size_t i = 0; i < options->listing_count && is_measured(report, e); i++)
            if (strcmp(options->listings[i].experiment, capture->experiments[e].name) == 0 &&
                report->listing_count < options->listing_count)
                report->listings[report->listing_count++] = &options->listings[i];
}

size_t rl_listing_target(const struct rl_report *report, const char *experiment)
{
    for (size_t i = 0; i < report->listing_count; i++)
        if (strcmp(report->listings[i]->experiment, experiment) == 0)
            return rl_document_target(report->doc, RL_PAGE_listings, i);
    return RL_NO_TARGET;
}

static void title(struct rl_document *doc, const struct rl_section *section, struct rl_buf *out)
{
    const struct rl_report *report = doc->subject;
    assert(section->instance < report->listing_count);
    rl_buf_addf(out, "kernels/%s.cu", report->listings[section->instance]->file);
}

/* A line with its indentation, which spaces would lose. */
static void draw_line(struct rl_layout *layout, const char *line, size_t len)
{
    struct rl_buf text = RL_BUF_INIT;
    const size_t indent = strspn(line, " ");
    for (size_t i = 0; i < indent && i < len; i++)
        rl_buf_adds(&text, NBSP);
    rl_buf_add(&text, line + indent, len - indent);
    rl_layout_text(layout, RL_STYLE_LISTING, text.data);
    rl_buf_release(&text);
}

#define BEGINNING 3.0 /* lines of a definition that stand together */

static void draw_code(struct rl_layout *layout, const char *text)
{
    const double leading = rl_styles[RL_STYLE_LISTING].leading;
    bool begins = true;
    for (const char *line = text; *line;) {
        const size_t len = strcspn(line, "\n");
        if (begins)
            rl_layout_need(layout, BEGINNING * leading);
        if (len > 0)
            draw_line(layout, line, len);
        else
            rl_layout_skip(layout, leading / 2);
        begins = len == 0;
        line += len + (line[len] != 0);
    }
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct rl_report_listing *listing = report->listings[section->instance];
    const char *measured_by = report->capture->session.tool_version, *here = doc->options->tool_version;
    struct rl_para para = RL_PARA_INIT;
    const char *other = strcmp(measured_by, here) == 0
                            ? ""
                            : rl_words(doc, " The capture was measured by version %s.", rl_words_short(doc, measured_by, 40));
    rl_para_coded(
        doc->layout, &para, RL_STYLE_BODY, RL_STYLE_CODE,
        rl_words(doc,
                 "The device code of `%s`, as in version %s of rooflight; buffers, launches and the check against a reference are "
                 "left out.%s",
                 listing->experiment, here, other));
    rl_layout_para(doc->layout, &para);
    rl_para_release(&para);
    rl_layout_skip(doc->layout, 6);
    draw_code(doc->layout, listing->text);
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return report->listing_count;
}

const struct rl_page rl_page_listings = {.count = how_many, .title = title, .draw = draw, .joins = 160};

/* export.c - every chart of a report as files of its own, for slides and wikis. */
#include "export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/fs.h"
#include "core/mem.h"

enum { LONGEST_NAME = 40 };

/* "experiment-coalescing": page, title unless it is the page's own, GPU when there are several. */
static void add_base(const struct rl_report *report, const struct rl_section *section, struct rl_buf *name)
{
    rl_buf_adds(name, rl_page_ids[section->id]);
    if (section->page->title) {
        rl_buf_addch(name, '-');
        /* Letters and figures of a title, the rest as dashes: nothing of a capture decides where a file goes. */
        size_t start = name->len;
        for (const char *p = section->title; *p && name->len - start < LONGEST_NAME; p++) {
            bool plain = isalnum((unsigned char)*p) || *p == '_';
            if (plain)
                rl_buf_addch(name, (char)tolower((unsigned char)*p));
            else if (name->len > start && name->data[name->len - 1] != '-')
                rl_buf_addch(name, '-');
        }
        while (name->len > start && name->data[name->len - 1] == '-')
            rl_buf_truncate(name, name->len - 1);
    }
    if (report->capture->gpu_count > 1)
        rl_buf_addf(name, "-gpu%d", report->capture->gpus[rl_page_gpu(report, section->id, section->instance)].index);
}

static enum rl_status write_chart(const struct rl_document *doc, const struct rl_drawing *drawing, const char *name,
                                  struct rl_err *err)
{
    struct rl_buf file = RL_BUF_INIT, svg = RL_BUF_INIT;
    rl_buf_addf(&file, "%s.svg", name);
    char *path = rl_path_join(doc->options->charts_dir, file.data);
    rl_drawing_svg(drawing, rl_font_rows[RL_FONT_REGULAR].family, &svg);
    const enum rl_status status = rl_write_file_atomic(path, svg.data, svg.len, err);
    free(path);
    rl_buf_release(&svg);
    rl_buf_release(&file);
    return status;
}

static enum rl_status write_section(const struct rl_report *report, const struct rl_section *section, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    struct rl_buf name = RL_BUF_INIT;
    /* The same, with the section's number where an earlier section has that name, too: titles may differ in what no file name
     * shows. */
    struct rl_buf other = RL_BUF_INIT;
    bool taken = false;
    add_base(report, section, &name);
    for (const struct rl_section *s = report->doc->sections; s < section && !taken; s++) {
        rl_buf_reset(&other);
        add_base(report, s, &other);
        taken = strcmp(other.data, name.data) == 0;
    }
    if (taken)
        rl_buf_addf(&name, "-%zu", (size_t)(section - report->doc->sections) + 1);
    rl_buf_release(&other);
    size_t base = name.len;
    for (size_t i = 0; i < section->chart_count && status == RL_OK; i++) {
        rl_buf_truncate(&name, base);
        rl_buf_addf(&name, "-%zu", i + 1);
        status = write_chart(report->doc, &rl_document_result(report->doc, section, i)->drawing, name.data, err);
    }
    rl_buf_release(&name);
    return status;
}

enum rl_status rl_export_charts(const struct rl_report *report, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (size_t s = 0; s < report->doc->section_count && status == RL_OK; s++)
        status = write_section(report, &report->doc->sections[s], err);
    return status;
}

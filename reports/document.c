/* document.c - fonts, an empty PDF, charts (see document.h). */
#include "document.h"

#include <assert.h>
#include <stdlib.h>

#include "core/fs.h"
#include "core/mem.h"

#ifndef RL_TEMPLATES_SOURCE
#define RL_TEMPLATES_SOURCE "templates"
#endif
#ifndef RL_TEMPLATES_INSTALLED
#define RL_TEMPLATES_INSTALLED "/usr/share/rooflight/templates"
#endif

struct paper {
    double width, height;
};
static const struct paper papers[] = {[RL_PAPER_A4] = {595.276, 841.890}, [RL_PAPER_LETTER] = {612, 792}};

/* ---- where the templates are ---- */

static bool has_templates(const char *folder)
{
    char *path = rl_path_join(folder, "rooflight.lua");
    bool found = rl_path_exists(path);
    free(path);
    return found;
}

char *rl_document_templates(const char *given)
{
    if (given)
        return has_templates(given) ? rl_strdup(given) : NULL;
    char *program = rl_executable_dir();
    char *beside = rl_path_join(program, "../share/rooflight/templates");
    free(program);
    const char *const folders[] = {beside, RL_TEMPLATES_SOURCE, RL_TEMPLATES_INSTALLED};
    char *found = NULL;
    for (size_t i = 0; i < RL_COUNT(folders) && !found; i++)
        if (has_templates(folders[i]))
            found = rl_strdup(folders[i]);
    free(beside);
    return found;
}

/* ---- drawing ---- */

static double chart_text_width(void *context, const char *text, size_t len, double size, int bold)
{
    return rl_pdf_text_width(context, bold ? RL_FACE_BOLD : RL_FACE_REGULAR, size, text, len);
}

enum rl_status rl_document_draw(const struct rl_document *document, struct rl_chart *charts, size_t count,
                                struct rl_chart_result **results, struct rl_err *err)
{
    const struct rl_report_options *options = document->options;
    char *folder = rl_document_templates(options->template_dir);
    if (!folder)
        return rl_err_set(err, RL_ABSENT,
                          "the chart templates are not below %s: reinstall rooflight, or run it from its build folder",
                          options->template_dir ? options->template_dir : RL_TEMPLATES_INSTALLED);
    struct rl_font_heights heights = rl_fonts_heights(document->fonts);
    struct rl_chart_env env = {
        .gnuplot = options->gnuplot,
        .template_dir = folder,
        .keep_dir = options->keep_dir,
        .text = {chart_text_width, document->pdf, heights.capital, heights.ascent, heights.descent},
    };
    for (size_t i = 0; i < count; i++)
        if (charts[i].height <= 0)
            charts[i].height = rl_chart_natural_height(&charts[i]);
    *results = rl_calloc(count, sizeof **results);
    enum rl_status status = rl_charts_draw(charts, count, &env, *results, err);
    free(folder);
    return status;
}

void rl_document_release_charts(struct rl_chart_result *results, size_t count)
{
    for (size_t i = 0; i < count && results; i++)
        rl_chart_result_release(&results[i]);
    free(results);
}

/* ---- the whole ---- */

enum rl_status rl_document_open(struct rl_document *document, const struct rl_report_options *options, struct rl_err *err)
{
    struct paper paper = papers[options->paper];
    *document = (struct rl_document){.options = options};
    enum rl_status status = rl_fonts_open(options->font_dir, &document->fonts, err);
    if (status == RL_OK)
        status = rl_pdf_new(document->fonts, paper.width, paper.height, &document->pdf, err);
    if (status == RL_OK)
        document->layout = rl_layout_new(document->pdf, document->fonts, paper.width, paper.height);
    return status;
}

void rl_document_close(struct rl_document *document)
{
    rl_layout_free(document->layout);
    rl_pdf_free(document->pdf);
    rl_fonts_free(document->fonts);
}

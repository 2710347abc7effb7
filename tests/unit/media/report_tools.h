/* report_tools.h - makes reports of captures for tests, and looks for sentences in them. */
#ifndef RL_TEST_REPORTS_REPORT_TOOLS_H
#define RL_TEST_REPORTS_REPORT_TOOLS_H

#include "rl_test.h"

#include "core/utf8.h"
#include "fixtures/synthetic.h"
#include "media/pdf_tools.h"
#include "media/report.h"

static const char attachment[] = "bytes of the capture";

static inline struct rl_report_options options_for(enum rl_paper paper)
{
    return (struct rl_report_options){.paper = paper,
                                      .tool_version = "0.1.0",
                                      .attachment = attachment,
                                      .attachment_len = sizeof attachment - 1,
                                      .attachment_name = "synthetic.rlcap"};
}

/* The report of a capture, which is freed. */
static inline struct rl_buf report_with(struct rl_capture *capture, const struct rl_report_options *options)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    struct rl_analysis *analysis = rl_analysis_new(capture);
    if (rl_report_make(analysis, options, &out, &err) != RL_OK)
        fail_msg("%s", err.text);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return out;
}

static inline struct rl_buf report_of(struct rl_capture *capture, enum rl_paper paper)
{
    struct rl_report_options options = options_for(paper);
    return report_with(capture, &options);
}

/* With what is an appendix, too. */
static inline struct rl_buf full_report_of(struct rl_capture *capture, enum rl_paper paper)
{
    struct rl_report_options options = options_for(paper);
    options.full = true;
    return report_with(capture, &options);
}

/* The report is sound, readable, and its words stand apart on pages that are not blank. */
static inline void assert_good(const struct rl_buf *pdf)
{
    struct rl_buf text = RL_BUF_INIT;
    assert_pdf_sound(pdf);
    assert_true(pdf_pages(pdf) > 0);
    assert_words_apart(pdf);
    if (pdf_text(pdf, &text)) {
        assert_true(rl_utf8_valid(text.data, text.len));
        assert_int_equal(occurrences(text.data, "\f"), pdf_pages(pdf));
        for (const char *page = text.data, *end; (end = strchr(page, '\f')); page = end + 1)
            assert_true(end - page > 150); /* header, footer and something between */
    }
    rl_buf_release(&text);
}

/* `text` without line breaks and runs of blanks, to look for sentences. */
static inline struct rl_buf words_in(const struct rl_buf *text)
{
    struct rl_buf words = RL_BUF_INIT;
    for (const char *p = text->data; *p; p++) {
        bool blank = *p == ' ' || *p == '\n' || *p == '\f';
        if (!blank || (words.len > 0 && words.data[words.len - 1] != ' '))
            rl_buf_addch(&words, blank ? ' ' : *p);
    }
    return words;
}

/* The words of a report, column by column; empty without pdftotext. */
static inline struct rl_buf words_of(const struct rl_buf *pdf)
{
    struct rl_buf text = RL_BUF_INIT;
    pdf_tool(pdf, &text, "pdftotext", "@", "-", NULL);
    struct rl_buf words = words_in(&text);
    rl_buf_release(&text);
    return words;
}

/* The same line by line, across columns. */
static inline struct rl_buf lines_of(const struct rl_buf *pdf)
{
    struct rl_buf text = RL_BUF_INIT;
    pdf_text(pdf, &text);
    struct rl_buf words = words_in(&text);
    rl_buf_release(&text);
    return words;
}

static inline void assert_says(const struct rl_buf *words, const char *sentence)
{
    if (words->len > 0 && !strstr(words->data, sentence))
        fail_msg("'%s' is not in the report", sentence);
}

static inline void assert_says_not(const struct rl_buf *words, const char *sentence)
{
    if (strstr(words->data, sentence))
        fail_msg("'%s' is in the report", sentence);
}

/* The lines of the page that begins with `title`, up to the next one; the text's own bytes are cut. NULL without pdftotext. */
static inline const char *page_of(struct rl_buf *text, const struct rl_buf *pdf, const char *title)
{
    if (!pdf_text(pdf, text))
        return NULL;
    char *page = strstr(text->data, title);
    assert_non_null(page);
    page[strcspn(page, "\f")] = 0;
    return page;
}

#endif

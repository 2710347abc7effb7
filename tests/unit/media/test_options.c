/* What the reader of a report can ask for: title, author, picture, notes, sections, charts. */
#include "rl_test.h"

#include <stdlib.h>

#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "media/report_tools.h"
#include "page.h"

static struct rl_report_options plain(void)
{
    return options_for(RL_PAPER_A4);
}

static struct rl_buf say(struct rl_capture *capture, const struct rl_report_options *options)
{
    struct rl_buf pdf = report_with(capture, options), words = lines_of(&pdf);
    assert_good(&pdf);
    rl_buf_release(&pdf);
    return words;
}

static void assert_refused(const struct rl_report_options *options, enum rl_status status, const char *says)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    struct rl_capture *capture = synthetic_program(1);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(rl_report_make(analysis, options, &out, &err), status);
    if (!strstr(err.text, says))
        fail_msg("'%s' does not say '%s'", err.text, says);
    assert_int_equal(out.len, 0);
    rl_buf_release(&out); /* it may have had something in it */
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void title_and_author_are_above_and_in_the_properties(void **state)
{
    (void)state;
    struct rl_report_options options = plain();
    options.title = "Acceptance (of \xC2\xB5) \\ node";
    options.author = "R. Reviewer";
    struct rl_buf pdf = report_with(synthetic_program(1), &options), words = lines_of(&pdf), info = RL_BUF_INIT;
    assert_good(&pdf);
    if (words.len > 0)
        assert_true(occurrences(words.data, options.title) >= 3); /* above every page */
    assert_says(&words, "R. Reviewer");
    assert_says_not(&words, "GPU roofline report");
    if (pdf_tool(&pdf, &info, "pdfinfo", "@", NULL, NULL) == 0) {
        assert_non_null(strstr(info.data, options.title));
        assert_non_null(strstr(info.data, "R. Reviewer"));
    }
    rl_buf_release(&info);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

/* Without a title that is given, the program's name is above every page and in the properties. */
static void a_program_gives_its_name_to_its_report(void **state)
{
    (void)state;
    struct rl_report_options options = plain();
    struct rl_capture *capture = synthetic_program(3);
    sample_process(capture, &(struct sample_process){.pid = 7, .command = "python3 gpu/train.py --steps 9", .end = "exited"});
    struct rl_buf pdf = report_with(capture, &options), words = lines_of(&pdf), info = RL_BUF_INIT;
    assert_good(&pdf);
    assert_says_not(&words, "GPU roofline report");
    if (words.len > 0)
        assert_true(occurrences(words.data, "train.py \xC2\xB7 summary on page 1") >= 2);
    if (pdf_tool(&pdf, &info, "pdfinfo", "@", NULL, NULL) == 0)
        assert_non_null(strstr(info.data, "train.py: "));
    rl_buf_release(&info);
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void the_date_can_be_given(void **state)
{
    (void)state;
    struct rl_report_options options = plain();
    options.created = "2001-02-03T04:05:06Z";
    struct rl_buf pdf = report_with(synthetic_program(1), &options);
    assert_true(pdf_holds(&pdf, "/CreationDate (D:20010203040506"));
    rl_buf_release(&pdf);
}

static void only_what_was_asked_for_is_shown(void **state)
{
    (void)state;
    struct rl_report_options options = plain();
    options.only = "method,roofline"; /* the document's order stays */
    struct rl_buf words = say(synthetic_program(1), &options);
    assert_says(&words, "Roofline");
    assert_says(&words, "Method and provenance");
    assert_says_not(&words, "Health of the GPU");
    assert_says_not(&words, "summary on page 1");
    rl_buf_release(&words);
    for (int id = 0; id < RL_PAGE_COUNT; id++) { /* each page alone */
        struct rl_capture *capture = synthetic_measured();
        struct rl_err err = RL_ERR_INIT;
        struct rl_buf out = RL_BUF_INIT;
        struct rl_analysis *analysis = rl_analysis_new(capture);
        options.only = rl_pages[id].id;
        enum rl_status status = rl_report_make(analysis, &options, &out, &err);
        assert_true(status == RL_OK || (status == RL_USAGE && strstr(err.text, "has nothing for")));
        if (status == RL_OK)
            assert_pdf_sound(&out);
        rl_buf_release(&out);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
    options.only = "method,nonsense";
    assert_refused(&options, RL_USAGE, "no section is called 'nonsense'; there are ");
    options.only = "";
    assert_refused(&options, RL_USAGE, "no section is called ''");
    options.only = "nothing";
    assert_refused(&options, RL_USAGE, "has nothing for the sections 'nothing'");
}

static void the_manual_names_every_section(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf page = RL_BUF_INIT;
    (void)state;
    assert_int_equal(rl_read_file(RL_SOURCE_DIR "/docs/man/rooflight-report.1", 1 << 20, &page, &err), RL_OK);
    for (int id = 0; id < RL_PAGE_COUNT; id++) {
        char name[64];
        snprintf(name, sizeof name, "\\fB%s\\fR", rl_pages[id].id);
        if (!strstr(page.data, name))
            fail_msg("docs/man/rooflight-report.1 does not name the section '%s'", rl_pages[id].id);
    }
    rl_buf_release(&page);
}

static void notes_are_laid_out(void **state)
{
    static const char notes[] = "A *slanted* and `code` line\r\n\n1. one\n<script>alert(1)</script>\n";
    const char *const sentences[] = {"A *slanted* and `code` line", "1. one", "<script>alert(1)</script>",
                                     "Text by the author of this report"};
    (void)state;
    struct rl_report_options options = plain();
    options.notes = notes;
    options.notes_len = sizeof notes - 1;
    struct rl_buf words = say(synthetic_program(1), &options);
    for (size_t i = 0; i < RL_COUNT(sentences); i++)
        assert_says(&words, sentences[i]);
    rl_buf_release(&words);
}

static void hostile_notes_are_laid_out(void **state)
{
    (void)state;
    struct rl_report_options options = plain();
    struct rl_buf notes = RL_BUF_INIT;
    rl_buf_adds(&notes, "deep\n\n");
    for (int i = 0; i < 3000; i++)
        rl_buf_addch(&notes, (char)(i * 37));
    rl_buf_adds(&notes, "\n\n((\\) ET Q endstream [[[[](((( ![pic](x) `` ` ``\n\n\xff\xfe\xe2\x80\xae desrever\n");
    rl_buf_fill(&notes, 'x', 5000);
    options.notes = notes.data;
    options.notes_len = notes.len;
    struct rl_buf words = say(synthetic_program(1), &options);
    assert_says(&words, "deep");
    rl_buf_release(&words);
    options.notes_len = 0; /* an empty file is a page that says so little */
    struct rl_buf pdf = report_with(synthetic_program(1), &options);
    assert_pdf_sound(&pdf);
    rl_buf_release(&pdf);
    rl_buf_release(&notes);
}

static size_t files_in(const char *folder, const char *const *names, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        char *path = rl_path_join(folder, names[i]);
        found += rl_path_exists(path);
        free(path);
    }
    return found;
}

static void every_chart_is_a_file(void **state)
{
    static const char *const names[] = {"cover-1.svg", "experiment-coalescing-1.svg", "experiment-transpose-1.svg"};
    struct rl_err err = RL_ERR_INIT;
    char *folder = NULL;
    (void)state;
    assert_int_equal(rl_make_temp_dir(&folder, &err), RL_OK);
    struct rl_report_options options = plain();
    options.charts_dir = folder;
    struct rl_buf pdf = report_with(synthetic_suite(), &options), with = report_of(synthetic_suite(), RL_PAPER_A4);
    assert_int_equal(pdf.len, with.len); /* the document is the same */
    assert_memory_equal(pdf.data, with.data, with.len);
    assert_int_equal(files_in(folder, names, RL_COUNT(names)), RL_COUNT(names));
    rl_buf_release(&with);
    rl_buf_release(&pdf);
    rl_remove_tree(folder);
    options.charts_dir = folder; /* is no more */
    assert_refused(&options, RL_IO, "cannot write");
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(title_and_author_are_above_and_in_the_properties),
        cmocka_unit_test(a_program_gives_its_name_to_its_report),
        cmocka_unit_test(the_date_can_be_given),
        cmocka_unit_test(only_what_was_asked_for_is_shown),
        cmocka_unit_test(the_manual_names_every_section),
        cmocka_unit_test(notes_are_laid_out),
        cmocka_unit_test(hostile_notes_are_laid_out),
        cmocka_unit_test(every_chart_is_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

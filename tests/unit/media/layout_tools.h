/* layout_tools.h - an A4 page with a layout, made anew for each test. */
#ifndef RL_TESTS_REPORTS_LAYOUT_TOOLS_H
#define RL_TESTS_REPORTS_LAYOUT_TOOLS_H

#include "rl_test.h"

#include "core/mem.h"
#include "layout.h"

#define WIDTH  595.276
#define HEIGHT 841.89
#define TOP    (HEIGHT - 51.024)
#define ROOM   (TOP - 51.024)
#define BODY   12.0 /* between lines of running text */

static struct rl_fonts *fonts;

struct fixture {
    struct rl_pdf *pdf;
    struct rl_layout *layout;
};

static int set_up(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    struct fixture *f = rl_calloc(1, sizeof *f);
    if (rl_fonts_open(NULL, &fonts, &err) != RL_OK || rl_pdf_new(fonts, WIDTH, HEIGHT, &f->pdf, &err) != RL_OK)
        fail_msg("%s", err.text);
    f->layout = rl_layout_new(f->pdf, fonts, WIDTH, HEIGHT);
    rl_layout_page(f->layout);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    rl_layout_free(f->layout);
    rl_pdf_free(f->pdf);
    rl_fonts_free(fonts);
    free(f);
    return 0;
}

#endif

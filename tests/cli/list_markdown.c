/* Blocks, spans and raw HTML of Markdown on standard input, a line each, as GitHub's dialect has them by md4c. */
#include <md4c.h>
#include <stdio.h>

#include "core/buf.h"

static const char *const blocks[] = {
    [MD_BLOCK_DOC] = "document", [MD_BLOCK_QUOTE] = "quote", [MD_BLOCK_UL] = "list",     [MD_BLOCK_OL] = "numbered",
    [MD_BLOCK_LI] = "item",      [MD_BLOCK_HR] = "rule",     [MD_BLOCK_H] = "heading",   [MD_BLOCK_CODE] = "code",
    [MD_BLOCK_HTML] = "html",    [MD_BLOCK_P] = "paragraph", [MD_BLOCK_TABLE] = "table", [MD_BLOCK_THEAD] = "head",
    [MD_BLOCK_TBODY] = "body",   [MD_BLOCK_TR] = "row",      [MD_BLOCK_TH] = "cell",     [MD_BLOCK_TD] = "cell"};
static const char *const spans[] = {
    [MD_SPAN_EM] = "emphasis",    [MD_SPAN_STRONG] = "strong", [MD_SPAN_A] = "link",         [MD_SPAN_IMG] = "image",
    [MD_SPAN_CODE] = "code span", [MD_SPAN_DEL] = "deleted",   [MD_SPAN_LATEXMATH] = "math", [MD_SPAN_LATEXMATH_DISPLAY] = "math",
    [MD_SPAN_WIKILINK] = "link",  [MD_SPAN_U] = "underline"};

static int enter_block(MD_BLOCKTYPE type, void *detail, void *user)
{
    (void)detail, (void)user;
    printf("+ %s\n", blocks[type]);
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *user)
{
    (void)detail, (void)user;
    printf("- %s\n", blocks[type]);
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *user)
{
    (void)detail, (void)user;
    printf("+ %s\n", spans[type]);
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *user)
{
    (void)detail, (void)user;
    printf("- %s\n", spans[type]);
    return 0;
}

static int text(MD_TEXTTYPE type, const MD_CHAR *at, MD_SIZE len, void *user)
{
    (void)user;
    printf("%s ", type == MD_TEXT_HTML ? "<" : "=");
    for (MD_SIZE i = 0; i < len; i++)
        putchar(at[i] == '\n' ? ' ' : at[i]);
    putchar('\n');
    return 0;
}

int main(void)
{
    const MD_PARSER parser = {.flags = MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = text};
    struct rl_buf in = RL_BUF_INIT;
    for (int byte = getchar(); byte != EOF; byte = getchar())
        rl_buf_addch(&in, (char)byte);
    const int failed = md_parse(in.data, (MD_SIZE)in.len, &parser, NULL);
    rl_buf_release(&in);
    return failed != 0;
}

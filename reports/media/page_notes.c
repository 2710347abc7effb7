/* page_notes.c - the reviewer's own text, behind the first page: plain, or Markdown read by md4c.
 *
 * The text is hostile like any other: it is only ever laid out. Of Markdown there are headings, paragraphs, lists, quotations,
 * code, tables, emphasis and links (their addresses are printed); HTML is shown as it is typed, pictures by their description. */
#include <md4c.h>
#include <stdlib.h>
#include <string.h>

#include "compare_doc.h"
#include "core/mem.h"
#include "page.h"
#include "view_table.h"

#define INDENT 14.0
#define GAP    5.0 /* between blocks */
enum { DEEPEST = 12, MOST_COLUMNS = 16 };

struct typed_row;
struct list {
    unsigned number; /* of the next item; 0: it has bullets */
};
struct writer {
    struct rl_document *doc;
    struct rl_layout *layout;
    struct rl_para para;
    struct rl_buf code;     /* a block of code */
    struct typed_row *rows; /* of a table */
    const char *heads[MOST_COLUMNS];
    size_t columns, column, row_count, row_cap;
    struct rl_buf cell;
    struct list lists[DEEPEST];
    int depth, strong, emphasis, verbatim, heading;
    bool in_code, in_table, in_head;
    const char *bullet; /* to stand before the next paragraph; NULL: none */
};

/* ---- paragraphs ---- */

static void set_indent(struct writer *w, int depth)
{
    rl_layout_indent(w->layout, INDENT * (depth > DEEPEST ? DEEPEST : depth));
}

static void flush(struct writer *w, double gap)
{
    if (w->para.count == 0)
        return;
    double height = rl_styles[RL_STYLE_BODY].leading;
    rl_layout_need(w->layout, w->heading ? 60 : height);
    if (w->bullet)
        rl_layout_bullet(w->layout, RL_STYLE_BODY, RL_STYLE_QUIET, w->bullet);
    w->bullet = NULL;
    rl_layout_para(w->layout, &w->para);
    rl_layout_skip(w->layout, gap);
    rl_para_release(&w->para);
}

static enum rl_style style_of(const struct writer *w)
{
    return w->heading == 1               ? RL_STYLE_SUBSECTION
           : w->heading > 1 || w->strong ? RL_STYLE_STRONG
           : w->verbatim                 ? RL_STYLE_CODE
           : w->emphasis                 ? RL_STYLE_EMPHASIS
                                         : RL_STYLE_BODY;
}

/* ---- code and tables ---- */

static void draw_code(struct writer *w)
{
    for (char *line = w->code.data, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        struct rl_para para = RL_PARA_INIT;
        struct rl_buf shown = RL_BUF_INIT;
        for (const char *p = line; *p; p++) /* blanks that a layout would swallow */
            rl_buf_adds(&shown, *p == '\t' ? "\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0" : *p == ' ' ? "\xC2\xA0" : (const char[]){*p, 0});
        rl_para_add(w->layout, &para, RL_STYLE_CODE, shown.len ? shown.data : "\xC2\xA0");
        rl_layout_para(w->layout, &para);
        rl_para_release(&para);
        rl_buf_release(&shown);
    }
    rl_layout_skip(w->layout, GAP);
    rl_buf_reset(&w->code);
}

/* A table of the text: its cells as they are typed, the first row as heads. */
struct typed_cell {
    const char *head, *text;
};
struct typed_row {
    struct typed_cell cells[MOST_COLUMNS];
    size_t count;
};
static const struct view_field typed_cell_fields[] = {
    {.id = "head", VIEW_AT(struct typed_cell, head)},
    {.id = "text", .head = "", VIEW_AT(struct typed_cell, text), .wraps = true},
};
static const struct view_record typed_cell_record = {
    .id = "typed_cell", .title = "", .help = "a cell of a typed table", VIEW_FIELDS(typed_cell_fields)};

static struct view_cell typed_cells(const struct view *view, const struct view_field *field, const void *row)
{
    const struct typed_row *of = row;
    return view_cell_rows((struct view_rows){of->cells, sizeof of->cells[0], of->count, NULL});
}

static const struct view_field typed_fields[] = {
    {.id = "cells", .type = VIEW_TYPE_LIST, .record = &typed_cell_record, .get = typed_cells},
};

static void begin_table(struct writer *w, void *table)
{
    const MD_BLOCK_TABLE_DETAIL *detail = table;
    w->in_table = detail->col_count <= MOST_COLUMNS; /* wider than any page: left out, and said so */
    w->columns = detail->col_count;
    w->row_count = w->column = 0;
    if (!w->in_table)
        rl_layout_textf(w->layout, RL_STYLE_NOTE, "A table of %u columns is not shown.", detail->col_count);
}

static void end_table(struct writer *w)
{
    const struct view view = {.arena = w->doc->arena};
    if (w->in_table)
        rl_view_table(w->layout, &view,
                      &(struct rl_view_table){RL_TABLE(typed_fields, w->rows, w->row_count), .columns = "cells.text"});
    w->in_table = false;
    rl_layout_skip(w->layout, GAP);
}

static void begin_row(struct writer *w, void *detail)
{
    w->column = 0;
    if (!w->in_table || w->in_head)
        return;
    RL_GROW(w->rows, w->row_count + 1, w->row_cap);
    struct typed_row *row = &w->rows[w->row_count++];
    *row = (struct typed_row){.count = w->columns};
    for (size_t i = 0; i < w->columns; i++)
        row->cells[i] = (struct typed_cell){w->heads[i], ""};
}

static void add_cell(struct writer *w)
{
    const char *text = rl_arena_strdup(w->doc->arena, w->cell.data ? w->cell.data : "");
    if (w->in_table && w->column < w->columns)
        *(w->in_head ? &w->heads[w->column] : &w->rows[w->row_count - 1].cells[w->column].text) = text;
    w->column++;
    rl_buf_reset(&w->cell);
}

/* ---- what md4c tells ---- */

static void begin_item(struct writer *w, void *detail)
{
    struct list *list = &w->lists[(w->depth < DEEPEST ? w->depth : DEEPEST) - 1];
    w->bullet = list->number ? rl_words(w->doc, "%u.", list->number++) : "\xE2\x80\xA2";
}

static void begin_list(struct writer *w, unsigned first)
{
    flush(w, 2);
    if (w->depth++ < DEEPEST)
        w->lists[w->depth - 1].number = first;
    set_indent(w, w->depth);
}

static void end_list(struct writer *w)
{
    set_indent(w, --w->depth);
    rl_layout_skip(w->layout, w->depth ? 0 : GAP);
}

static void draw_rule(struct writer *w, void *detail)
{
    rl_layout_rule(w->layout, 6);
}

static void begin_heading(struct writer *w, void *detail)
{
    rl_layout_skip(w->layout, GAP);
    w->heading = (int)((const MD_BLOCK_H_DETAIL *)detail)->level;
}
static void end_heading(struct writer *w)
{
    flush(w, 2);
    w->heading = 0;
}
static void begin_bullets(struct writer *w, void *detail)
{
    begin_list(w, 0);
}
static void begin_numbers(struct writer *w, void *detail)
{
    begin_list(w, ((const MD_BLOCK_OL_DETAIL *)detail)->start);
}
static void end_item(struct writer *w)
{
    flush(w, 2);
    w->bullet = NULL;
}
static void begin_code(struct writer *w, void *detail)
{
    w->in_code = true;
}
static void end_code(struct writer *w)
{
    draw_code(w);
    w->in_code = false;
}
static void begin_head(struct writer *w, void *detail)
{
    w->in_head = true;
}
static void end_head(struct writer *w)
{
    w->in_head = false;
}
static void end_paragraph(struct writer *w)
{
    flush(w, GAP);
}

/* Blocks that do something at their beginning or end. */
static const struct {
    MD_BLOCKTYPE type;
    void (*begin)(struct writer *w, void *detail);
    void (*end)(struct writer *w);
} blocks[] = {
    {MD_BLOCK_H, begin_heading, end_heading},
    {MD_BLOCK_P, NULL, end_paragraph},
    {MD_BLOCK_UL, begin_bullets, end_list},
    {MD_BLOCK_OL, begin_numbers, end_list},
    {MD_BLOCK_LI, begin_item, end_item},
    {MD_BLOCK_QUOTE, begin_bullets, end_list},
    {MD_BLOCK_CODE, begin_code, end_code},
    {MD_BLOCK_HR, draw_rule, NULL},
    {MD_BLOCK_TABLE, begin_table, end_table},
    {MD_BLOCK_THEAD, begin_head, end_head},
    {MD_BLOCK_TR, begin_row, NULL},
    {MD_BLOCK_TH, NULL, add_cell},
    {MD_BLOCK_TD, NULL, add_cell},
};

static int enter_block(MD_BLOCKTYPE type, void *detail, void *user)
{
    for (size_t i = 0; i < RL_COUNT(blocks); i++)
        if (blocks[i].type == type && blocks[i].begin)
            blocks[i].begin(user, detail);
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *user)
{
    for (size_t i = 0; i < RL_COUNT(blocks); i++)
        if (blocks[i].type == type && blocks[i].end)
            blocks[i].end(user);
    return 0;
}

static void mark_span(struct writer *w, MD_SPANTYPE type, int by)
{
    w->strong += type == MD_SPAN_STRONG ? by : 0;
    w->emphasis += type == MD_SPAN_EM ? by : 0;
    w->verbatim += type == MD_SPAN_CODE ? by : 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *user)
{
    mark_span(user, type, 1);
    return 0;
}

static void add_text(struct writer *w, enum rl_style style, const char *text, size_t len)
{
    if (w->in_code)
        rl_buf_add(&w->code, text, len);
    else if (w->in_table)
        rl_buf_add(&w->cell, text, len);
    else
        rl_para_addf(w->layout, &w->para, style, "%.*s", (int)len, text);
}

static bool is_last_text(const struct writer *w, const MD_ATTRIBUTE *address)
{
    const struct rl_span *last = w->para.count > 0 ? &w->para.spans[w->para.count - 1] : NULL;
    return last && last->len == address->size && memcmp(last->text, address->text, last->len) == 0;
}

/* The address of a link in parentheses, unless it is the text. */
static int leave_span(MD_SPANTYPE type, void *detail, void *user)
{
    struct writer *w = user;
    mark_span(w, type, -1);
    const MD_SPAN_A_DETAIL *link = detail;
    if (type == MD_SPAN_A && link->href.size > 0 && !is_last_text(w, &link->href)) {
        const char *address = rl_words(w->doc, " (%.*s)", (int)link->href.size, link->href.text);
        add_text(w, RL_STYLE_QUIET, address, strlen(address));
    }
    return 0;
}

/* The entities that Markdown needs to write its own signs; others stay as they are typed. */
static void add_entity(struct writer *w, const char *text, size_t len)
{
    static const char *const rows[][2] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&nbsp;", "\xC2\xA0"}};
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (strlen(rows[i][0]) == len && memcmp(rows[i][0], text, len) == 0) {
            add_text(w, style_of(w), rows[i][1], strlen(rows[i][1]));
            return;
        }
    add_text(w, style_of(w), text, len);
}

static int take_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *user)
{
    struct writer *w = user;
    if (type == MD_TEXT_BR && !w->in_table)
        flush(w, 0);
    else if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
        add_text(w, style_of(w), " ", 1);
    else if (type == MD_TEXT_ENTITY)
        add_entity(w, text, size);
    else
        add_text(w, style_of(w), text, size);
    return 0;
}

static bool draw_markdown(struct writer *w, const char *text, size_t len)
{
    const MD_PARSER parser = {.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = take_text};
    return md_parse(text, (MD_SIZE)len, &parser, w) == 0;
}

/* Line for line; a blank one is a gap. */
static void draw_plain(struct writer *w, const char *text, size_t len)
{
    for (const char *end = text + len; text < end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t line = (size_t)((stop ? stop : end) - text);
        if (line > 0 && text[line - 1] == '\r')
            line--;
        add_text(w, RL_STYLE_BODY, text, line);
        if (line > 0)
            flush(w, 0);
        else
            rl_layout_skip(w->layout, GAP);
        rl_para_release(&w->para);
        text = stop ? stop + 1 : end;
    }
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_report_options *options = doc->options;
    struct writer w = {.doc = doc, .layout = doc->layout, .para = RL_PARA_INIT, .code = RL_BUF_INIT, .cell = RL_BUF_INIT};
    rl_layout_textf(w.layout, RL_STYLE_QUIET, "Text by the author of this report%s%s; nothing in it was measured or checked.",
                    options->author ? ": " : "", options->author ? rl_words_short(doc, options->author, 80) : "");
    rl_layout_skip(w.layout, 8);
    char *text = rl_arena_alloc(doc->arena, options->notes_len + 1);
    for (size_t i = 0; i < options->notes_len; i++)
        text[i] = options->notes[i] ? options->notes[i] : ' ';
    if (!options->notes_markdown || !draw_markdown(&w, text, options->notes_len))
        draw_plain(&w, text, options->notes_len);
    rl_layout_indent(w.layout, 0);
    free(w.rows);
    rl_para_release(&w.para);
    rl_buf_release(&w.code);
    rl_buf_release(&w.cell);
}

const struct rl_page rl_compare_page_notes = {.draw = draw, .room = RL_FRESH_SHEET};
static size_t how_many(const struct rl_document *doc)
{
    return doc->options->notes != NULL;
}

const struct rl_page rl_page_notes = {.count = how_many, .draw = draw, .room = RL_FRESH_SHEET};

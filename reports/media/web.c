/* web.c - parts of a document as HTML (see web.h). */
#include <ctype.h>

#include "core/intern.h"
#include "markup.h"
#include "templates.h"
#include "web.h"

/* A place in the text where a link to a target begins or ends: its name may not be known yet. */
struct rl_web_link {
    size_t at, target;
    bool ends;
};
struct rl_web_bookmark {
    const char *title, *id; /* id NULL: not bound yet */
    size_t parent;
};
struct rl_web {
    struct rl_buf style, script, body;
    struct rl_arena arena;
    struct rl_web_link *links;
    size_t link_count, link_cap;
    const char **ids; /* by target; NULL: not bound */
    size_t id_cap;
    struct rl_intern names; /* of anchors */
    size_t *uses;           /* how often each was asked for */
    size_t use_cap;
    struct rl_web_bookmark *bookmarks;
    size_t bookmark_count, bookmark_cap;
    const char *name; /* for the next anchor; NULL: none */
};

static const char *web_id(const struct rl_web *web, size_t target);

static struct rl_buf part_of(const char *name)
{
    const struct rl_template *template = rl_template_called(name);
    struct rl_buf part = RL_BUF_INIT;
    rl_buf_add(&part, template->text, template->len);
    return part;
}

struct rl_web *rl_web_new(void)
{
    struct rl_web *web = rl_calloc(1, sizeof *web);
    web->style = part_of("document.css");
    web->script = part_of("document.js");
    web->body = (struct rl_buf)RL_BUF_INIT;
    return web;
}

void rl_web_free(struct rl_web *web)
{
    if (!web)
        return;
    rl_buf_release(&web->style);
    rl_buf_release(&web->script);
    rl_buf_release(&web->body);
    rl_intern_release(&web->names);
    rl_arena_release(&web->arena);
    free(web->links);
    free(web->ids);
    free(web->uses);
    free(web->bookmarks);
    free(web);
}

/* ---- the policy ---- */

static unsigned char digit_of(char hex)
{
    return (unsigned char)(hex <= '9' ? hex - '0' : hex - 'a' + 10);
}

/* "'sha256-...'" of what stands in the element. */
static void add_hash(struct rl_buf *out, const struct rl_buf *text)
{
    enum { BYTES = 32 };
    const struct rl_sha256 hash = rl_sha256_of(text->data, text->len);
    unsigned char bytes[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(digit_of(hash.hex[2 * i]) << 4 | digit_of(hash.hex[2 * i + 1]));
    rl_buf_adds(out, "'sha256-");
    /* RFC 4648, 4. */
    const size_t len = sizeof bytes;
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < len; i += 3) {
        const size_t left = len - i;
        const unsigned group =
            (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
        rl_buf_addch(out, letters[group >> 18]);
        rl_buf_addch(out, letters[group >> 12 & 63]);
        rl_buf_addch(out, left > 1 ? letters[group >> 6 & 63] : '=');
        rl_buf_addch(out, left > 2 ? letters[group & 63] : '=');
    }
    rl_buf_addch(out, '\'');
}

/* ---- head and foot ---- */

static void add_shown(struct rl_buf *out, const char *text)
{
    enum { LONGEST = 500 };
    struct rl_buf shown = RL_BUF_INIT;
    rl_utf8_abbreviate(&shown, text, LONGEST);
    rl_markup_text(out, shown.data, shown.len);
    rl_buf_release(&shown);
}

static void add_property(struct rl_buf *out, const char *name, const char *value)
{
    if (!value)
        return;
    rl_buf_addf(out, "<meta name=\"%s\" content=\"", name);
    add_shown(out, value);
    rl_buf_adds(out, "\">\n");
}

static void add_line(struct rl_buf *out, const char *classes, const char *text)
{
    if (!text || !text[0])
        return;
    rl_buf_addf(out, "<p class=\"%s\">", classes);
    add_shown(out, text);
    rl_buf_adds(out, "</p>\n");
}

/* The sections, behind a word that opens them. */
static void add_contents(const struct rl_web *web, struct rl_buf *out)
{
    if (web->bookmark_count < 2)
        return;
    rl_buf_adds(out, "<nav><details><summary>All sections</summary><ol>\n");
    for (size_t i = 0; i < web->bookmark_count; i++) {
        const struct rl_web_bookmark *bookmark = &web->bookmarks[i];
        rl_buf_addf(out, "<li>%s%s%s", bookmark->id ? "<a href=\"#" : "", bookmark->id ? bookmark->id : "",
                    bookmark->id ? "\">" : "");
        add_shown(out, bookmark->title);
        rl_buf_adds(out, bookmark->id ? "</a></li>\n" : "</li>\n");
    }
    rl_buf_adds(out, "</ol></details></nav>\n");
}

void rl_web_finish(struct rl_web *web, const struct rl_running *running, const struct rl_pdf_info *info, struct rl_buf *out)
{
    rl_buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    /* Nothing is loaded, and nothing runs but the script that was written here. */
    rl_buf_adds(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ");
    add_hash(out, &web->style);
    rl_buf_adds(out, "; script-src ");
    add_hash(out, &web->script);
    rl_buf_adds(out, "; base-uri 'none'; form-action 'none'\">\n");
    rl_buf_adds(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" "
                     "content=\"no-referrer\">\n<title>");
    add_shown(out, info->title);
    rl_buf_adds(out, "</title>\n");
    add_property(out, "author", info->author);
    add_property(out, "description", info->subject);
    add_property(out, "keywords", info->keywords);
    add_property(out, "generator", info->creator);
    add_property(out, "date", info->created);
    rl_buf_adds(out, "<style>");
    rl_buf_add(out, web->style.data, web->style.len);
    rl_buf_adds(out, "</style>\n</head>\n<body>\n");
    rl_buf_adds(out, "<header>\n");
    add_line(out, "b", running->first_title);
    add_line(out, "n", running->first_author);
    rl_buf_adds(out, "</header>\n");
    add_contents(web, out);
    rl_buf_adds(out, "<main>\n");
    /* The parts, with links where their targets have a place. */
    size_t at = 0;
    for (size_t i = 0; i < web->link_count; i++) {
        const struct rl_web_link *link = &web->links[i];
        const char *id = web_id(web, link->target);
        rl_buf_add(out, web->body.data + at, link->at - at);
        at = link->at;
        if (id && link->ends)
            rl_buf_adds(out, "</a>");
        else if (id)
            rl_buf_addf(out, "<a href=\"#%s\">", id);
    }
    rl_buf_add(out, web->body.data + at, web->body.len - at);
    rl_buf_adds(out, "</main>\n<footer>");
    add_shown(out, running->foot);
    rl_buf_adds(out, "</footer>\n<script>");
    rl_buf_add(out, web->script.data, web->script.len);
    rl_buf_adds(out, "</script>\n</body>\n</html>\n");
}

enum { LINE_WIDTH = 120 /* characters of a line of a paragraph */, CELL_WIDTH = 400, NAME_LENGTH = 60 };

/* How styles look, by classes of templates/document.css, and what paragraphs of them are. */
static const struct look {
    const char *block, *classes;
} looks[RL_STYLE_COUNT] = {
    [RL_STYLE_DISPLAY] = {"h1", ""},     [RL_STYLE_SECTION] = {"h2", ""},     [RL_STYLE_SUBSECTION] = {"h3", ""},
    [RL_STYLE_LEAD] = {"p", "lead"},     [RL_STYLE_FIGURE] = {"p", "f"},      [RL_STYLE_STRONG] = {"p", "b"},
    [RL_STYLE_CODE] = {"p", "c"},        [RL_STYLE_QUIET] = {"p", "q"},       [RL_STYLE_CELL_STRONG] = {"p", "b"},
    [RL_STYLE_CELL_QUIET] = {"p", "q"},  [RL_STYLE_CELL_NAME] = {"p", "c"},   [RL_STYLE_NAME_QUIET] = {"p", "c q"},
    [RL_STYLE_FACT_CODE] = {"p", "c"},   [RL_STYLE_HEAD] = {"p", "n"},        [RL_STYLE_SIDE] = {"p", "s"},
    [RL_STYLE_NOTE] = {"p", "n"},        [RL_STYLE_NOTE_INK] = {"p", "n i0"}, [RL_STYLE_NOTE_STRONG] = {"p", "n b"},
    [RL_STYLE_NOTE_NAME] = {"p", "c n"}, [RL_STYLE_RUNNING] = {"p", "n"},     [RL_STYLE_LISTING] = {"p", "c"},
};

static const char *block_of(enum rl_style style)
{
    return looks[style].block ? looks[style].block : "p";
}

static const char *classes_of(enum rl_style style)
{
    return looks[style].classes ? looks[style].classes : "";
}

static void put(struct rl_web *web, const char *markup)
{
    rl_buf_adds(&web->body, markup);
}

static void put_text(struct rl_web *web, const char *text)
{
    rl_markup_text(&web->body, text, strlen(text));
}

/* An opening tag, its classes unless there are none. */
static void open_tag(struct rl_web *web, const char *tag, const char *classes)
{
    rl_buf_addf(&web->body, classes[0] ? "<%s class=\"%s\">" : "<%s>", tag, classes);
}

static void close_tag(struct rl_web *web, const char *tag)
{
    rl_buf_addf(&web->body, "</%s>\n", tag);
}

/* ---- places ---- */

/* Letters and figures of a title in lower case, the rest as dashes: nothing else is part of an address. */
static const char *slug_of(struct rl_web *web, const char *title)
{
    struct rl_buf out = RL_BUF_INIT;
    for (const char *p = title; *p && out.len < NAME_LENGTH; p++) {
        if (isascii((unsigned char)*p) && (isalnum((unsigned char)*p) || *p == '_'))
            rl_buf_addch(&out, (char)tolower((unsigned char)*p));
        else if (out.len > 0 && out.data[out.len - 1] != '-')
            rl_buf_addch(&out, '-');
    }
    while (out.len > 0 && out.data[out.len - 1] == '-')
        rl_buf_truncate(&out, out.len - 1);
    const char *slug = rl_arena_strdup(&web->arena, out.len ? out.data : "place");
    rl_buf_release(&out);
    return slug;
}

/* The title's slug, with a number where another place has it. */
static const char *name_of(struct rl_web *web, const char *title)
{
    const char *slug = slug_of(web, title), *name = slug;
    bool is_new = false;
    const size_t base = rl_intern(&web->names, 0, slug, &is_new), before = web->use_cap;
    RL_GROW(web->uses, base + 1, web->use_cap);
    for (size_t i = before; i < web->use_cap; i++)
        web->uses[i] = 1;
    while (!is_new) {
        name = rl_arena_printf(&web->arena, "%s-%zu", slug, ++web->uses[base]);
        rl_intern(&web->names, 0, name, &is_new);
    }
    return name;
}

size_t rl_web_bookmark(struct rl_web *web, size_t parent, const char *title)
{
    RL_GROW(web->bookmarks, web->bookmark_count + 1, web->bookmark_cap);
    web->bookmarks[web->bookmark_count] = (struct rl_web_bookmark){.title = rl_arena_strdup(&web->arena, title), .parent = parent};
    web->name = web->bookmarks[web->bookmark_count].title;
    return web->bookmark_count++;
}

static void put_anchor(struct rl_web *web, size_t target, const char *title)
{
    const char *id = name_of(web, title);
    const size_t before = web->id_cap;
    RL_GROW(web->ids, target + 1, web->id_cap);
    for (size_t i = before; i < web->id_cap; i++)
        web->ids[i] = NULL;
    web->ids[target] = id;
    for (size_t i = web->bookmark_count; i-- > 0 && !web->bookmarks[i].id;)
        web->bookmarks[i].id = id;
    rl_buf_addf(&web->body, "<a class=\"a\" id=\"%s\" href=\"#%s\" aria-label=\"Link to this place\">#</a>", id, id);
}

void rl_web_bind(struct rl_web *web, size_t target)
{
    put_anchor(web, target, web->name ? web->name : "place");
    web->name = NULL;
}

/* The name of a target's anchor; NULL: it has no place. */
static const char *web_id(const struct rl_web *web, size_t target)
{
    return target < web->id_cap ? web->ids[target] : NULL;
}

static void put_link(struct rl_web *web, size_t target, bool ends)
{
    if (target == RL_NO_TARGET)
        return;
    RL_APPEND(web->links, web->link_count, web->link_cap, (struct rl_web_link){web->body.len, target, ends});
}

/* ---- boxes ---- */

void rl_web_section(struct rl_web *web)
{
    put(web, "<section>\n");
}

void rl_web_section_end(struct rl_web *web)
{
    put(web, "</section>\n");
}

void rl_web_row(struct rl_web *web, int columns)
{
    rl_buf_addf(&web->body, columns < RL_ALL_COLUMNS ? "<div class=\"g g%d\">\n" : "<div class=\"g\">\n", columns);
}

void rl_web_cell(struct rl_web *web, int columns)
{
    rl_buf_addf(&web->body, "<div class=\"w%d\">\n", columns);
}

void rl_web_end(struct rl_web *web)
{
    put(web, "</div>\n");
}

/* ---- text ---- */

static bool one_style(const struct rl_para *para)
{
    for (size_t i = 1; i < para->count; i++)
        if (para->spans[i].style != para->spans[0].style)
            return false;
    return true;
}

static bool is_heading(enum rl_style style)
{
    return block_of(style)[0] == 'h';
}

/* Whether a paragraph that begins with a heading is running text: most of it is none. */
static bool is_text(const struct rl_para *para)
{
    size_t headings = 0, others = 0;
    for (size_t i = 0; i < para->count; i++)
        *(is_heading(para->spans[i].style) ? &headings : &others) += para->spans[i].len;
    return others > headings;
}

/* The spans, cut off where the paragraph would be much longer than its lines allow. */
static void put_spans(struct rl_web *web, const struct rl_para *para, bool plain)
{
    const bool in_text = is_text(para);
    size_t left = para->max_lines > 0 ? (size_t)para->max_lines * LINE_WIDTH : SIZE_MAX;
    for (size_t i = 0; i < para->count && left > 0; i++) {
        const struct rl_span *span = &para->spans[i];
        const char *classes = plain ? "" : is_heading(span->style) && in_text ? "b" : classes_of(span->style);
        const size_t len = span->len < left ? span->len : left;
        put_link(web, span->target, false);
        if (classes[0])
            open_tag(web, "span", classes);
        struct rl_buf text = RL_BUF_INIT;
        rl_utf8_ellipsis(&text, span->text, span->len, left);
        put_text(web, len < span->len ? text.data : span->text);
        rl_buf_release(&text);
        put(web, classes[0] ? "</span>" : "");
        put_link(web, span->target, true);
        left -= len;
    }
}

void rl_web_para(struct rl_web *web, const struct rl_para *para)
{
    if (para->count) {
        const char *block = is_text(para) && is_heading(para->spans[0].style) ? "p" : block_of(para->spans[0].style);
        const bool plain = one_style(para);
        open_tag(web, block, plain ? classes_of(para->spans[0].style) : "");
        put_spans(web, para, plain);
        close_tag(web, block);
    }
}

static void put_mark(struct rl_web *web, enum rl_mark mark)
{
    static const char *const marks[] = {
        [RL_MARK_NONE] = "",
        [RL_MARK_GOOD] = "<span class=\"m good\" aria-hidden=\"true\">\xE2\x9C\x93</span>",
        [RL_MARK_ATTENTION] = "<span class=\"m attention\" aria-hidden=\"true\">!</span>",
        [RL_MARK_OPEN] = "<span class=\"m open\" aria-hidden=\"true\"></span>",
        [RL_MARK_QUIET] = "<span class=\"m\" aria-hidden=\"true\">" RL_EN_DASH "</span>",
    };
    assert(mark < RL_COUNT(marks));
    put(web, marks[mark]);
}

/* Where a page has the number of another one. */
static void put_arrow(struct rl_web *web, size_t target, const char *text)
{
    put(web, " ");
    put_link(web, target, false);
    if (text[0])
        put_text(web, text);
    else
        put(web, "<span aria-label=\"more\">\xE2\x86\x92</span>");
    put_link(web, target, true);
}

void rl_web_item(struct rl_web *web, enum rl_mark mark, const struct rl_para *para, size_t target)
{
    put(web, "<div class=\"i\">");
    put_mark(web, mark);
    put(web, "<p>");
    put_spans(web, para, false);
    if (target != RL_NO_TARGET)
        put_arrow(web, target, "");
    put(web, "</p></div>\n");
}

void rl_web_line(struct rl_web *web, const struct rl_line *line)
{
    const char *block = block_of(line->style);
    struct rl_buf classes = RL_BUF_INIT;
    rl_buf_addf(&classes, "l %s", classes_of(line->style));
    open_tag(web, block, classes.data);
    rl_buf_release(&classes);
    put(web, "<span>");
    put_link(web, line->target, false);
    put_text(web, line->text);
    put_link(web, line->target, true);
    put(web, "</span>");
    if (line->side) {
        open_tag(web, "span", classes_of(line->side_style));
        put_text(web, line->side);
        put(web, "</span>");
    }
    for (size_t i = RL_COUNT(line->pages); i-- > 0;)
        if (line->pages[i].before && line->pages[i].target != RL_NO_TARGET && line->pages[i].target != line->target) {
            /* "roofline" of "roofline: page ". */
            const struct rl_reference *page = &line->pages[i];
            struct rl_buf name = RL_BUF_INIT;
            rl_buf_add(&name, page->before, strcspn(page->before, ":"));
            put_arrow(web, page->target, strchr(page->before, ':') ? name.data : "");
            rl_buf_release(&name);
        }
    close_tag(web, block);
}

void rl_web_drawing(struct rl_web *web, const struct rl_drawing *drawing, const char *alternative)
{
    put(web, "<figure>");
    rl_drawing_svg_inline(drawing, alternative, &web->body);
    put(web, "</figure>\n");
}

/* ---- tables ---- */

static bool is_number(const struct rl_grid_column *column)
{
    return column->align == RL_GRID_RIGHT || column->align == RL_GRID_DECIMAL;
}

static void put_head(struct rl_web *web, const struct rl_grid *grid)
{
    const bool sorts = grid->row_count > 2;
    put(web, "<thead><tr>");
    for (size_t i = 0; i < grid->column_count; i++) {
        const struct rl_grid_column *column = &grid->columns[i];
        const bool button = sorts && (column->head[0] || column->unit[0]);
        put(web, is_number(column) ? "<th scope=\"col\" class=\"r\">" : "<th scope=\"col\">");
        put(web, button ? "<button>" : "");
        put_text(web, column->head);
        if (column->unit[0]) {
            put(web, " <small>");
            put_text(web, column->unit);
            put(web, "</small>");
        }
        put(web, button ? "</button></th>" : "</th>");
    }
    put(web, "</tr></thead>\n");
}

/* The bar of a share, as wide as its cell. */
static void put_bar(struct rl_web *web, double share, enum rl_tone tone)
{
    const struct rl_colour c = rl_tone_area(tone), line = rl_tones[tone].mark;
    const double right = 100 * fmin(fmax(share, 0), 1);
    put(web, "<svg class=\"v\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect height=\"10\" "
             "width=\"");
    rl_markup_number(&web->body, right);
    rl_buf_addf(&web->body, "\" fill=\"#%02x%02x%02x\"", c.r, c.g, c.b);
    if (rl_tones[tone].hatched) /* lines as far apart as in charts, all within the bar */
        rl_buf_addf(&web->body, " stroke=\"#%02x%02x%02x\"", line.r, line.g, line.b);
    put(web, "/>");
    for (double x = 10; x < right && rl_tones[tone].hatched; x += 10)
        rl_buf_addf(&web->body, "<path d=\"M%.4g 10L%.4g 0\" stroke=\"#%02x%02x%02x\"/>", fmax(x - 10, 0), x, line.r, line.g,
                    line.b);
    put(web, "</svg>");
}

void rl_web_table(struct rl_web *web, const struct rl_grid *grid)
{
    const bool headed = RL_ANY(i, grid->column_count, grid->columns[i].head[0] || grid->columns[i].unit[0]);
    put(web, "<div class=\"t\"><table>\n");
    if (headed)
        put_head(web, grid);
    put(web, "<tbody>\n");
    for (size_t row = 0; row < grid->row_count; row++) {
        put(web, grid->group[row] ? "<tr class=\"u\">" : "<tr>");
        for (size_t i = 0; i < grid->column_count; i++) {
            const struct rl_grid_column *column = &grid->columns[i];
            const struct rl_grid_cell *cell = &grid->cells[row * grid->column_count + i];
            const bool stub = i == 0 && (!headed || !is_number(&grid->columns[0]));
            const char *classes = classes_of(cell->style), *tag = stub ? "th" : "td";
            rl_buf_addf(&web->body, "<%s%s", tag, stub ? " scope=\"row\"" : "");
            if (is_number(column) || classes[0])
                rl_buf_addf(&web->body, " class=\"%s%s%s\"", is_number(column) ? "r" : "",
                            is_number(column) && classes[0] ? " " : "", classes);
            put(web, ">");
            if (cell->anchor != RL_NO_TARGET)
                put_anchor(web, cell->anchor, cell->text);
            put_mark(web, cell->mark);
            if (!isnan(cell->share) && column->share_width > 0)
                put_bar(web, cell->share, cell->share_tone);
            const size_t target = cell->page_number ? RL_NO_TARGET : cell->target;
            struct rl_buf text = RL_BUF_INIT;
            rl_utf8_ellipsis(&text, cell->text, strlen(cell->text), CELL_WIDTH);
            put_link(web, target, false);
            put_text(web, text.data);
            put_link(web, target, true);
            put_text(web, cell->sign);
            if (cell->page_number)
                put_arrow(web, cell->target, "");
            rl_buf_release(&text);
            rl_buf_addf(&web->body, "</%s>", tag);
        }
        put(web, "</tr>\n");
    }
    put(web, "</tbody></table></div>\n");
}

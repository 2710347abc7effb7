/* layout_text.c - running text: from styled spans to lines (see layout.h). */
#include "layout_private.h"

#define ELLIPSIS "\xE2\x80\xA6"

/* ---- paragraphs ---- */

static struct rl_span *add_span(struct rl_layout *layout, struct rl_para *para, enum rl_style style, const char *text)
{
    assert(style < RL_STYLE_COUNT && text);
    RL_ARENA_GROW(&layout->arena, para->spans, para->count + 1, para->cap);
    struct rl_span *span = &para->spans[para->count++];
    *span = (struct rl_span){style, rl_layout_copy(layout, text), 0, RL_NO_TARGET};
    span->len = strlen(span->text);
    return span;
}

/* The style of options in running text of this style: in proportional letters the two hyphens of "--full" touch. */
static enum rl_style option_style(enum rl_style style)
{
    switch (style) {
    case RL_STYLE_LEAD:
    case RL_STYLE_BODY:
    case RL_STYLE_STRONG:
        return RL_STYLE_CODE;
    case RL_STYLE_CELL:
    case RL_STYLE_CELL_STRONG:
        return RL_STYLE_CELL_NAME;
    case RL_STYLE_FACT:
    case RL_STYLE_NOTE_INK:
    case RL_STYLE_NOTE_STRONG:
        return RL_STYLE_FACT_CODE;
    case RL_STYLE_CELL_QUIET:
        return RL_STYLE_NAME_QUIET;
    case RL_STYLE_QUIET:
    case RL_STYLE_NOTE:
        return RL_STYLE_NOTE_NAME;
    default:
        return style;
    }
}

/* The first option of a text, "--full", or "--" alone: its length; 0 when there is none. */
static size_t find_option(const char *text, const char **at)
{
    for (const char *p = text; *p; p++) {
        const bool begins = p == text || strchr(" (\"'", p[-1]);
        if (begins && p[0] == '-' && p[1] == '-' && ((p[2] >= 'a' && p[2] <= 'z') || p[2] == ' ')) {
            *at = p;
            return 2 + strspn(p + 2, "abcdefghijklmnopqrstuvwxyz-");
        }
    }
    return 0;
}

void rl_para_add(struct rl_layout *layout, struct rl_para *para, enum rl_style style, const char *text)
{
    const char *option, *const whole = text;
    for (size_t len = find_option(text, &option); len; len = find_option(text, &option)) {
        if (option > text)
            add_span(layout, para, style, rl_arena_printf(&layout->arena, "%.*s", (int)(option - text), text));
        add_span(layout, para, option_style(style), rl_arena_printf(&layout->arena, "%.*s", (int)len, option));
        text = option + len;
    }
    if (*text || text == whole)
        add_span(layout, para, style, text);
}

void rl_para_addf(struct rl_layout *layout, struct rl_para *para, enum rl_style style, const char *format, ...)
{
    struct rl_buf out = RL_BUF_IN(&layout->arena);
    va_list args;
    va_start(args, format);
    rl_buf_vaddf(&out, format, args);
    va_end(args);
    rl_para_add(layout, para, style, out.data);
}

void rl_para_coded(struct rl_layout *layout, struct rl_para *para, enum rl_style style, enum rl_style code, const char *text)
{
    for (const char *at = text, *begin, *end; at; at = end) {
        begin = strchr(at, '`');
        end = begin ? strchr(begin + 1, '`') : NULL;
        if (!end) { /* the rest */
            rl_para_add(layout, para, style, at);
            return;
        }
        rl_para_addf(layout, para, style, "%.*s", (int)(begin - at), at);
        rl_para_addf(layout, para, code, "%.*s", (int)(end - begin - 1), begin + 1);
        end++;
    }
}

void rl_para_link(struct rl_layout *layout, struct rl_para *para, enum rl_style style, const char *text, size_t target)
{
    add_span(layout, para, style, text)->target = target;
}

/* ---- measuring ---- */

double rl_layout_text_width(const struct rl_layout *layout, enum rl_style style, const char *text, size_t len)
{
    assert(style < RL_STYLE_COUNT);
    return rl_pdf_text_width(layout->pdf, rl_styles[style].face, rl_styles[style].size, text, len);
}

static size_t char_len(const char *text, size_t len)
{
    uint32_t c;
    return rl_utf8_decode(text, len, &c);
}

/* Bytes at the beginning of `text` that are at most `width` wide. */
static size_t fitting(const struct rl_layout *layout, enum rl_style style, const char *text, size_t len, double width)
{
    size_t n = 0;
    while (n < len) {
        size_t step = char_len(text + n, len - n);
        width -= rl_layout_text_width(layout, style, text + n, step);
        if (width < 0)
            break;
        n += step;
    }
    return n;
}

/* First byte of the longest end of `text` that is at most `width` wide. */
static size_t fitting_end(const struct rl_layout *layout, enum rl_style style, const char *text, size_t len, double width)
{
    size_t start = len;
    while (start > 0) {
        size_t before = start - 1;
        while (before > 0 && ((unsigned char)text[before] & 0xC0) == 0x80)
            before--;
        width -= rl_layout_text_width(layout, style, text + before, start - before);
        if (width < 0)
            break;
        start = before;
    }
    return start;
}

void rl_layout_shorten(const struct rl_layout *layout, enum rl_style style, const char *text, double width, bool end,
                       struct rl_buf *out)
{
    size_t len = strlen(text);
    if (fitting(layout, style, text, len, width + 0.01) == len) {
        rl_buf_add(out, text, len);
        return;
    }
    /* A text that was shortened before keeps one ellipsis. */
    const char *before = memmem(text, len, ELLIPSIS, strlen(ELLIPSIS));
    const size_t first = before ? (size_t)(before - text) : len, behind = before ? first + strlen(ELLIPSIS) : 0;
    double room = width - rl_layout_text_width(layout, style, ELLIPSIS, strlen(ELLIPSIS));
    size_t head = fitting(layout, style, text, first, end ? room : 0.6 * room);
    rl_buf_add(out, text, head);
    rl_buf_adds(out, ELLIPSIS);
    double left = room - rl_layout_text_width(layout, style, text, head);
    const size_t tail = fitting_end(layout, style, text, len, left);
    if (!end)
        rl_buf_adds(out, text + (tail > behind ? tail : behind));
}

double rl_layout_label(struct rl_layout *layout, enum rl_side side, double x, double baseline, double width, enum rl_style style,
                       const char *text)
{
    assert(style < RL_STYLE_COUNT);
    const struct rl_style_row *row = &rl_styles[style];
    struct rl_type type = {row->face, row->size, row->colour};
    const bool alone = rl_layout_begin_text(layout, style);
    struct rl_buf clean = RL_BUF_INIT, fit = RL_BUF_INIT;
    rl_utf8_printable(&clean, text, strlen(text));
    rl_layout_shorten(layout, style, clean.data, width, false, &fit);
    double shown = rl_layout_text_width(layout, style, fit.data, fit.len);
    rl_pdf_text(layout->pdf, side == RL_SIDE_RIGHT ? x - shown : x, baseline, &type, fit.data, fit.len);
    rl_buf_release(&clean);
    rl_buf_release(&fit);
    if (alone)
        rl_pdf_end(layout->pdf);
    return shown;
}

/* ---- lines ---- */

/* A piece of a span that is never broken. */
struct piece {
    const struct rl_span *span;
    const char *text;
    size_t len;
    double width, space; /* space: width of the blank before it; 0 when there is none */
    bool glued;          /* no line may begin with it */
    double x;
    size_t line;
};
struct pieces {
    struct piece *at;
    size_t count, cap;
    size_t lines;
};

static void add_piece(const struct rl_layout *layout, struct pieces *pieces, const struct rl_span *span, const char *text,
                      size_t len, double blank, bool glued)
{
    RL_GROW(pieces->at, pieces->count + 1, pieces->cap);
    struct piece *p = &pieces->at[pieces->count++];
    *p = (struct piece){.span = span, .text = text, .len = len, .glued = glued};
    p->width = rl_layout_text_width(layout, span->style, text, len);
    p->space = blank;
}

/* Where a word that is wider than a line is broken: after punctuation of names when some is near, else where the line is full. */
static size_t break_word(const struct rl_layout *layout, const struct rl_span *span, const char *text, size_t len, double width)
{
    size_t full = fitting(layout, span->style, text, len, width);
    if (full == 0)
        return char_len(text, len);
    if (full == len)
        return len;
    size_t nearest = full > 16 ? full - 16 : 1;
    for (size_t n = full; n >= nearest; n--)
        if (strchr("_,:<>()/.-=&", text[n - 1]))
            return n;
    return full;
}

static void split_span(const struct rl_layout *layout, struct pieces *pieces, const struct rl_span *span, double width,
                       double *blank)
{
    const char *p = span->text, *end = span->text + span->len;
    while (p < end) {
        if (*p == ' ') {
            *blank = rl_layout_text_width(layout, span->style, " ", 1);
            p++;
            continue;
        }
        size_t word = strcspn(p, " ");
        bool first = true;
        while (word > 0) {
            size_t n = break_word(layout, span, p, word, width);
            bool glued = first && (*blank <= 0 || *p == '%') && pieces->count > 0; /* a percent sign stays with its number */
            add_piece(layout, pieces, span, p, n, *blank, glued);
            *blank = 0;
            first = false;
            p += n;
            word -= n;
        }
    }
}

/* Assigns lines: as many words in each as fit. A word is a piece and those glued to it. */
static void fill_lines(struct pieces *pieces, double width)
{
    double x = 0;
    size_t line = 0, i = 0;
    while (i < pieces->count) {
        size_t next = i + 1;
        double word = pieces->at[i].width;
        for (; next < pieces->count && pieces->at[next].glued && /* what is wider than a line breaks where it must */
               word + pieces->at[next].space + pieces->at[next].width <= width;
             next++)
            word += pieces->at[next].space + pieces->at[next].width;
        if (x > 0 && x + pieces->at[i].space + word > width + 0.01) {
            x = 0;
            line++;
        }
        for (; i < next; i++) {
            struct piece *p = &pieces->at[i];
            p->x = x > 0 ? x + p->space : 0;
            p->line = line;
            x = p->x + p->width;
        }
    }
    pieces->lines = pieces->count ? line + 1 : 0;
}

/* Leaves out what is below the last line that is allowed; the last piece says so. */
static void cut_lines(struct rl_layout *layout, struct pieces *pieces, size_t max_lines, double width)
{
    if (max_lines == 0 || pieces->lines <= max_lines)
        return;
    while (pieces->at[pieces->count - 1].line >= max_lines)
        pieces->count--;
    assert(pieces->count > 0);
    pieces->lines = max_lines;
    struct piece *last = &pieces->at[pieces->count - 1];
    double mark = rl_layout_text_width(layout, last->span->style, ELLIPSIS, strlen(ELLIPSIS));
    struct rl_buf fit = RL_BUF_IN(&layout->arena);
    rl_buf_add(&fit, last->text, fitting(layout, last->span->style, last->text, last->len, width - last->x - mark));
    rl_buf_adds(&fit, ELLIPSIS);
    last->text = fit.data;
    last->len = fit.len;
    last->width = rl_layout_text_width(layout, last->span->style, last->text, last->len);
}

static struct pieces compose(struct rl_layout *layout, const struct rl_para *para, double width)
{
    struct pieces pieces = {0};
    assert(width > 0 && para->max_lines >= 0);
    double blank = 0; /* width of the blank that was met last and is still to be placed */
    for (size_t i = 0; i < para->count; i++)
        split_span(layout, &pieces, &para->spans[i], width, &blank);
    fill_lines(&pieces, width);
    cut_lines(layout, &pieces, (size_t)para->max_lines, width);
    return pieces;
}

/* The style that rules the line: the one with the widest distance of lines. */
static enum rl_style line_style(const struct pieces *pieces, size_t first, size_t line)
{
    enum rl_style style = pieces->at[first].span->style;
    for (size_t i = first; i < pieces->count && pieces->at[i].line == line; i++)
        if (rl_styles[pieces->at[i].span->style].leading > rl_styles[style].leading)
            style = pieces->at[i].span->style;
    return style;
}

double rl_para_height(struct rl_layout *layout, const struct rl_para *para, double width)
{
    struct pieces pieces = compose(layout, para, width);
    double height = 0;
    for (size_t i = 0; i < pieces.count; i++)
        if (i == 0 || pieces.at[i].line != pieces.at[i - 1].line)
            height += rl_styles[line_style(&pieces, i, pieces.at[i].line)].leading;
    free(pieces.at);
    return height;
}

/* Pieces from `i` on that can be drawn as one text: the same span and line, and one blank between them. */
static size_t joined(const struct pieces *pieces, size_t i)
{
    size_t last = i;
    while (last + 1 < pieces->count) {
        const struct piece *a = &pieces->at[last], *b = &pieces->at[last + 1];
        if (b->span != a->span || b->line != a->line || b->space <= 0 || b->text != a->text + a->len + 1)
            break;
        last++;
    }
    return last;
}

/* Draws these pieces as one text, with the blank that follows in the paragraph: nothing else tells programs where words end. */
static void draw_pieces(struct rl_layout *layout, const struct piece *first, const struct piece *last, bool blank, double baseline)
{
    assert(first->span == last->span && first->line == last->line);
    const struct rl_style_row *row = &rl_styles[first->span->style];
    struct rl_type type = {row->face, row->size, row->colour};
    double x = layout->frame.x + first->x, width = last->x + last->width - first->x;
    const bool leads = first->span->target != RL_NO_TARGET;
    if (leads)
        rl_pdf_begin(layout->pdf, RL_PDF_LINK);
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_add(&text, first->text, (size_t)(last->text + last->len - first->text));
    rl_buf_adds(&text, blank ? " " : "");
    rl_pdf_text(layout->pdf, x, baseline, &type, text.data, text.len);
    rl_buf_release(&text);
    rl_layout_link(layout, (struct rl_rect){x, baseline - 3, width, row->leading - 1}, first->span->target);
    if (leads)
        rl_pdf_end(layout->pdf);
}

enum { LEAST_LINES = 2 }; /* of a paragraph at the foot of a page and at the top of the next */

/* Lines that stay with this one: no first line stands alone at the foot of a page, and no last one at the top of the next. */
static size_t lines_together(size_t line, size_t lines)
{
    if (lines < 2 * LEAST_LINES)
        return line == 0 ? lines : 1;
    return line == 0 || line == lines - LEAST_LINES ? LEAST_LINES : 1;
}

void rl_layout_para(struct rl_layout *layout, const struct rl_para *para)
{
    if (layout->web) {
        rl_web_para(layout->web, para);
        return;
    }
    struct pieces pieces = compose(layout, para, layout->frame.width);
    const bool alone = para->count > 0 && rl_layout_begin_text(layout, para->spans[0].style);
    for (size_t i = 0; i < pieces.count;) {
        size_t line = pieces.at[i].line;
        enum rl_style style = line_style(&pieces, i, line);
        rl_layout_need(layout, (double)lines_together(line, pieces.lines) * rl_styles[style].leading);
        double baseline = rl_layout_baseline(layout, rl_layout_take(layout, rl_styles[style].leading), style);
        while (i < pieces.count && pieces.at[i].line == line) {
            size_t last = joined(&pieces, i);
            const bool blank = last + 1 < pieces.count && pieces.at[last + 1].space > 0;
            draw_pieces(layout, &pieces.at[i], &pieces.at[last], blank, baseline);
            i = last + 1;
        }
    }
    if (alone)
        rl_pdf_end(layout->pdf);
    free(pieces.at);
}

void rl_layout_text(struct rl_layout *layout, enum rl_style style, const char *text)
{
    struct rl_para para = {.max_lines = RL_TEXT_LINES};
    rl_para_add(layout, &para, style, text);
    rl_layout_para(layout, &para);
}

void rl_layout_textf(struct rl_layout *layout, enum rl_style style, const char *format, ...)
{
    struct rl_buf out = RL_BUF_IN(&layout->arena);
    va_list args;
    va_start(args, format);
    rl_buf_vaddf(&out, format, args);
    va_end(args);
    rl_layout_text(layout, style, out.data);
}

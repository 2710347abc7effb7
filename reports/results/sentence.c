#include "results/sentence.h"

/* The text between braces. */
struct slot {
    const char *path, *one, *many; /* one, many: the noun, or NULL */
    size_t path_length, one_length, many_length;
    bool reason;
};

/* A piece of a template: text, a slot, the beginning or the end of an optional group. */
enum piece_kind { PIECE_TEXT, PIECE_SLOT, PIECE_OPEN, PIECE_CLOSE, PIECE_BROKEN, PIECE_END };
struct piece {
    enum piece_kind kind;
    const char *text;
    size_t length;
    struct slot slot;
};

static bool parse_slot(const char *text, size_t length, struct slot *slot)
{
    const char *end = text + length, *blank = memchr(text, ' ', length), *colon = memchr(text, ':', length);
    const char *stop = blank ? blank : colon ? colon : end;
    *slot = (struct slot){.path = text, .path_length = (size_t)(stop - text)};
    if (blank) {
        const char *bar = memchr(blank, '|', (size_t)(end - blank));
        if (!bar)
            return false;
        slot->one = blank + 1;
        slot->one_length = (size_t)(bar - slot->one);
        slot->many = bar + 1;
        slot->many_length = (size_t)(end - slot->many);
    } else if (colon) {
        slot->reason = (size_t)(end - colon) == strlen(":reason") && memcmp(colon, ":reason", strlen(":reason")) == 0;
        return slot->reason && slot->path_length > 0;
    }
    return slot->path_length > 0;
}

/* "{path}": a slot, or broken. */
static struct piece slot_at(const char *text)
{
    const size_t length = strcspn(text + 1, "}");
    struct piece piece = {.text = text, .length = length + 2};
    piece.kind = text[1 + length] && parse_slot(text + 1, length, &piece.slot) ? PIECE_SLOT : PIECE_BROKEN;
    return piece;
}

/* The piece at `*at`, which moves behind it. */
static struct piece next_piece(const char **at)
{
    const char *text = *at;
    struct piece piece = {.kind = PIECE_TEXT, .text = text, .length = 1};
    const bool doubled = *text && text[0] == text[1] && strchr("{}[]", *text);
    if (!*text)
        return (struct piece){.kind = PIECE_END, .text = text, .length = 1};
    if (!doubled && *text == '{')
        piece = slot_at(text);
    else if (!doubled && strchr("[]}", *text))
        piece.kind = *text == '[' ? PIECE_OPEN : *text == ']' ? PIECE_CLOSE : PIECE_BROKEN;
    else if (!doubled)
        piece.length = strcspn(text, "{}[]");
    *at = piece.kind == PIECE_BROKEN ? text + strlen(text) : text + (doubled ? 2 : piece.length);
    return piece;
}

/* ---- saying it ---- */

/* A part of a sentence: text of the template, or a value. */
struct part {
    const char *text; /* of `length` bytes; with `field` the noun behind a number of things, or empty */
    size_t length;
    const struct view_field *field; /* NULL: text alone */
    struct view_cell cell;
};

static struct part part_of(const struct view *view, const struct view_record *record, const void *row, const struct slot *slot)
{
    struct part part = {.text = ""};
    struct view_path path;
    const bool known = view_path_parse(record, slot->path, slot->path_length, &path);
    assert(known); /* view_sentence_check has seen every template */
    part.field = known ? view_path_field(&path) : NULL;
    part.cell = view_path_cell(view, &path, row);
    if (slot->reason) {
        part = (struct part){.text = part.cell.reason, .length = strlen(part.cell.reason)};
    } else if (slot->one) {
        const uint64_t count = part.field->type == VIEW_TYPE_LIST ? part.cell.rows.count : part.cell.whole;
        part.text = count == 1 ? slot->one : slot->many;
        part.length = count == 1 ? slot->one_length : slot->many_length;
    }
    return part;
}

/* Whether all values up to the end of the group have something to say. */
static bool group_holds(const struct view *view, const struct view_record *record, const void *row, const char *at)
{
    for (struct piece piece = next_piece(&at); piece.kind != PIECE_CLOSE; piece = next_piece(&at)) {
        assert(piece.kind == PIECE_TEXT || piece.kind == PIECE_SLOT);
        if (piece.kind != PIECE_SLOT)
            continue;
        const struct part part = part_of(view, record, row, &piece.slot);
        if (piece.slot.reason ? part.length == 0 : !view_cell_says(part.field, &part.cell))
            return false;
    }
    return true;
}

void view_sentence_format(const struct view *view, const struct view_record *record, const void *row, const char *text,
                          struct rl_buf *out)
{
    bool silent = false;
    for (struct piece piece = next_piece(&text); piece.kind != PIECE_END; piece = next_piece(&text)) {
        struct part part = {.text = piece.text, .length = piece.length};
        assert(piece.kind != PIECE_BROKEN);
        if (piece.kind == PIECE_OPEN)
            silent = !group_holds(view, record, row, text);
        else if (piece.kind == PIECE_CLOSE)
            silent = false;
        if (silent || piece.kind == PIECE_OPEN || piece.kind == PIECE_CLOSE)
            continue;
        if (piece.kind == PIECE_SLOT)
            part = part_of(view, record, row, &piece.slot);
        if (part.field)
            view_cell_format(out, part.field, &part.cell);
        rl_buf_adds(out, part.field && part.length ? " " : "");
        rl_buf_add(out, part.text, part.length);
    }
}

/* ---- checking ---- */

static bool slot_is_right(const struct view_record *record, const struct slot *slot)
{
    struct view_path path;
    if (!view_path_parse(record, slot->path, slot->path_length, &path))
        return false;
    const struct view_field *field = view_path_field(&path);
    return field->type != VIEW_TYPE_RECORD && (!slot->one || field->type == VIEW_TYPE_WHOLE || field->type == VIEW_TYPE_LIST);
}

bool view_sentence_check(const struct view_record *record, const char *text, struct rl_buf *why)
{
    bool open = false;
    const char *at = text;
    for (struct piece piece = next_piece(&at); piece.kind != PIECE_END; piece = next_piece(&at)) {
        const bool misplaced = piece.kind == PIECE_OPEN ? open : piece.kind == PIECE_CLOSE && !open;
        const bool unknown = piece.kind == PIECE_SLOT && !slot_is_right(record, &piece.slot);
        if (piece.kind == PIECE_BROKEN || misplaced || unknown) {
            rl_buf_addf(why, "%s: '%.*s' in \"%s\"", record->id, (int)piece.length, piece.text, text);
            return false;
        }
        open = piece.kind == PIECE_OPEN || (open && piece.kind != PIECE_CLOSE);
    }
    if (open)
        rl_buf_addf(why, "%s: a '[' without its ']' in \"%s\"", record->id, text);
    return !open;
}

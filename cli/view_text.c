#include "view_media.h"

#include "results/sentence.h"

struct printer {
    const struct view *view;
    const struct cli_view_options *options;
    struct cli_doc *doc;
};

static void print_record(const struct printer *printer, const struct view_record *record, const void *row);
static void print_blocks(const struct printer *printer, const struct view_record *record, const void *row);

/* ---- tables ---- */

static void add_rows(struct rl_table *table, const struct view_listing *of, const struct view_block *block)
{
    RL_AT_END(rl_arena_release) struct rl_arena arena = RL_ARENA_INIT; /* of texts that fields make, which end here */
    RL_SCRATCH cell = RL_BUF_INIT;
    struct view_listing listing = *of;
    struct view view = *listing.view;
    view.arena = &arena;
    listing.view = &view;
    for (size_t row = 0; row < listing.rows.count; row++) {
        if (view_block_rules(block, &listing, row))
            rl_table_rule(table);
        rl_table_row(table);
        for (size_t i = 0; i < listing.column_count; i++) {
            rl_buf_reset(&cell);
            view_listing_cell(&listing, row, i, &cell);
            rl_table_cell_bytes(table, cell.data, cell.len);
        }
    }
}

static void print_note(void *to, const char *text)
{
    cli_doc_note(to, text);
}

static void print_listing(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                          const struct view_choice *choice, const char *columns, const struct view_block *block,
                          struct cli_doc *doc)
{
    struct view_listing listing;
    struct rl_table table;
    rl_table_init(&table);
    view_listing_make(&listing, view, record, *rows, choice, columns);
    for (size_t i = 0; i < listing.column_count; i++) {
        RL_SCRATCH head = RL_BUF_INIT;
        view_listing_head(&listing, i, &head);
        rl_table_column(&table, head.data, view_listing_is_number(&listing, i) ? RL_RIGHT : RL_LEFT);
        if (view_path_field(&listing.columns[i].path)->wraps)
            rl_table_wrap(&table);
    }
    add_rows(&table, &listing, block);
    cli_doc_table(doc, &table);
    view_listing_notes(&listing, print_note, doc);
    view_listing_release(&listing);
    rl_table_release(&table);
}

void cli_view_table(const struct view *view, const struct view_record *record, const struct view_rows *rows,
                    const struct view_choice *choice, struct cli_doc *doc)
{
    print_listing(view, record, rows, choice, NULL, NULL, doc);
}

/* ---- blocks ---- */

static void say(const struct printer *printer, const struct view_record *record, const void *row, const char *text,
                struct rl_buf *out)
{
    view_sentence_format(printer->view, record, row, text, out);
}

static void print_rest(const struct printer *printer, const struct view_block *block, size_t shown, size_t all)
{
    assert(shown <= all);
    RL_SCRATCH text = RL_BUF_INIT;
    view_block_rest(printer->view, block, shown, all, &text);
    if (text.len && printer->options->more)
        rl_buf_addf(&text, " (%s)", printer->options->more);
    if (text.len)
        cli_doc_note(printer->doc, text.data);
}

/* The rows of a block's list: chosen by the user, by the result, or the first ones. */
static struct view_rows rows_of(const struct printer *printer, const struct view_block *block, struct view_rows rows, bool chosen)
{
    return chosen ? view_choice_rows(printer->options->choice, printer->view, rows)
                  : view_block_rows(printer->view, block, rows, printer->view->all ? 0 : block->most);
}

static void print_title(const struct printer *printer, const struct view_record *record, const void *row, const char *title)
{
    RL_SCRATCH text = RL_BUF_INIT;
    if (!title || !*title)
        return;
    say(printer, record, row, title, &text);
    if (text.len && printer->options->document && record == printer->view->record && title == record->title)
        cli_doc_title(printer->doc, text.data);
    else if (text.len)
        cli_doc_heading(printer->doc, text.data);
}

static void print_table(const struct printer *printer, const struct view_block *block, const struct view_record *record,
                        const void *row)
{
    assert(block->kind == VIEW_BLOCK_TABLE);
    const struct view_field *field = view_record_field(record, block->field);
    const struct view_cell cell = view_value(printer->view, field, row);
    const bool chosen = printer->options->choice && printer->options->chosen == field->record;
    if (cell.state != RL_PRESENT || cell.rows.count == 0)
        return;
    const struct view_rows rows = rows_of(printer, block, cell.rows, chosen);
    if (block->title)
        print_title(printer, record, row, block->title);
    else if (rows.count)
        cli_doc_gap(printer->doc);
    const char *columns = view_block_columns(printer->view, block, row);
    if (rows.count || (chosen && view_choice_has_columns(printer->options->choice)))
        print_listing(printer->view, field->record, &rows, chosen ? printer->options->choice : NULL, columns, chosen ? NULL : block,
                      printer->doc);
    if (!chosen)
        print_rest(printer, block, rows.count, cell.rows.count);
}

/* The label of an item: what its field says, or the block's own. */
static void add_label(const struct printer *printer, const struct view_block *block, const struct view_record *record,
                      const void *row, struct rl_buf *out)
{
    struct view_path path;
    if (block->label_field && view_path_parse(record, block->label_field, strlen(block->label_field), &path)) {
        const struct view_cell cell = view_path_cell(printer->view, &path, row);
        view_cell_format(out, view_path_field(&path), &cell);
    } else {
        rl_buf_adds(out, block->label ? block->label : "");
    }
}

static size_t label_width(const struct printer *printer, const struct view_block *block, const struct view_record *record,
                          const struct view_rows *rows)
{
    enum { LEAST = 10, MOST = 40 }; /* texts behind longer labels, names of kernels, would have no room */
    size_t widest = block->label || block->label_field ? LEAST : 0;
    RL_SCRATCH label = RL_BUF_INIT;
    for (size_t i = 0; block->label_field && i < rows->count; i++) {
        rl_buf_reset(&label);
        add_label(printer, block, record, view_rows_at(rows, i), &label);
        const size_t width = rl_utf8_width(label.data, label.len);
        widest = width > widest ? width : widest;
    }
    return widest <= MOST ? widest : 0;
}

static void print_items(const struct printer *printer, const struct view_block *block, const struct view_record *record,
                        const void *row)
{
    const struct view_field *field = view_record_field(record, block->field);
    const struct view_cell cell = view_value(printer->view, field, row);
    if (cell.state != RL_PRESENT || cell.rows.count == 0)
        return;
    const struct view_rows rows = rows_of(printer, block, cell.rows, false);
    if (rows.count == 0)
        return;
    const size_t width = label_width(printer, block, field->record, &rows);
    RL_SCRATCH label = RL_BUF_INIT, text = RL_BUF_INIT;
    print_title(printer, record, row, block->title);
    for (size_t i = 0; i < rows.count; i++) {
        rl_buf_reset(&label);
        rl_buf_reset(&text);
        add_label(printer, block, field->record, view_rows_at(&rows, i), &label);
        say(printer, field->record, view_rows_at(&rows, i), block->text, &text);
        if (block->kind == VIEW_BLOCK_NOTES)
            cli_doc_note(printer->doc, text.data);
        else
            cli_doc_item(printer->doc, label.data, width, text.data);
    }
    print_rest(printer, block, rows.count, cell.rows.count);
}

static void print_each(const struct printer *printer, const struct view_block *block, const struct view_record *record,
                       const void *row)
{
    const struct view_field *field = view_record_field(record, block->field);
    const struct view_cell cell = view_value(printer->view, field, row);
    if (cell.state != RL_PRESENT)
        return;
    if (block->folded) {
        assert(field->type == VIEW_TYPE_RECORD);
        RL_SCRATCH title = RL_BUF_INIT;
        say(printer, field->record, cell.record, field->record->title, &title);
        cli_doc_fold(printer->doc, title.data);
        print_blocks(printer, field->record, cell.record);
        cli_doc_unfold(printer->doc);
        return;
    }
    if (field->type == VIEW_TYPE_RECORD) {
        print_record(printer, field->record, cell.record);
        return;
    }
    const struct view_rows rows = rows_of(printer, block, cell.rows, false);
    for (size_t i = 0; i < rows.count; i++)
        print_record(printer, field->record, view_rows_at(&rows, i));
}

static void print_said(const struct printer *printer, const struct view_block *block, const struct view_record *record,
                       const void *row)
{
    enum { LABEL = 10 };
    RL_SCRATCH text = RL_BUF_INIT;
    say(printer, record, row, block->text, &text);
    if (block->apart)
        cli_doc_gap(printer->doc);
    if (block->more && printer->options->more)
        rl_buf_addf(&text, " (%s)", printer->options->more);
    if (block->kind == VIEW_BLOCK_NOTE)
        cli_doc_note(printer->doc, text.data);
    else
        cli_doc_item(printer->doc, block->label ? block->label : "", block->label ? LABEL : 0, text.data);
}

static void print_lead(const struct printer *printer, const struct view_block *block, const struct view_record *record,
                       const void *row)
{
    RL_SCRATCH strong = RL_BUF_INIT, text = RL_BUF_INIT;
    say(printer, record, row, block->label, &strong);
    say(printer, record, row, block->text, &text);
    cli_doc_lead(printer->doc, strong.data, text.data);
}

static void print_code(const struct printer *printer, const struct view_block *block, const struct view_record *record,
                       const void *row)
{
    enum { MOST = 8 };
    const struct view_field *field = view_record_field(record, block->field);
    const struct view_cell cell = view_value(printer->view, field, row);
    const char *lines[MOST];
    size_t count = 0;
    for (; cell.state == RL_PRESENT && count < cell.rows.count && count < MOST; count++) {
        RL_SCRATCH text = RL_BUF_INIT;
        say(printer, field->record, view_rows_at(&cell.rows, count), block->text, &text);
        lines[count] = rl_arena_strdup(printer->view->arena, text.data);
    }
    if (count)
        cli_doc_code(printer->doc, lines, count);
}

static void (*const printers[])(const struct printer *, const struct view_block *, const struct view_record *, const void *) = {
    [VIEW_BLOCK_FACT] = print_said,   [VIEW_BLOCK_SENTENCE] = print_said, [VIEW_BLOCK_NOTE] = print_said,
    [VIEW_BLOCK_TABLE] = print_table, [VIEW_BLOCK_ITEMS] = print_items,   [VIEW_BLOCK_NOTES] = print_items,
    [VIEW_BLOCK_LEAD] = print_lead,   [VIEW_BLOCK_CODE] = print_code,     [VIEW_BLOCK_EACH] = print_each,
};

static void print_blocks(const struct printer *printer, const struct view_record *record, const void *row)
{
    for (size_t i = 0; i < record->block_count; i++) {
        const struct view_block *block = &record->blocks[i];
        if (view_block_applies(printer->view, block, record, row))
            printers[block->kind](printer, block, record, row);
    }
}

static void print_record(const struct printer *printer, const struct view_record *record, const void *row)
{
    print_title(printer, record, row, record->title);
    print_blocks(printer, record, row);
}

void cli_view_text(const struct view *view, const struct cli_view_options *options, struct cli_doc *doc)
{
    const struct printer printer = {view, options, doc};
    print_record(&printer, view->record, view->row);
}

/* ---- length ---- */

enum { MOST_LINES = 120, WIDTH = 100 };

void cli_view_shorten(struct cli_doc *doc, size_t start)
{
    const size_t most = doc->width < WIDTH ? MOST_LINES * WIDTH / (doc->width ? doc->width : WIDTH) : MOST_LINES;
    size_t lines = 0, end = 0, kept = 0;
    for (size_t i = start; i < doc->out->len; i++) {
        if (doc->out->data[i] != '\n')
            continue;
        lines++;
        if (lines + 2 < most && i + 1 < doc->out->len && doc->out->data[i + 1] == '\n') {
            end = i + 1;
            kept = lines;
        }
    }
    if (lines <= most || !end)
        return;
    RL_SCRATCH text = RL_BUF_INIT;
    rl_buf_truncate(doc->out, end);
    doc->heading_end = start;
    rl_buf_addf(&text, "%zu more lines: --full prints them", lines - kept - 1);
    cli_doc_gap(doc);
    cli_doc_note(doc, text.data);
}

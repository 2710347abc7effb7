/* record.c - the only file that knows libcsv. */
#include "lines.h"

#include <csv.h>

#include "import/import.h"

struct rl_record {
    struct csv_parser parser;
    struct rl_buf bytes; /* the cells one behind the other */
    size_t *ends;        /* of each cell in `bytes` */
    size_t count, cap;
    bool too_many;
};

static void *grow(void *pointer, size_t size)
{
    return rl_realloc(pointer, size, 1);
}

struct rl_record *rl_record_new(void)
{
    struct rl_record *record = rl_calloc(1, sizeof *record);

    rl_buf_init(&record->bytes);
    csv_init(&record->parser, 0); /* fails on NULL only */
    csv_set_realloc_func(&record->parser, grow);
    csv_set_free_func(&record->parser, free);
    csv_set_blk_size(&record->parser, 4096);
    return record;
}

void rl_record_free(struct rl_record *record)
{
    if (!record)
        return;
    csv_free(&record->parser);
    rl_buf_release(&record->bytes);
    RL_FREE(record->ends, record);
}

static void clear(struct rl_record *record)
{
    rl_buf_reset(&record->bytes);
    record->count = 0;
    record->too_many = false;
}

static void add_cell(struct rl_record *record, const void *at, size_t len)
{
    if (record->count == RL_IMPORT_MAX_COLUMNS) {
        record->too_many = true;
        return;
    }
    rl_buf_add(&record->bytes, at, len);
    RL_APPEND(record->ends, record->count, record->cap, record->bytes.len);
}

static void on_cell(void *at, size_t len, void *record)
{
    add_cell(record, len ? at : "", len);
}

void rl_record_read_csv(struct rl_record *record, struct rl_text text, char separator)
{
    csv_set_delim(&record->parser, (unsigned char)separator);
    clear(record);
    if (csv_parse(&record->parser, text.at, text.len, on_cell, NULL, record) != text.len)
        record->too_many = true; /* more than a size_t counts; memory does not run out in rl_realloc */
    if (csv_fini(&record->parser, on_cell, NULL, record) != 0 || record->too_many)
        clear(record);
}

void rl_record_join_rest(struct rl_record *record, size_t count)
{
    RL_SCRATCH rest = RL_BUF_INIT;

    while (record->count > count && rl_record_cell(record, record->count - 1).len == 0)
        record->count--;
    if (record->count <= count)
        return;
    for (size_t i = count - 1; i < record->count; i++) {
        const struct rl_text cell = rl_record_cell(record, i);
        rl_buf_adds(&rest, i < count ? "" : ", ");
        rl_buf_add(&rest, cell.at, cell.len);
    }
    record->count = count - 1;
    record->bytes.len = record->count ? record->ends[record->count - 1] : 0;
    add_cell(record, rest.data, rest.len);
}

void rl_record_read_printed(struct rl_record *record, struct rl_text text, size_t most)
{
    clear(record);
    text = rl_text_trim(text);
    while (text.len && record->count + 1 < most) {
        const size_t len = rl_text_find(text, "  ");
        add_cell(record, text.at, len);
        text = rl_text_trim(rl_text_from(text, len));
    }
    if (text.len)
        add_cell(record, text.at, text.len);
    if (record->too_many)
        clear(record);
}

void rl_record_read_ruled(struct rl_record *record, struct rl_text text, struct rl_text rule)
{
    clear(record);
    for (size_t from = 0, to; from < rule.len; from = to) {
        while (from < rule.len && rule.at[from] == ' ')
            from++;
        for (to = from; to < rule.len && rule.at[to] != ' ';)
            to++;
        const struct rl_text rest = rl_text_from(text, from < text.len ? from : text.len);
        const struct rl_text cell =
            rl_text_trim(to == rule.len || rest.len < to - from ? rest : (struct rl_text){rest.at, to - from});
        if (from < to)
            add_cell(record, cell.len ? cell.at : "", cell.len);
    }
    if (record->too_many)
        clear(record);
}

size_t rl_record_count(const struct rl_record *record)
{
    return record->count;
}

struct rl_text rl_record_cell(const struct rl_record *record, size_t index)
{
    if (index >= record->count)
        return rl_text_of("");
    size_t from = index ? record->ends[index - 1] : 0;
    assert(from <= record->ends[index] && record->ends[index] <= record->bytes.len);
    return (struct rl_text){record->bytes.data + from, record->ends[index] - from};
}

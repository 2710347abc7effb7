#include "targets.h"

enum { COLUMN = 0x1f /* before the names of columns in the pool */ };
enum { MOST_ROWS = 100000, EXAMPLE_BYTES = 40, NAME_BYTES = 400 };

void rl_ledger_release(struct rl_ledger *ledger)
{
    rl_pool_release(&ledger->names);
    rl_arena_release(&ledger->texts);
    free(ledger->items);
    *ledger = (struct rl_ledger){0};
}

uint32_t rl_ledger_item(struct rl_ledger *ledger, struct rl_text name)
{
    const size_t known = ledger->names.count;
    const uint32_t item = rl_pool_add(&ledger->names, name);

    RL_GROW(ledger->items, ledger->names.count, ledger->cap);
    if (item == known)
        ledger->items[item] = (struct rl_ledger_item_){0};
    return item;
}

uint32_t rl_ledger_column(struct rl_ledger *ledger, struct rl_text head)
{
    RL_SCRATCH name = RL_BUF_INIT;

    rl_buf_addch(&name, COLUMN);
    rl_buf_add(&name, head.at, head.len < NAME_BYTES ? head.len : NAME_BYTES);
    const uint32_t item = rl_ledger_item(ledger, (struct rl_text){name.data, name.len});
    ledger->items[item].column = true;
    return item;
}

void rl_ledger_count(struct rl_ledger *ledger, uint32_t item, enum rl_fate fate, uint64_t values, struct rl_text example,
                     struct rl_text unit, const char *reason)
{
    assert(item < ledger->names.count && fate < RL_FATE_COUNT);
    RL_SCRATCH text = RL_BUF_INIT;

    ledger->items[item].of[fate].values += values;
    if (ledger->items[item].of[fate].reason)
        return;
    rl_utf8_printable(&text, example.at, example.len < EXAMPLE_BYTES ? example.len : EXAMPLE_BYTES);
    if (unit.len && text.len)
        rl_buf_addch(&text, ' ');
    rl_utf8_printable(&text, unit.at, unit.len < EXAMPLE_BYTES ? unit.len : EXAMPLE_BYTES);
    ledger->items[item].of[fate].example = rl_arena_strndup(&ledger->texts, text.data, text.len);
    ledger->items[item].of[fate].reason = rl_arena_strndup(&ledger->texts, reason, strlen(reason));
}

void rl_ledger_move(struct rl_ledger *ledger, uint32_t item, enum rl_fate fate, uint64_t values, const char *reason)
{
    static const enum rl_fate from[] = {RL_FATE_USED, RL_FATE_SCALED};

    for (size_t i = 0; i < RL_COUNT(from) && values; i++) {
        __typeof__(ledger->items[item].of[0]) *of = &ledger->items[item].of[from[i]];
        const uint64_t moved = values < of->values ? values : of->values;
        if (!moved)
            continue;
        of->values -= moved;
        values -= moved;
        rl_ledger_count(ledger, item, fate, moved, rl_text_of(of->example), rl_text_of(""), reason);
    }
}

static void add_row(struct rl_capture *capture, struct rl_text name, bool column, enum rl_fate fate, uint64_t values,
                    const char *example, const char *reason)
{
    RL_SCRATCH text = RL_BUF_INIT;

    name = column ? rl_text_from(name, 1) : name;
    rl_utf8_printable(&text, name.at, name.len < NAME_BYTES ? name.len : NAME_BYTES);
    struct rl_ledger_row *row = rl_capture_add_ledger(capture);
    *row = (struct rl_ledger_row){rl_capture_text(capture, text.data), column, fate, values, rl_capture_text(capture, example),
                                  rl_capture_text(capture, reason)};
}

void rl_ledger_write(const struct rl_ledger *ledger, const struct rl_notes *notes, struct rl_capture *capture)
{
    /* Notes about rows and values that no metric is known of. */
    static const enum rl_note left_out[] = {RL_NOTE_damaged,   RL_NOTE_too_long,        RL_NOTE_too_many_columns,
                                            RL_NOTE_no_kernel, RL_NOTE_rules,           RL_NOTE_copies,
                                            RL_NOTE_calls,     RL_NOTE_too_many_classes};

    for (uint32_t i = 0; i < ledger->names.count; i++)
        for (enum rl_fate fate = 0; fate < RL_FATE_COUNT && capture->ledger_count < MOST_ROWS; fate++)
            if (ledger->items[i].of[fate].values)
                add_row(capture, rl_pool_text(&ledger->names, i), ledger->items[i].column, fate, ledger->items[i].of[fate].values,
                        ledger->items[i].of[fate].example, ledger->items[i].of[fate].reason);
    for (size_t i = 0; i < RL_COUNT(left_out); i++)
        if (notes->of[left_out[i]].count)
            add_row(capture, rl_text_of("(rows)"), false, RL_FATE_IGNORED, notes->of[left_out[i]].count, "",
                    rl_notes_words(left_out[i]));
}

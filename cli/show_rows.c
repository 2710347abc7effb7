#include "show_rows.h"

#include <assert.h>
#include <stdlib.h>

#include "core/mem.h"

void show_rows_add(struct show_rows *rows, const struct show_row *row, const char *label, bool part)
{
    assert((row->kernel != NULL) == (row->result != NULL));
    assert(row->kernel || row->variant);
    RL_GROW(rows->row, rows->count + 1, rows->row_cap);
    RL_GROW(rows->label, rows->count + 1, rows->label_cap);
    RL_GROW(rows->part, rows->count + 1, rows->part_cap);
    rows->part[rows->count] = part;
    rows->row[rows->count] = *row;
    rows->label[rows->count++] = rl_strdup(label);
}

void show_rows_release(struct show_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->label[i]);
    free(rows->label);
    free(rows->part);
    free(rows->row);
    *rows = (struct show_rows){0};
}

/* SQL texts from the rows of rl_schema[]. Names come from that table only, never from a capture. */
#include "schema.h"

static const char *const types[RL_COLUMN_KIND_COUNT] = {
    [RL_COLUMN_OWNER] = "INTEGER",   [RL_COLUMN_FIELD] = "TEXT",    [RL_COLUMN_TEXT] = "TEXT",
    [RL_COLUMN_ENUM] = "TEXT",       [RL_COLUMN_REAL] = "REAL",     [RL_COLUMN_VALUE] = "REAL",
    [RL_COLUMN_INTEGER] = "INTEGER", [RL_COLUMN_INDEX] = "INTEGER", [RL_COLUMN_COUNTER_NAME] = "INTEGER",
    [RL_COLUMN_HEX] = "TEXT",
};
static const bool refers[RL_COLUMN_KIND_COUNT] = {
    [RL_COLUMN_OWNER] = true,
    [RL_COLUMN_INDEX] = true,
    [RL_COLUMN_COUNTER_NAME] = true,
};

void rl_schema_create_sql(enum rl_schema_id id, struct rl_buf *sql)
{
    assert(id < RL_SCHEMA_COUNT);
    const struct rl_schema_table *table = &rl_schema[id];
    rl_buf_addf(sql, "CREATE TABLE %s(\n  id INTEGER PRIMARY KEY", table->name);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct rl_column *column = &table->columns[i];
        bool value = column->kind == RL_COLUMN_VALUE;
        rl_buf_addf(sql, ",\n  %s %s", column->name, types[column->kind]);
        if (!column->optional && !value)
            rl_buf_adds(sql, " NOT NULL");
        if (refers[column->kind])
            rl_buf_addf(sql, " REFERENCES %s(id)", rl_schema[column->target].name);
        if (value)
            rl_buf_addf(sql, ",\n  %s_missing INTEGER REFERENCES %s(id)", column->name, rl_schema[RL_SCHEMA_MISSING].name);
    }
    rl_buf_adds(sql, "\n)");
}

void rl_schema_insert_sql(enum rl_schema_id id, struct rl_buf *sql)
{
    assert(id < RL_SCHEMA_COUNT);
    const struct rl_schema_table *table = &rl_schema[id];
    rl_buf_addf(sql, "INSERT INTO %s VALUES(?", table->name);
    for (size_t i = 0; i < table->column_count; i++)
        rl_buf_adds(sql, table->columns[i].kind == RL_COLUMN_VALUE ? ",?,?" : ",?");
    rl_buf_adds(sql, ")");
}

void rl_schema_take_sql(enum rl_schema_id id, struct rl_buf *sql)
{
    assert(id < RL_SCHEMA_COUNT);
    rl_buf_adds(sql, "SELECT take(");
    rl_buf_adds(sql, "id");
    for (size_t i = 0; i < rl_schema[id].column_count; i++) {
        const struct rl_column *column = &rl_schema[id].columns[i];
        rl_buf_addf(sql, ",%s", column->name);
        if (column->kind == RL_COLUMN_VALUE)
            rl_buf_addf(sql, ",%s_missing", column->name);
    }
    rl_buf_addf(sql, ") FROM %s", rl_schema[id].name);
}

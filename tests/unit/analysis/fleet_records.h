/* fleet_records.h - records of GPUs made by hand, for fleets that are judged. */
#ifndef RL_TEST_FLEET_RECORDS_H
#define RL_TEST_FLEET_RECORDS_H

#include "analysis/fleet.h"
#include "core/mem.h"
#include "fleet_model.h"
#include "rl_test.h"

struct gpu {
    const char *host, *uuid, *driver;
    int index;
};

/* A record with `count` measures of one part: rates near 1e12, times near 1 ms. */
static inline struct rl_fleet_record *make(const char *path, struct gpu gpu, enum rl_fleet_part part, size_t count)
{
    struct rl_fleet_record *record = rl_calloc(1, sizeof *record);
    struct rl_buf node = RL_BUF_INIT, rack = RL_BUF_INIT;
    rl_fleet_place(gpu.host, &node, &rack);
    record->path = rl_arena_strdup(&record->arena, path);
    record->host = rl_arena_strdup(&record->arena, gpu.host);
    record->node = rl_arena_strdup(&record->arena, node.data);
    record->rack = rl_arena_strdup(&record->arena, rack.data);
    record->uuid = rl_arena_strdup(&record->arena, gpu.uuid);
    record->driver = rl_arena_strdup(&record->arena, gpu.driver);
    record->card = "Card";
    record->links = record->peer_uuid = "";
    record->tool_version = "1.0";
    record->started = "2026-01-01T00:00:00Z";
    record->source = "collect";
    record->gpu = gpu.index;
    record->complete = true;
    record->group = record->of = RL_NONE;
    for (int i = 0; i < RL_EVIDENCE_COUNT; i++)
        record->evidence[i] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    record->keys = rl_calloc(count, sizeof *record->keys);
    record->measures = rl_calloc(count, sizeof *record->measures);
    for (size_t i = 0; i < count; i++) {
        bool ceiling = i % 2 == 0;
        const char *id = rl_arena_printf(&record->key_arena, "%d %zu", (int)part, i);
        record->keys[i] = (struct rl_fleet_key){id, id, ceiling, ceiling ? RL_UNIT_BYTE_PER_SECOND : RL_UNIT_SECOND, part};
        record->measures[i] = (struct rl_fleet_measure){(uint32_t)i, (uint16_t)i, (uint16_t)part, 0, ceiling ? 1e12 : 1e-3};
    }
    record->measure_count = count;
    rl_buf_release(&node);
    rl_buf_release(&rack);
    return record;
}

/* By how much (ln) measure `i` is slower than it was. */
static inline void slow_down(struct rl_fleet_record *record, size_t i, double by)
{
    record->measures[i].value *= exp(i % 2 == 0 ? -by : by);
}

static inline void scatter(struct rl_fleet_record *record, uint64_t seed, size_t gpu, double spread)
{
    for (size_t i = 0; i < record->measure_count; i++)
        slow_down(record, i, spread * model_normal(model_seed(seed, gpu), i));
}

static inline struct rl_fleet_record *numbered(size_t gpu, size_t measures)
{
    char path[64], host[64], uuid[64];
    snprintf(path, sizeof path, "%05zu.rlcap", gpu);
    snprintf(host, sizeof host, "r%02zun%02zu.example.org", gpu / 32, gpu / 8 % 4);
    snprintf(uuid, sizeof uuid, "GPU-%zu", gpu);
    return make(path, (struct gpu){host, uuid, "1", (int)(gpu % 8)}, RL_PART_dram, measures);
}

static inline const struct rl_fleet_suspect *suspect_of(const struct rl_fleet *fleet, const char *path)
{
    for (size_t i = 0; i < fleet->suspect_count; i++)
        if (strcmp(fleet->records[fleet->suspects[i].record]->path, path) == 0)
            return &fleet->suspects[i];
    return NULL;
}

#endif

#include "kernels/inputs.h"

#include <sys/mman.h>

#include "core/core.h"

struct rl_inputs rl_inputs;

enum { PIECE = 1 << 16, PART_OF_MEMORY = 8 };
static const uint64_t most_elements = UINT64_C(1) << 28;
static float *table; /* room for that many; pages are there once they have been written to */

static uint64_t limit_elements(void)
{
    /* Bytes that the machine can still give; 0: unknown. */
    FILE *file = fopen("/proc/meminfo", "re");
    char line[128];
    unsigned long long kib = 0;
    while (file && fgets(line, sizeof line, file) && sscanf(line, "MemAvailable: %llu", &kib) != 1)
        kib = 0;
    if (file)
        fclose(file);
    const uint64_t machine = (kib * 1024) / PART_OF_MEMORY / sizeof *table,
                   group = rl_parallel_memory() / PART_OF_MEMORY / sizeof *table;
    uint64_t limit = machine < most_elements ? machine : most_elements;
    return rl_parallel_memory() > 0 && group < limit ? group : limit;
}

static void fill_piece(void *context, size_t first, size_t count, size_t thread)
{
    assert(table); /* reserved before anything is filled */
    float *values = table + rl_inputs.count + first;
    const uint64_t start = rl_inputs.count + first;
    (void)thread;
    for (size_t i = 0; i < count; i++)
        values[i] = rl_random_unit(*(const uint64_t *)context, start + i);
}

static float *reserve(void)
{
    const size_t bytes = most_elements * sizeof *table;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* fewer page faults; without it the table is as good */
    return memory;
}

void rl_inputs_have(uint64_t seed, uint64_t count)
{
    if (seed != rl_inputs.seed)
        rl_inputs.count = 0;
    if (count <= rl_inputs.count)
        return;
    const uint64_t limit = rl_inputs.count + limit_elements(), wanted = count < limit ? count : limit;
    const uint64_t end = wanted < most_elements ? wanted : most_elements;
    if (!table)
        table = reserve();
    if (!table || end <= rl_inputs.count)
        return;
    rl_parallel_for(rl_parallel_width(), end - rl_inputs.count, PIECE, fill_piece, &seed);
    rl_inputs = (struct rl_inputs){seed, end, table};
}

void rl_inputs_release(void)
{
    if (table)
        (void)munmap(table, most_elements * sizeof *table);
    table = NULL;
    rl_inputs = (struct rl_inputs){0};
}

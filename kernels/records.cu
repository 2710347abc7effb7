/* records.cu - numbers of records of eight, 32 bytes each, taken one field after the other: of the sector that a record is, a
 * thread uses one word. In columns, all numbers of a field together, the same copy uses every word of every sector.
 *
 * A field of all records is far more than the L2 cache holds, so that none of a sector is left when its next word is wanted.
 */
#include "device.cuh"

enum { BLOCK = 256, EACH = 4, FIELDS = 8 };

/* Where field `field` of record `record` lies, in records or in columns. */
template <bool RECORDS>
static __host__ __device__ __forceinline__ unsigned place_of(unsigned record, unsigned field, unsigned records)
{
    return RECORDS ? record * FIELDS + field : field * records + record;
}

/* blockIdx.y is the field. What is left behind the last whole record stays where it is. */
template <bool FROM_RECORDS, bool TO_RECORDS>
__global__ void __launch_bounds__(BLOCK) fields_kernel(float *out, const float *in, unsigned n)
{
    const unsigned records = n / FIELDS, first = blockIdx.x * (EACH * BLOCK) + threadIdx.x, rest = FIELDS * records + first;
    float value[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (first + k * BLOCK < records)
            value[k] = in[place_of<FROM_RECORDS>(first + k * BLOCK, blockIdx.y, records)];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (first + k * BLOCK < records)
            out[place_of<TO_RECORDS>(first + k * BLOCK, blockIdx.y, records)] = value[k];
    if (blockIdx.y == 0 && first < FIELDS && rest < n)
        out[rest] = in[rest];
}

/* ---- the operations ---- */

static const struct row {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
    bool from_records, to_records;
} rows[] = {
    {"read_by_field", fields_kernel<true, false>, true, false},
    {"written_by_field", fields_kernel<false, true>, false, true},
    {"columns", fields_kernel<false, false>, false, false},
};

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{
    return rl_map_setup_plain(run, err);
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    const struct rl_map *map = rl_map_of(run);
    const uint64_t records = map->count / FIELDS;
    RL_ROW(row, rows, run, err);
    const dim3 grid(rl_blocks(records ? records : 1, EACH * BLOCK), FIELDS);
    return rl_enqueue(run, err, grid, BLOCK, 0, row->kernel, map->out, map->in, (unsigned)map->count);
}

static double expected(const void *context, uint64_t index)
{
    const struct rl_suite_run *run = static_cast<const struct rl_suite_run *>(context);
    const struct row *row = rl_row(rows, run);
    const uint64_t records = run->size / FIELDS;
    if (index >= FIELDS * records || row->from_records == row->to_records)
        return rl_map_input(context, index);
    const uint64_t record = row->to_records ? index / FIELDS : index % records;
    const uint64_t field = row->to_records ? index % FIELDS : index / records;
    return rl_map_input(context, row->from_records ? record * FIELDS + field : field * records + record);
}

RL_SUITE_OPS(records, setup, launch, rl_map_verify_each<launch, expected>, rl_map_teardown)

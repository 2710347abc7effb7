/* stream_overlap.cu - an array goes to the device, a kernel works on it, and it comes back: one after the other in one stream, and
 * in pieces over several streams, so that copies in both directions and kernels can run at once. Pageable memory as a third.
 *
 * The kernel's work per element is such that it takes about as long as a copy on GPUs of different ages.
 */
#include <stdlib.h>

#include "device.cuh"

enum {
    BLOCK = 256,
    STREAMS = 4,
    STEPS = 1024, /* fused multiply-adds for each element */
    UNROLL = 32,
};

static const float A = 1 - 0x1p-10f, B = 0x1p-11f; /* exact */

/* Pulls each x towards B / (1 - A). The constants are arguments, so that the compiler cannot fold the steps. */
__global__ void __launch_bounds__(BLOCK) overlap_kernel(float *data, unsigned n, float a, float b, int rounds)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float x = data[i];
#pragma unroll 1
    for (int round = rounds; round > 0; round--) {
#pragma unroll
        for (int j = 0; j < UNROLL; j++)
            x = fmaf(x, a, b);
    }
    data[i] = x;
}

/* ---- arrays and streams ---- */

static const struct row {
    const char *name;
    unsigned streams, pieces;
    bool pinned;
} rows[] = {
    {"one_stream", 1, 1, true},
    {"four_streams", STREAMS, 4 * STREAMS, true},
    {"pageable", 1, 1, false},
};

struct state {
    const struct row *row;
    float *in, *out; /* of the host */
    float *device;
    cudaStream_t streams[STREAMS]; /* used when there are several */
    cudaEvent_t begin, end[STREAMS];
};

static struct state *state_of(const struct rl_suite_run *run)
{
    return static_cast<struct state *>(run->state);
}

/* Failures are ignored: they follow a fault, which has been reported. */
static void release(struct state *state)
{
    for (unsigned s = 0; s < STREAMS; s++) {
        if (state->end[s])
            (void)cudaEventDestroy(state->end[s]);
        if (state->streams[s])
            (void)cudaStreamDestroy(state->streams[s]);
    }
    if (state->begin)
        (void)cudaEventDestroy(state->begin);
    (void)cudaFree(state->device);
    if (state->row->pinned) {
        (void)cudaFreeHost(state->in);
        (void)cudaFreeHost(state->out);
    } else {
        free(state->in);
        free(state->out);
    }
    free(state);
}

static void teardown(struct rl_suite_run *run)
{
    if (run->state)
        release(state_of(run));
    run->state = NULL;
}

static enum rl_status host_array(const struct rl_suite_run *run, bool pinned, float **array, struct rl_err *err)
{
    const size_t bytes = run->size * sizeof(float);
    if (pinned)
        return RL_CUDA(err, cudaMallocHost((void **)array, bytes));
    *array = (float *)malloc(bytes);
    if (!*array)
        return rl_err_set(err, RL_UNSUPPORTED, "needs %.1f GiB of host memory", (double)bytes / (1 << 30));
    return RL_OK;
}

static enum rl_status make_streams(struct state *state, struct rl_err *err)
{
    RL_TRY(RL_CUDA(err, cudaEventCreateWithFlags(&state->begin, cudaEventDisableTiming)));
    for (unsigned s = 0; s < state->row->streams; s++) {
        RL_TRY(RL_CUDA(err, cudaStreamCreateWithFlags(&state->streams[s], cudaStreamNonBlocking)));
        RL_TRY(RL_CUDA(err, cudaEventCreateWithFlags(&state->end[s], cudaEventDisableTiming)));
    }
    return RL_OK;
}

static void fill_piece(void *context, size_t first, size_t count, size_t)
{
    const struct rl_suite_run *run = (const struct rl_suite_run *)context;
    struct state *state = state_of(run);
    for (size_t i = first; i < first + count; i++)
        state->in[i] = rl_input_unit(run->seed, i);
    memset(state->out + first, 0xff, count * sizeof(float)); /* NaN */
}

static void fill(struct rl_suite_run *run)
{
    rl_parallel_for(rl_parallel_width(), run->size, 1 << 16, fill_piece, run);
}

static enum rl_status allocate(struct rl_suite_run *run, struct rl_err *err)
{
    struct state *state = state_of(run);
    const uint64_t bytes = run->size * sizeof(float);
    RL_TRY(rl_memory_check(bytes, err));
    RL_TRY(RL_CUDA(err, cudaMalloc((void **)&state->device, bytes)));
    RL_TRY(host_array(run, state->row->pinned, &state->in, err));
    RL_TRY(host_array(run, state->row->pinned, &state->out, err));
    if (state->row->streams > 1)
        RL_TRY(make_streams(state, err));
    fill(run);
    return RL_OK;
}

/* ---- the operations ---- */

static enum rl_status setup(struct rl_suite_run *run, struct rl_err *err)
{

    RL_TRY(rl_size_check(run, RL_MAX_ELEMENTS, err));
    RL_ROW(row, rows, run, err);
    struct state *state = (struct state *)rl_calloc(1, sizeof(*state));
    state->row = row;
    run->state = state;
    const enum rl_status status = allocate(run, err);
    if (status != RL_OK)
        teardown(run);
    return status;
}

/* `count` elements from `first` on: there, through the kernel, and back. On run->stream. */
static enum rl_status launch_piece(struct rl_suite_run *run, uint64_t first, uint64_t count, struct rl_err *err)
{
    const struct state *state = state_of(run);
    const cudaStream_t stream = (cudaStream_t)run->stream;
    float *data = state->device + first;
    const size_t bytes = count * sizeof(float);
    RL_TRY(RL_CUDA(err, cudaMemcpyAsync(data, state->in + first, bytes, cudaMemcpyHostToDevice, stream)));
    RL_TRY(rl_enqueue(run, err, rl_blocks(count, BLOCK), BLOCK, 0, overlap_kernel, data, (unsigned)count, A, B, STEPS / UNROLL));
    return RL_CUDA(err, cudaMemcpyAsync(state->out + first, data, bytes, cudaMemcpyDeviceToHost, stream));
}

/* The pieces in turn over the streams. */
static enum rl_status launch_pieces(struct rl_suite_run *run, struct rl_err *err)
{
    const struct state *state = state_of(run);
    const uint64_t piece = (run->size + state->row->pieces - 1) / state->row->pieces;
    void *const own = run->stream;
    enum rl_status status = RL_OK;
    for (uint64_t first = 0, s = 0; first < run->size && status == RL_OK; first += piece, s = (s + 1) % state->row->streams) {
        run->stream = state->streams[s]; /* rl_enqueue notes kernels in `run`, and takes its stream */
        status = launch_piece(run, first, run->size - first < piece ? run->size - first : piece, err);
    }
    run->stream = own;
    return status;
}

/* The streams begin after what is on run->stream, and that goes on when they have ended. */
static enum rl_status launch_streams(struct rl_suite_run *run, struct rl_err *err)
{
    const struct state *state = state_of(run);
    const cudaStream_t own = (cudaStream_t)run->stream;
    RL_TRY(RL_CUDA(err, cudaEventRecord(state->begin, own)));
    for (unsigned s = 0; s < state->row->streams; s++)
        RL_TRY(RL_CUDA(err, cudaStreamWaitEvent(state->streams[s], state->begin, 0)));
    RL_TRY(launch_pieces(run, err));
    for (unsigned s = 0; s < state->row->streams; s++) {
        RL_TRY(RL_CUDA(err, cudaEventRecord(state->end[s], state->streams[s])));
        RL_TRY(RL_CUDA(err, cudaStreamWaitEvent(own, state->end[s], 0)));
    }
    return RL_OK;
}

static enum rl_status launch(struct rl_suite_run *run, struct rl_err *err)
{
    return state_of(run)->row->streams > 1 ? launch_streams(run, err) : launch_piece(run, 0, run->size, err);
}

/* A sequence of STEPS equals one multiplication and one addition, computed once in float64. */
struct affine {
    uint64_t seed;
    double factor, addend;
};

static double expected(const void *context, uint64_t index)
{
    const struct affine *affine = (const struct affine *)context;
    return affine->factor * (double)rl_input_unit(affine->seed, index) + affine->addend;
}

static struct affine steps_of(uint64_t seed)
{
    struct affine affine = {seed, 1, 0};
    for (int step = 0; step < STEPS; step++) {
        affine.factor *= (double)A;
        affine.addend = affine.addend * (double)A + (double)B;
    }
    return affine;
}

static enum rl_status verify(struct rl_suite_run *run, struct rl_suite_check *check, struct rl_err *err)
{
    const struct state *state = state_of(run);
    const struct affine affine = steps_of(run->seed);
    fill(run);
    RL_TRY(rl_poison(run, state->device, run->size * sizeof(float), err));
    RL_TRY(launch(run, err));
    RL_TRY(rl_device_wait(run->stream, err));
    if (run->fault == RL_FAULT_ELEMENT) /* the result is the host's, so rl_spoil cannot */
        state->out[run->size / 2] += 1;
    /* one rounding a step, of numbers below 1 */
    struct rl_comparison comparison = {};
    comparison.reference = {rl_each<expected>, &affine, STEPS * 0x1p-24};
    rl_compare(&comparison, state->out, 0, run->size);
    rl_comparison_finish(&comparison, check);
    return RL_OK;
}

RL_SUITE_OPS(stream_overlap, setup, launch, verify, teardown)

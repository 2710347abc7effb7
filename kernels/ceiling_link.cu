/* ceiling_link.cu - the link to the host: copies between page-locked memory and the device, by the copy engines. */
#include "ceiling.cuh"

#include <stdio.h>
#include <stdlib.h>

static const struct row {
    const char *kernel;
    int unroll;
    enum cudaMemcpyKind kind;
} rows[] = {
    {"to device", 0, cudaMemcpyHostToDevice},
    {"to host", 0, cudaMemcpyDeviceToHost},
};

/* Random words, the same ones in every stretch of 8 MiB: enough for a link that compresses nothing. */
static void fill_host(struct rl_bench_space *space)
{
    const uint64_t most = 8 << 20, stretch = space->card.host_bytes < most ? space->card.host_bytes : most;
    char *host = (char *)space->host;
    for (uint64_t i = 0; i < stretch / sizeof(uint64_t); i++)
        ((uint64_t *)space->host)[i] = rl_random_bits(space->seed, i);
    for (uint64_t at = stretch; at < space->card.host_bytes; at += stretch)
        memcpy(host + at, host, space->card.host_bytes - at < stretch ? space->card.host_bytes - at : stretch);
}

static enum rl_status need_host(struct rl_bench_space *space, struct rl_err *err)
{
    if (space->host)
        return RL_OK;
    RL_TRY(RL_CUDA(err, cudaMallocHost(&space->host, space->card.host_bytes)));
    fill_host(space);
    return RL_OK;
}

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t, bool, struct rl_err *err)
{
    const struct row *row = rl_bench_row(rows, c);
    const bool up = row && row->kind == cudaMemcpyHostToDevice;
    if (!row)
        return rl_bench_no_kernel(c, err);
    RL_TRY(need_host(space, err));
    return RL_CUDA(err, cudaMemcpyAsync(up ? space->c : space->host, up ? space->host : space->c, c->bytes, row->kind,
                                        (cudaStream_t)space->stream));
}

/* Compares every byte after the transfer; an ordinary copy has put the bytes there before, or fetches them after it. */
static enum rl_status check(struct rl_bench_space *space, const struct rl_bench_case *c, struct rl_suite_check *check,
                            struct rl_err *err)
{
    const struct row *row = rl_bench_row(rows, c);
    const bool up = row && row->kind == cudaMemcpyHostToDevice;
    RL_TRY(need_host(space, err));
    char *other = (char *)rl_calloc(1, c->bytes);
    for (uint64_t i = 0; i < c->bytes / sizeof(uint64_t) && !up; i++)
        ((uint64_t *)other)[i] = rl_random_bits(space->seed + 2, i);
    enum rl_status status = up ? RL_CUDA(err, cudaMemsetAsync(space->c, 0xff, c->bytes, (cudaStream_t)space->stream))
                               : RL_CUDA(err, cudaMemcpy(space->c, other, c->bytes, cudaMemcpyHostToDevice));
    RL_THEN(status, launch(space, c, 0, true, err));
    RL_THEN(status, rl_device_wait(space->stream, err));
    if (status == RL_OK && up)
        status = RL_CUDA(err, cudaMemcpy(other, space->c, c->bytes, cudaMemcpyDeviceToHost));
    check->correct = memcmp(other, space->host, c->bytes) == 0;
    snprintf(check->text, sizeof check->text, "%llu bytes arrived %s", (unsigned long long)c->bytes,
             check->correct ? "as sent" : "changed");
    free(other);
    return status;
}

RL_BENCH_OPS(link, launch, check)

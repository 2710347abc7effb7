/* ceiling_check.cu - what the families of micro-benchmarks call: marks, sums and verdicts. */
#include "ceiling.cuh"

#include <stdio.h>
#include <stdlib.h>

enum rl_status rl_bench_no_kernel(const struct rl_bench_case *c, struct rl_err *err)
{
    return rl_err_set(err, RL_FAILED, "the benchmarks have no kernel '%s' with unroll %d", c->configuration->kernel,
                      c->configuration->unroll);
}

enum rl_status rl_bench_clear(struct rl_bench_space *space, struct rl_err *err)
{
    return RL_CUDA(
        err, cudaMemsetAsync(space->results, 0, RL_BENCH_SLOTS * sizeof(struct rl_bench_result), (cudaStream_t)space->stream));
}

enum rl_status rl_bench_results(const struct rl_bench_space *space, size_t first, size_t count, struct rl_bench_result *results,
                                struct rl_err *err)
{
    RL_TRY(RL_CUDA(err, cudaMemcpyAsync(results, (struct rl_bench_result *)space->results + first, count * sizeof *results,
                                        cudaMemcpyDeviceToHost, (cudaStream_t)space->stream)));
    return rl_device_wait(space->stream, err);
}

struct rl_bench_mark rl_bench_mark_of(const struct rl_bench_space *space, size_t slot, bool checking)
{
    struct rl_bench_result *result = (struct rl_bench_result *)space->results + slot;
    if (checking)
        return {result, 0, 0};
    return {result, UINT32_MAX, 0x5bd1e995};
}

enum rl_status rl_bench_sum(struct rl_bench_space *space, const struct rl_bench_case *c,
                            enum rl_status (*launch)(struct rl_bench_space *, const struct rl_bench_case *, size_t, bool,
                                                     struct rl_err *),
                            uint64_t *sum, struct rl_err *err)
{
    struct rl_bench_result result = {};
    RL_TRY(rl_bench_clear(space, err));
    RL_TRY(launch(space, c, 0, true, err));
    RL_TRY(RL_CUDA(err, cudaGetLastError()));
    RL_TRY(rl_bench_results(space, 0, 1, &result, err));
    *sum = result.sum;
    return rl_bench_clear(space, err);
}

enum rl_status rl_bench_check_output(struct rl_bench_space *space, const struct rl_bench_case *c,
                                     enum rl_status (*launch)(struct rl_bench_space *, const struct rl_bench_case *, size_t, bool,
                                                              struct rl_err *),
                                     rl_bench_expected expected, struct rl_suite_check *check, struct rl_err *err)
{
    const uint64_t count = c->bytes / sizeof(uint4);
    uint64_t wrong = 0, sum = 0;
    uint4 *output = (uint4 *)rl_calloc(count, sizeof *output);
    enum rl_status status = RL_CUDA(err, cudaMemsetAsync(space->c, 0xff, c->bytes, (cudaStream_t)space->stream));
    RL_THEN(status, rl_bench_sum(space, c, launch, &sum, err));
    RL_THEN(status, RL_CUDA(err, cudaMemcpy(output, space->c, c->bytes, cudaMemcpyDeviceToHost)));
    for (uint64_t i = 0; i < count && status == RL_OK; i++) {
        const uint4 want = expected(space, i);
        wrong += memcmp(&want, &output[i], sizeof want) != 0;
    }
    free(output);
    check->correct = wrong == 0;
    snprintf(check->text, sizeof check->text, "%llu of %llu vectors are wrong", (unsigned long long)wrong,
             (unsigned long long)count);
    return status;
}

void rl_bench_verdict(struct rl_suite_check *check, const struct rl_bench_case *c, uint64_t sum, uint64_t expected, uint64_t bits)
{
    check->correct = ((sum ^ expected) & bits) == 0;
    snprintf(check->text, sizeof check->text, "%s: the results add up to %llx%s%llx", c->configuration->kernel,
             (unsigned long long)(sum & bits), check->correct ? ", the CPU's " : ", expected ",
             (unsigned long long)(expected & bits));
}

uint32_t rl_bench_word_of_a(const struct rl_bench_space *space, uint64_t i)
{
    const float value = rl_random_unit(space->seed, i);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint32_t rl_bench_sum_of_a(const struct rl_bench_space *space, uint64_t count)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += rl_bench_word_of_a(space, i);
    return sum;
}

/* session.c - what every step of the collecting process needs: its time, its phase, its warnings, its unfinished capture. */
#include "session.h"

#include <cuda_runtime_api.h>

#include "kernels/driver.h"

enum { SAVING_PART = 100 };

int64_t rl_elapsed_ns(const struct rl_collecting *s)
{
    assert(s->start_ns > 0);
    return rl_monotonic_ns() - s->start_ns;
}

enum rl_collect_phase rl_enter(struct rl_collecting *s, enum rl_collect_phase phase)
{
    const enum rl_collect_phase ended = s->phase;
    const int64_t now = rl_elapsed_ns(s);
    assert(phase < RL_PHASE_COUNT && now >= s->phase_ns);
    s->summary->phase_s[ended] += 1e-9 * (double)(now - s->phase_ns);
    s->phase = phase;
    s->phase_ns = now;
    return ended;
}

void rl_warn(struct rl_collecting *s, const char *format, ...)
{
    RL_SCRATCH text = RL_BUF_INIT;
    va_list args;
    va_start(args, format);
    rl_buf_vaddf(&text, format, args);
    va_end(args);
    rl_capture_log(s->capture, rl_elapsed_ns(s), RL_LOG_WARNING, "%s", text.data);
    s->summary->warnings++;
}

enum rl_status rl_save(struct rl_collecting *s, struct rl_err *err)
{
    assert(s->capture && s->path);
    const enum rl_collect_phase before = rl_enter(s, RL_PHASE_WRITING);
    const int64_t begin_ns = rl_elapsed_ns(s);
    enum rl_status status = rl_capture_write_growing(s->capture, s->path, err);
    s->saved_ns = rl_elapsed_ns(s);
    s->saving_ns = s->saved_ns - begin_ns;
    rl_enter(s, before);
    return status;
}

enum rl_status rl_save_at_times(struct rl_collecting *s, struct rl_err *err)
{
    const int64_t since_ns = rl_elapsed_ns(s) - s->saved_ns;
    return since_ns >= SAVING_PART * s->saving_ns ? rl_save(s, err) : RL_OK;
}

enum rl_status rl_current_context(CUcontext *context, struct rl_err *err)
{
    void *entry = rl_driver_function("cuCtxGetCurrent");
    if (!entry)
        return rl_err_set(err, RL_ABSENT, "the driver has no cuCtxGetCurrent");
    CUresult (*get)(CUcontext *);
    memcpy(&get, &entry, sizeof get);
    if (get(context) != CUDA_SUCCESS || !*context)
        return rl_err_set(err, RL_FAILED, "no CUDA context is current");
    return RL_OK;
}

int rl_device_cc(int device)
{
    int major = 0, minor = 0;
    const bool told = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
                      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess;
    return told ? 10 * major + minor : 0;
}

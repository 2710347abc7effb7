/* program_tracer.c - instructions that recording adds to the kernels of an observed program, for samples of its GPU
 * (program_parts.h, tracer.h).
 *
 * A child of the collecting process measures them on that GPU after the program has ended, so that nothing of ours runs together
 * with it. That takes up to 3 s (H200), once for a GPU, driver and CUPTI: the result is kept with the availability images. */
#include <poll.h>
#include <unistd.h>

#include "availability.h"
#include "program_parts.h"
#include "session.h"

enum { MOST_MS = 10000 }; /* that the child may take */

/* The child's message to its parent. */
struct reply {
    enum rl_status status;
    struct rl_tracer tracer;
    struct rl_err err; /* why there is none */
};

static enum rl_status measure(const uint8_t uuid[16], struct rl_tracer *tracer, struct rl_err *err)
{
    struct rl_range_profiler profiler = {0};
    CUcontext context = NULL;
    void *stream = NULL;
    size_t device = 0;
    enum rl_status status = rl_pm_find_device(uuid, &device, err);
    if (status == RL_OK)
        status = rl_device_open((int)device, &stream, NULL, err);
    const int cc = status == RL_OK ? rl_device_cc((int)device) : 0;
    rl_cupti_wish(cc, NULL);
    if (status == RL_OK)
        status = rl_cupti_open(NULL, err);
    if (status == RL_OK)
        status = rl_backend_choose(cc, NULL, err);
    if (status == RL_OK)
        status = rl_current_context(&context, err);
    if (status == RL_OK)
        status = rl_range_open(&profiler, context, (int)device, err);
    if (status == RL_OK)
        status = rl_tracer_measure(&profiler, stream, NULL, tracer, err);
    rl_range_close(&profiler);
    return status;
}

static void measure_in_child(void *context, int fd)
{
    struct reply reply = {.err = RL_ERR_INIT};
    reply.status = measure(context, &reply.tracer, &reply.err);
    const ssize_t written = write(fd, &reply, sizeof reply);
    (void)written; /* the parent sees what is missing */
}

static bool take_reply(int fd, struct reply *reply)
{
    size_t got = 0;
    const int64_t begin_ns = rl_monotonic_ns();
    while (got < sizeof *reply) {
        const int left_ms = MOST_MS - (int)(rl_seconds_since(begin_ns) * 1000);
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        ssize_t count = -1;
        if (left_ms > 0 && poll(&ready, 1, left_ms) > 0)
            count = read(fd, (char *)reply + got, sizeof *reply - got);
        if (count <= 0)
            return false;
        got += (size_t)count;
    }
    return reply->tracer.count <= RL_TRACER_MOST && memchr(reply->err.text, 0, sizeof reply->err.text);
}

static enum rl_status measure_apart(uint8_t uuid[16], struct rl_tracer *tracer, struct rl_err *err)
{
    struct rl_child child = RL_CHILD_NONE;
    struct reply reply = {0};
    enum rl_status status = rl_child_start(&child, SIGKILL, measure_in_child, uuid, err);
    if (status != RL_OK)
        return status;
    if (!take_reply(child.fd, &reply))
        status = rl_err_set(err, RL_FAILED, "the process that measures it gave no answer");
    else if (reply.status != RL_OK)
        status = rl_err_set(err, reply.status, "%s", reply.err.text);
    else
        *tracer = reply.tracer;
    close(child.fd);
    (void)kill(child.pid, SIGKILL);
    (void)rl_child_wait(child.pid, NULL);
    return status;
}

/* The GPU that was sampled, as the last process of the timed run on it describes it; `traced`: a launch on it was recorded with its
 * code instrumented. */
static const struct rl_stream_gpu *find_gpu(const struct program *p, bool *traced)
{
    const struct rl_stream_gpu *found = NULL;
    size_t count = 0;
    struct rl_stream *const *streams = rl_receiver_streams(p->receiver, &count);
    for (size_t s = 0; s < count; s++)
        for (size_t g = 0; g < RL_STREAM_MOST_GPUS && streams[s]->hello.run == 0; g++) {
            const struct rl_stream_gpu *gpu = &streams[s]->gpus[g];
            if (!gpu->known || memcmp(gpu->is.uuid, p->sampling.uuid, sizeof gpu->is.uuid) != 0)
                continue;
            found = gpu;
            for (size_t i = 0; i < gpu->launches.launch_count && !*traced; i++)
                *traced = rl_stream_launch_traced(&gpu->launches.launches[i]);
        }
    return found;
}

/* Takes the result of an earlier run; false: there is none. */
static bool take_kept(const char *name, struct rl_tracer *tracer)
{
    RL_SCRATCH kept = RL_BUF_INIT;
    bool good = rl_availability_read(name, &kept) && kept.len == sizeof *tracer;
    if (good)
        memcpy(tracer, kept.data, sizeof *tracer);
    good = good && tracer->count <= RL_TRACER_MOST;
    if (!good)
        *tracer = (struct rl_tracer){0};
    return good;
}

void rl_program_measure_tracer(struct program *p)
{
    bool traced = false;
    const struct rl_stream_gpu *gpu = p->sampling_begun && p->sampling.samples.count ? find_gpu(p, &traced) : NULL;
    struct rl_buf name = RL_BUF_INIT;
    if (!gpu || !traced || p->stop)
        return;
    /* The name of the file that keeps it. */
    RL_SCRATCH text = RL_BUF_INIT;
    rl_buf_addf(&text, "%s\n%s\n%s\n", gpu->chip ? gpu->chip : "", gpu->name ? gpu->name : "", gpu->cupti ? gpu->cupti : "");
    rl_buf_addf(&name, "tracer.%.16s", rl_sha256_of(text.data, text.len).hex);
    if (!take_kept(name.data, &p->tracer)) {
        rl_program_sample_settle(p);
        if (measure_apart(p->sampling.uuid, &p->tracer, &p->tracer_failure) == RL_OK)
            rl_availability_write(name.data, &p->tracer, sizeof p->tracer);
    }
    p->facts.tracer = &p->tracer;
    p->facts.tracer_failure = p->tracer_failure.text;
    rl_buf_release(&name);
}

/* sampling.c - the child that samples, and what it sends (sampling.h). */
#include "sampling.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static const double PATIENCE_S = 2;
enum { LARGEST_MESSAGE = 64 << 20, READ_BYTES = 1 << 16, MOST_SAMPLES = 4000000 };
/* Sampling and decoding take this part of a processor; and pauses are at least that part of the time since the first window, so
 * that windows go on to the end of a long run and their number grows with its logarithm. */
static const double WORK_PART = 0.4, PAUSE_PART = 0.01;
/* The first windows are shorter, because a program may end before a long one is decoded: a quarter of it, two, three. */
enum { FIRST_PARTS = 4 };

/* A message: a head, then its bytes. */
enum message { COUNTERS, OPENED, SAMPLES, FAILURE, END };
struct head {
    uint32_t message, bytes;
};
/* COUNTERS: followed by the positions of the counters, 32 bits each. */
struct said_counters {
    uint32_t count, by_clock;
};
/* SAMPLES: followed by the starts, the ends and the values of a window. */
struct said_samples {
    uint64_t windows, count, overflows, cut, cpu_ns;
};
/* FAILURE: followed by the sentence. */
struct said_failure {
    uint32_t status, length;
};

/* ---- the child ---- */

struct work {
    int tell[2]; /* the UUID comes over it; at its end the child is to end */
    uint64_t interval_ns;
    rl_sampling_opens open;
};

static bool send_all(int fd, const void *bytes, size_t len)
{
    for (size_t done = 0; done < len;) {
        const ssize_t n = write(fd, (const char *)bytes + done, len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false; /* no listener */
        done += (size_t)n;
    }
    return true;
}

static bool send_message(int fd, enum message message, struct rl_buf *body)
{
    const struct head head = {message, (uint32_t)body->len};
    const bool sent = send_all(fd, &head, sizeof head) && send_all(fd, body->data, body->len);
    rl_buf_release(body);
    return sent;
}

/* Releases them. */
static bool send_samples(int fd, struct rl_pm_samples *samples, size_t counters, uint64_t cpu_ns)
{
    struct rl_buf body = RL_BUF_INIT;
    const struct said_samples said = {samples->windows, samples->count, samples->overflows, samples->cut, cpu_ns};
    rl_buf_add(&body, &said, sizeof said);
    rl_buf_add(&body, samples->start_ns, samples->count * sizeof *samples->start_ns);
    rl_buf_add(&body, samples->end_ns, samples->count * sizeof *samples->end_ns);
    rl_buf_add(&body, samples->values, samples->count * counters * sizeof *samples->values);
    rl_pm_samples_release(samples);
    return send_message(fd, SAMPLES, &body);
}

/* Windows until the end is due, as many samples are sent as are kept, or the reader is gone. */
static enum rl_status sample(struct rl_pm_sampler *sampler, const struct work *of, int fd, struct rl_err *err)
{
    const int64_t begun_ns = rl_monotonic_ns();
    enum rl_status status = RL_OK;
    double pause_ns = 0;
    size_t sent = 0;
    struct rl_buf body = RL_BUF_INIT;
    const struct said_counters said = {(uint32_t)sampler->config.count, sampler->by_clock};
    rl_buf_add(&body, &said, sizeof said);
    for (size_t i = 0; i < sampler->config.count; i++) {
        const uint32_t counter = sampler->config.counter[i];
        rl_buf_add(&body, &counter, sizeof counter);
    }
    bool heard = send_message(fd, COUNTERS, &body);
    for (uint64_t n = 1; heard && sent < MOST_SAMPLES && !rl_pm_pause((uint64_t)pause_ns, of->tell[0]) && status == RL_OK; n++) {
        struct rl_pm_samples samples = {0};
        struct rl_buf nothing = RL_BUF_INIT;
        const uint64_t length = n < FIRST_PARTS ? sampler->window_samples / FIRST_PARTS * n : sampler->window_samples;
        const int64_t before_ns = rl_thread_cpu_ns();
        heard = send_message(fd, OPENED, &nothing);
        status = rl_pm_window(sampler, length, of->tell[0], &samples, err);
        const int64_t worked_ns = rl_thread_cpu_ns() - before_ns;
        sent += samples.count;
        heard = heard && send_samples(fd, &samples, sampler->config.count, (uint64_t)worked_ns);
        pause_ns = fmax((1 / WORK_PART - 1) * (double)worked_ns, PAUSE_PART * (double)(rl_monotonic_ns() - begun_ns));
    }
    return status;
}

static void work(void *context, int fd)
{
    const struct work *of = context;
    struct rl_pm_sampler sampler = {0};
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf nothing = RL_BUF_INIT;
    uint8_t uuid[16];
    close(of->tell[1]);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)of->open(&sampler, NULL, of->interval_ns, NULL); /* what fails now fails again */
    /* Waits until the GPU is given. */
    const int told = of->tell[0];
    ssize_t got;
    while ((got = recv(told, uuid, 16, 0)) < 0 && errno == EINTR)
        continue;
    if (got == 16) {
        enum rl_status status = of->open(&sampler, uuid, of->interval_ns, &err);
        if (status == RL_OK)
            status = sample(&sampler, of, fd, &err);
        if (status != RL_OK) {
            struct rl_buf body = RL_BUF_INIT;
            const struct said_failure said = {(uint32_t)status, (uint32_t)strlen(err.text)};
            rl_buf_add(&body, &said, sizeof said);
            rl_buf_adds(&body, err.text);
            (void)send_message(fd, FAILURE, &body);
        }
    }
    (void)send_message(fd, END, &nothing); /* only a process that wants the counters has to wait for what follows */
    rl_pm_close(&sampler);
}

/* ---- here ---- */

enum rl_status rl_sampling_start(struct rl_sampling *sampling, uint64_t interval_ns, rl_sampling_opens open, struct rl_err *err)
{
    assert(open && interval_ns > 0);
    *sampling = (struct rl_sampling){.child = RL_CHILD_NONE,
                                     .tell_fd = -1,
                                     .interval_ns = interval_ns,
                                     .most = MOST_SAMPLES,
                                     .failure = RL_ERR_INIT,
                                     .received = RL_BUF_INIT};
    struct work of = {.interval_ns = interval_ns, .open = open};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, of.tell) != 0)
        return rl_err_set(err, RL_FAILED, "cannot make a pair of sockets: %s", strerror(errno));
    const enum rl_status status = rl_child_start(&sampling->child, SIGKILL, work, &of, err);
    close(of.tell[0]);
    sampling->tell_fd = of.tell[1];
    return status;
}

void rl_sampling_tell(struct rl_sampling *sampling, const uint8_t uuid[16])
{
    assert(!sampling->told && uuid);
    memcpy(sampling->uuid, uuid, sizeof sampling->uuid);
    sampling->told = true;
    if (sampling->tell_fd >= 0)
        (void)send(sampling->tell_fd, uuid, sizeof sampling->uuid, MSG_NOSIGNAL); /* one that is gone is noticed at its end */
}

/* The first fault counts. */
static void fail(struct rl_sampling *sampling, enum rl_status status, const char *text)
{
    if (sampling->status == RL_OK)
        sampling->status = rl_err_set(&sampling->failure, status, "%s", text);
}

static bool take_counters(struct rl_sampling *sampling, const char *bytes, size_t len)
{
    struct said_counters said;
    if (len < sizeof said)
        return false;
    memcpy(&said, bytes, sizeof said);
    if (said.count == 0 || said.count > RL_PM_COUNTERS || len != sizeof said + said.count * sizeof(uint32_t))
        return false;
    for (uint32_t i = 0; i < said.count; i++) {
        uint32_t counter;
        memcpy(&counter, bytes + sizeof said + i * sizeof counter, sizeof counter);
        if (counter >= RL_PM_COUNTERS)
            return false;
        sampling->counters[i] = (enum rl_pm_counter)counter;
    }
    sampling->by_clock = said.by_clock;
    sampling->counter_count = said.count;
    return true;
}

static bool take_opened(struct rl_sampling *sampling, const char *bytes, size_t len)
{
    (void)bytes;
    sampling->opened++;
    return len == 0;
}

static bool take_samples(struct rl_sampling *sampling, const char *bytes, size_t len)
{
    struct said_samples said;
    struct rl_pm_samples *to = &sampling->samples;
    const size_t counters = sampling->counter_count, row = 2 * sizeof(uint64_t) + counters * sizeof(double);
    if (len < sizeof said || counters == 0)
        return false;
    memcpy(&said, bytes, sizeof said);
    if (said.count > len / row || len != sizeof said + said.count * row)
        return false;
    sampling->cpu_ns += said.cpu_ns;
    to->windows += said.windows;
    to->overflows += said.overflows;
    to->cut += said.cut;
    if (said.count == 0)
        return true;
    if (to->count + said.count > sampling->most) {
        sampling->dropped += said.count;
        return true;
    }
    RL_GROW(to->start_ns, to->count + said.count, to->start_cap);
    RL_GROW(to->end_ns, to->count + said.count, to->end_cap);
    RL_GROW(to->values, (to->count + said.count) * counters, to->value_cap);
    const char *at = bytes + sizeof said;
    memcpy(&to->start_ns[to->count], at, said.count * sizeof(uint64_t));
    memcpy(&to->end_ns[to->count], at + said.count * sizeof(uint64_t), said.count * sizeof(uint64_t));
    memcpy(&to->values[to->count * counters], at + 2 * said.count * sizeof(uint64_t), said.count * counters * sizeof(double));
    to->count += said.count;
    return true;
}

static bool take_failure(struct rl_sampling *sampling, const char *bytes, size_t len)
{
    struct said_failure said;
    if (len < sizeof said)
        return false;
    memcpy(&said, bytes, sizeof said);
    if (said.length != len - sizeof said || said.status == RL_OK)
        return false;
    RL_FREED char *text = rl_strndup(bytes + sizeof said, said.length);
    fail(sampling, (enum rl_status)said.status, text);
    return true;
}

static bool take_end(struct rl_sampling *sampling, const char *bytes, size_t len)
{
    (void)bytes;
    sampling->ended = true;
    return len == 0;
}

/* Reads once; false at the end, or when there is nothing at the moment. */
static bool read_some(struct rl_sampling *sampling)
{
    char bytes[READ_BYTES];
    struct pollfd said = {.fd = sampling->child.fd, .events = POLLIN};
    const int there = poll(&said, 1, 0);
    if (there <= 0)
        return there < 0 && errno == EINTR;
    const ssize_t got = read(sampling->child.fd, bytes, sizeof bytes);
    sampling->silent = got == 0;
    if (got <= 0)
        return got < 0 && errno == EINTR;
    sampling->heard_ns = rl_monotonic_ns();
    rl_buf_add(&sampling->received, bytes, (size_t)got);
    /* Takes the whole messages among what was received. */
    static bool (*const takes[])(struct rl_sampling *, const char *, size_t) = {
        [COUNTERS] = take_counters, [OPENED] = take_opened, [SAMPLES] = take_samples, [FAILURE] = take_failure, [END] = take_end};
    struct rl_buf *received = &sampling->received;
    size_t at = 0;
    while (received->len - at >= sizeof(struct head)) {
        struct head head;
        memcpy(&head, received->data + at, sizeof head);
        if (head.message > END || head.bytes > LARGEST_MESSAGE) {
            fail(sampling, RL_FORMAT, "the sampling process sent something that cannot be read");
            at = received->len;
            break;
        }
        if (received->len - at - sizeof head < head.bytes)
            break;
        if (!takes[head.message](sampling, received->data + at + sizeof head, head.bytes))
            fail(sampling, RL_FORMAT, "the sampling process sent something that cannot be read");
        at += sizeof head + head.bytes;
    }
    memmove(received->data, received->data + at, received->len - at);
    rl_buf_truncate(received, received->len - at);
    return true;
}

void rl_sampling_take(struct rl_sampling *sampling)
{
    while (sampling->child.fd >= 0 && read_some(sampling))
        continue;
}

bool rl_sampling_is_stretched(const struct rl_sampling *sampling, size_t sample)
{
    enum { STRETCHED = 4 };
    const struct rl_pm_samples *samples = &sampling->samples;
    assert(sample < samples->count);
    return samples->end_ns[sample] - samples->start_ns[sample] > STRETCHED * sampling->interval_ns;
}

void rl_sampling_ask(struct rl_sampling *sampling)
{
    if (sampling->tell_fd < 0)
        return;
    close(sampling->tell_fd);
    sampling->tell_fd = -1;
    sampling->asked_ns = rl_monotonic_ns();
}

bool rl_sampling_is_over(const struct rl_sampling *sampling)
{
    return sampling->silent || sampling->child.pid <= 0 ||
           (sampling->asked_ns && rl_seconds_since(sampling->asked_ns) >= PATIENCE_S);
}

/* The process is gone, or about to be: waits for it. */
static void reap(struct rl_sampling *sampling)
{
    int how = 0;
    (void)rl_child_wait(sampling->child.pid, &how);
    sampling->child.pid = 0;
    if (sampling->ended)
        return;
    RL_SCRATCH text = RL_BUF_INIT;
    if (WIFSIGNALED(how))
        rl_buf_addf(&text, "the sampling process was ended by signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
    else
        rl_buf_addf(&text, "the sampling process ended early, with status %d", WEXITSTATUS(how));
    fail(sampling, RL_FAILED, text.data);
}

/* Takes what comes until `done`, or the child is gone, or the time is over: false. */
static bool take_until(struct rl_sampling *sampling, const bool *done, double seconds)
{
    const int64_t begun_ns = rl_monotonic_ns();
    struct pollfd looks = {.fd = sampling->child.fd, .events = POLLIN};
    rl_sampling_take(sampling);
    while (!*done && !sampling->silent) {
        const double left_s = seconds - rl_seconds_since(begun_ns);
        if (left_s <= 0)
            return false;
        (void)poll(&looks, 1, (int)(1e3 * left_s) + 1);
        rl_sampling_take(sampling);
    }
    return true;
}

void rl_sampling_stop(struct rl_sampling *sampling)
{
    const bool hangs = sampling->asked_ns && rl_seconds_since(sampling->asked_ns) >= PATIENCE_S;
    rl_sampling_ask(sampling);
    if (sampling->child.pid <= 0)
        return;
    rl_sampling_take(sampling);
    const bool works = sampling->told && sampling->counter_count && !hangs;
    if (!sampling->ended && !sampling->silent && !(works && take_until(sampling, &sampling->ended, RL_SAMPLING_END_S))) {
        /* It has said nothing of its last window, or of its first: a program may end while that is decoded. */
        assert(!sampling->ended);
        static const double DECODING_S = 2.5; /* decoding a window takes 0.2 s (H200), more on a busy machine */
        const bool silent = sampling->opened && !sampling->samples.windows && rl_seconds_since(sampling->heard_ns) > DECODING_S;
        if (sampling->told && (hangs || silent))
            fail(sampling, RL_TIMEOUT, "the sampling process did not end and was killed");
        else if (sampling->told && !sampling->samples.windows)
            fail(sampling, RL_ABSENT, "the program had ended before its GPU could be sampled");
        /* Ends a child that is not waited for; how it is gone says nothing then. */
        kill(sampling->child.pid, SIGKILL);
        sampling->ended = true;
    }
    if (!sampling->ended)
        reap(sampling);
    sampling->undecoded = sampling->opened > sampling->samples.windows ? sampling->opened - sampling->samples.windows : 0;
}

void rl_sampling_settle(struct rl_sampling *sampling)
{
    rl_sampling_stop(sampling);
    if (sampling->child.pid <= 0)
        return;
    if (!take_until(sampling, &sampling->silent, PATIENCE_S))
        kill(sampling->child.pid, SIGKILL);
    reap(sampling);
}

void rl_sampling_release(struct rl_sampling *sampling)
{
    rl_sampling_stop(sampling);
    if (sampling->child.pid > 0)
        (void)rl_child_ended(sampling->child.pid, NULL); /* one that still ends does not matter */
    if (sampling->child.fd >= 0)
        close(sampling->child.fd);
    sampling->child = (struct rl_child)RL_CHILD_NONE;
    rl_pm_samples_release(&sampling->samples);
    rl_buf_release(&sampling->received);
}

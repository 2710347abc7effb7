/* sampling.c - the child that samples, and what it sends (sampling.h). */
#include "sampling.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/mem.h"
#include "pm_device.h"

/* Pauses are at least this part of the time that sampling has gone on: the number of windows grows with the logarithm of time. */
static const double PAUSE_PART = 0.01;
static const double PATIENCE_S = 2;
enum { LARGEST_MESSAGE = 64 << 20, READ_BYTES = 1 << 16, MOST_SAMPLES = 4000000 };

/* What is sent: a head, then its bytes. */
enum message { COUNTERS, WINDOW, FAILURE, END };
struct head {
    uint32_t message, bytes;
};
/* COUNTERS: followed by the positions of the counters, 32 bits each. */
struct said_counters {
    uint32_t count, by_clock;
};
/* WINDOW: followed by the starts, the ends and the values of its samples. */
struct said_window {
    uint64_t count, overflows, cpu_ns;
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
            return false; /* nobody listens */
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

static bool send_counters(int fd, const struct rl_pm_sampler *sampler)
{
    struct rl_buf body = RL_BUF_INIT;
    const struct said_counters said = {(uint32_t)sampler->config.count, sampler->by_clock};
    rl_buf_add(&body, &said, sizeof said);
    for (size_t i = 0; i < sampler->config.count; i++) {
        const uint32_t counter = sampler->config.counter[i];
        rl_buf_add(&body, &counter, sizeof counter);
    }
    return send_message(fd, COUNTERS, &body);
}

static bool send_window(int fd, const struct rl_pm_samples *samples, size_t counters, uint64_t cpu_ns)
{
    struct rl_buf body = RL_BUF_INIT;
    const struct said_window said = {samples->count, samples->overflows, cpu_ns};
    rl_buf_add(&body, &said, sizeof said);
    rl_buf_add(&body, samples->start_ns, samples->count * sizeof *samples->start_ns);
    rl_buf_add(&body, samples->end_ns, samples->count * sizeof *samples->end_ns);
    rl_buf_add(&body, samples->values, samples->count * counters * sizeof *samples->values);
    return send_message(fd, WINDOW, &body);
}

static void send_failure(int fd, enum rl_status status, const struct rl_err *err)
{
    struct rl_buf body = RL_BUF_INIT;
    const struct said_failure said = {(uint32_t)status, (uint32_t)strlen(err->text)};
    rl_buf_add(&body, &said, sizeof said);
    rl_buf_adds(&body, err->text);
    (void)send_message(fd, FAILURE, &body);
}

/* Whether the end is due, within the time. */
static bool is_over_within(int stop, uint64_t ns)
{
    struct pollfd looks = {.fd = stop, .events = POLLIN};
    return poll(&looks, 1, (int)(ns / 1000000)) > 0;
}

static enum rl_status sample(struct rl_pm_sampler *sampler, int stop, int fd, struct rl_err *err)
{
    const int64_t begun_ns = rl_monotonic_ns();
    uint64_t pause_ns = 0;
    enum rl_status status = RL_OK;
    bool heard = send_counters(fd, sampler);
    while (status == RL_OK && heard && !is_over_within(stop, pause_ns)) {
        struct rl_pm_samples samples = {0};
        uint64_t worked_ns = 0;
        const int64_t window_ns = rl_monotonic_ns();
        status = rl_pm_window(sampler, &samples, &worked_ns, err);
        heard = send_window(fd, &samples, sampler->config.count, worked_ns);
        rl_pm_samples_release(&samples);
        const uint64_t least_ns = (uint64_t)(PAUSE_PART * (double)(rl_monotonic_ns() - begun_ns));
        pause_ns = rl_pm_pause_ns(worked_ns, (uint64_t)(rl_monotonic_ns() - window_ns));
        pause_ns = pause_ns > least_ns ? pause_ns : least_ns;
    }
    return status;
}

/* Waits until the GPU is told; false: it never was. */
static bool hear_device(int told, uint8_t uuid[16])
{
    ssize_t got;
    while ((got = recv(told, uuid, 16, 0)) < 0 && errno == EINTR)
        continue;
    return got == 16;
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
    if (hear_device(of->tell[0], uuid)) {
        enum rl_status status = of->open(&sampler, uuid, of->interval_ns, &err);
        if (status == RL_OK)
            status = sample(&sampler, of->tell[0], fd, &err);
        if (status != RL_OK)
            send_failure(fd, status, &err);
    }
    rl_pm_close(&sampler);
    (void)send_message(fd, END, &nothing);
}

enum rl_status rl_sampling_open(struct rl_pm_sampler *sampler, const uint8_t uuid[16], uint64_t interval_ns, struct rl_err *err)
{
    size_t device = 0;
    if (!uuid)
        return rl_pm_prepare(sampler, device, interval_ns, err);
    enum rl_status status = rl_pm_find_device(uuid, &device, err);
    if (status == RL_OK && !(sampler->config.image && sampler->device == device)) {
        rl_pm_close(sampler);
        status = rl_pm_prepare(sampler, device, interval_ns, err);
    }
    return status == RL_OK ? rl_pm_enable(sampler, err) : status;
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
    if (status == RL_OK)
        (void)fcntl(sampling->child.fd, F_SETFL, O_NONBLOCK);
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

static bool take_window(struct rl_sampling *sampling, const char *bytes, size_t len)
{
    struct said_window said;
    struct rl_pm_samples *to = &sampling->samples;
    const size_t counters = sampling->counter_count, row = 2 * sizeof(uint64_t) + counters * sizeof(double);
    if (len < sizeof said || counters == 0)
        return false;
    memcpy(&said, bytes, sizeof said);
    if (said.count > len / row || len != sizeof said + said.count * row)
        return false;
    sampling->cpu_ns += said.cpu_ns;
    to->windows++;
    to->overflows += said.overflows;
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
    char *text = rl_strndup(bytes + sizeof said, said.length);
    fail(sampling, (enum rl_status)said.status, text);
    free(text);
    return true;
}

static bool take_end(struct rl_sampling *sampling, const char *bytes, size_t len)
{
    (void)bytes;
    sampling->ended = true;
    return len == 0;
}

/* Takes the whole messages among what was received. */
static void take_messages(struct rl_sampling *sampling)
{
    static bool (*const takes[])(struct rl_sampling *, const char *, size_t) = {
        [COUNTERS] = take_counters, [WINDOW] = take_window, [FAILURE] = take_failure, [END] = take_end};
    struct rl_buf *received = &sampling->received;
    size_t at = 0;
    while (received->len - at >= sizeof(struct head)) {
        struct head head;
        memcpy(&head, received->data + at, sizeof head);
        if (head.message > END || head.bytes > LARGEST_MESSAGE) {
            fail(sampling, RL_FORMAT, "the sampling process sends what cannot be understood");
            at = received->len;
            break;
        }
        if (received->len - at - sizeof head < head.bytes)
            break;
        if (!takes[head.message](sampling, received->data + at + sizeof head, head.bytes))
            fail(sampling, RL_FORMAT, "the sampling process sends what cannot be understood");
        at += sizeof head + head.bytes;
    }
    memmove(received->data, received->data + at, received->len - at);
    rl_buf_truncate(received, received->len - at);
}

/* Reads once; false at the end, or when there is nothing at the moment. */
static bool read_some(struct rl_sampling *sampling)
{
    char bytes[READ_BYTES];
    const ssize_t got = read(sampling->child.fd, bytes, sizeof bytes);
    sampling->silent = got == 0;
    if (got <= 0)
        return got < 0 && errno == EINTR;
    rl_buf_add(&sampling->received, bytes, (size_t)got);
    take_messages(sampling);
    return true;
}

void rl_sampling_take(struct rl_sampling *sampling)
{
    while (sampling->child.fd >= 0 && read_some(sampling))
        continue;
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

static void reap(struct rl_sampling *sampling, bool killed)
{
    int how = 0;
    (void)rl_child_wait(sampling->child.pid, &how);
    sampling->child.pid = 0;
    if (killed) {
        fail(sampling, RL_TIMEOUT, "the sampling process did not end and was killed");
    } else if (!sampling->ended) {
        struct rl_buf text = RL_BUF_INIT;
        if (WIFSIGNALED(how))
            rl_buf_addf(&text, "the sampling process was ended by signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
        else
            rl_buf_addf(&text, "the sampling process ended early, with status %d", WEXITSTATUS(how));
        fail(sampling, RL_FAILED, text.data);
        rl_buf_release(&text);
    }
}

void rl_sampling_stop(struct rl_sampling *sampling)
{
    rl_sampling_ask(sampling);
    if (sampling->child.pid <= 0)
        return;
    bool killed = false;
    if (!sampling->told) { /* it does nothing that anybody waits for */
        kill(sampling->child.pid, SIGKILL);
        sampling->ended = true;
    }
    struct pollfd looks = {.fd = sampling->child.fd, .events = POLLIN};
    for (bool open = !sampling->silent; open && !killed;) {
        const double left_s = PATIENCE_S - rl_seconds_since(sampling->asked_ns);
        const int ready = left_s > 0 ? poll(&looks, 1, (int)(1e3 * left_s) + 1) : 0;
        rl_sampling_take(sampling);
        open = !(looks.revents & (POLLHUP | POLLERR | POLLNVAL));
        killed = ready == 0;
        if (killed)
            kill(sampling->child.pid, SIGKILL);
    }
    rl_sampling_take(sampling);
    reap(sampling, killed);
}

void rl_sampling_release(struct rl_sampling *sampling)
{
    rl_sampling_stop(sampling);
    if (sampling->child.fd >= 0)
        close(sampling->child.fd);
    sampling->child.fd = -1;
    rl_pm_samples_release(&sampling->samples);
    rl_buf_release(&sampling->received);
}

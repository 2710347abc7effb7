/* The parts of descendants.h with events, records and nodes that are made up: numbers used again, limits, damage, losses. */
#include "rl_test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/fs.h"
#include "core/mem.h"
#include "descendants_parts.h"

enum { MAIN = 100 };

static int64_t now; /* of the next event */

static void tell(struct rl_kin *kin, enum rl_event_kind kind, uint32_t pid, uint32_t other, enum rl_object object)
{
    const struct rl_event event = {.time_ns = ++now, .kind = kind, .pid = pid, .other = other, .object = object, .name = "name"};
    rl_kin_take(kin, &event);
}

static void start(struct rl_kin *kin, bool inherited)
{
    now = 0;
    rl_kin_init(kin);
    kin->inherited = inherited;
    assert_non_null(rl_descendant_add(kin, MAIN, 1, 0));
}

static void files_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum rl_object object;
    } rows[] = {{"/usr/lib/libcuda.so.1", RL_OBJECT_DRIVER},
                {"/usr/lib/libcuda.so.580.159.04", RL_OBJECT_DRIVER},
                {"/opt/libcuda.so (deleted)", RL_OBJECT_DRIVER},
                {"/lib/librooflight-inject.so", RL_OBJECT_PART},
                {"/lib/libcudart.so.13", RL_OBJECT_OTHER},
                {"/lib/notlibcuda.so.1", RL_OBJECT_OTHER},
                {"/libcuda.so.1/other", RL_OBJECT_OTHER},
                {"[vdso]", RL_OBJECT_OTHER},
                {"//anon", RL_OBJECT_OTHER},
                {"", RL_OBJECT_OTHER}};
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_int_equal(rl_object_of(rows[i].path), rows[i].object);
}

static void a_number_used_again_is_another_process(void **state)
{
    (void)state;
    struct rl_kin kin;
    start(&kin, false);
    tell(&kin, RL_EVENT_FORK, 7, MAIN, 0);
    tell(&kin, RL_EVENT_MAP, 7, 0, RL_OBJECT_DRIVER);
    tell(&kin, RL_EVENT_EXIT, 7, 7, 0);
    tell(&kin, RL_EVENT_FORK, 7, MAIN, 0);
    tell(&kin, RL_EVENT_EXIT, 7, 7, 0);
    rl_kin_settle(&kin);
    assert_int_equal(kin.sum.gaps, 0);
    assert_int_equal(kin.sum.processes, 3);
    assert_int_equal(kin.known[1].driver, RL_LOADED_YES);
    assert_int_equal(kin.known[1].ended_ns, 3);
    assert_int_equal(kin.known[2].driver, RL_LOADED_NO);
    assert_int_equal(kin.known[2].started_ns, 4);
    assert_int_equal(kin.live_count, 1);
    rl_kin_release(&kin);
}

static void an_end_leaves_the_others_alone(void **state)
{
    (void)state;
    struct rl_kin kin;
    start(&kin, false);
    tell(&kin, RL_EVENT_FORK, 7, MAIN, 0);
    tell(&kin, RL_EVENT_FORK, 8, MAIN, 0);
    tell(&kin, RL_EVENT_FORK, 9, MAIN, 0);
    rl_kin_find(&kin, 9)->scanned = rl_kin_find(&kin, 9)->looks = 5;
    tell(&kin, RL_EVENT_EXIT, 7, 7, 0);
    tell(&kin, RL_EVENT_FORK, 10, MAIN, 0);
    tell(&kin, RL_EVENT_MAP, 8, 0, RL_OBJECT_DRIVER);
    tell(&kin, RL_EVENT_EXEC, 9, 0, 0);
    assert_int_equal(kin.known[2].driver, RL_LOADED_YES);
    assert_int_equal(kin.known[3].execs, 1);
    assert_int_equal(rl_kin_find(&kin, 9)->scanned + rl_kin_find(&kin, 9)->looks, 0); /* another program: looked at anew */
    tell(&kin, RL_EVENT_MAP, 9, 0, RL_OBJECT_OTHER);
    tell(&kin, RL_EVENT_EXIT, 9, 9, 0);
    tell(&kin, RL_EVENT_EXIT, MAIN, MAIN, 0);
    tell(&kin, RL_EVENT_EXIT, 10, 10, 0);
    tell(&kin, RL_EVENT_EXIT, 8, 8, 0);
    assert_int_equal(kin.live_count, 0);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(kin.known[i].ended, RL_FACT_YES);
    rl_kin_release(&kin);
}

/* What the kernel would not say. */
static void records_that_do_not_fit(void **state)
{
    (void)state;
    struct rl_kin kin;
    start(&kin, false);
    tell(&kin, RL_EVENT_FORK, 7, MAIN, 0);
    tell(&kin, RL_EVENT_FORK, 7, MAIN, 0); /* its end was not told */
    assert_int_equal(kin.sum.gaps, 1u << RL_GAP_UNRELATED);
    assert_int_equal(kin.known[1].ended, RL_FACT_YES);
    assert_int_equal(kin.known[1].ended_ns, 0);
    tell(&kin, RL_EVENT_FORK, 0, MAIN, 0);
    tell(&kin, RL_EVENT_FORK, RL_PID_LIMIT, MAIN, 0);
    tell(&kin, RL_EVENT_EXEC, UINT32_MAX, 0, 0);
    assert_int_equal(kin.sum.gaps, 1u << RL_GAP_UNRELATED | 1u << RL_GAP_DAMAGED);
    assert_int_equal(kin.sum.processes, 3);
    tell(&kin, RL_EVENT_FORK, MAIN, MAIN, 0); /* its own parent */
    assert_int_equal(kin.live_count, 2);
    rl_kin_release(&kin);
}

static void strangers(void **state)
{
    (void)state;
    struct rl_kin kin;
    for (int inherited = 0; inherited < 2; inherited++) {
        start(&kin, inherited);
        tell(&kin, RL_EVENT_FORK, 8, 7, 0);
        tell(&kin, RL_EVENT_EXEC, 9, 9, 0);
        tell(&kin, RL_EVENT_MAP, 8, 8, RL_OBJECT_DRIVER);
        tell(&kin, RL_EVENT_EXIT, 10, 10, 0);
        assert_int_equal(kin.sum.processes, inherited ? 3 : 1);
        assert_int_equal(kin.sum.gaps, inherited ? 1u << RL_GAP_UNRELATED : 0);
        assert_int_equal(kin.sum.loaded, inherited);
        rl_kin_release(&kin);
    }
}

/* Between its name and its first mapping the kernel says that it ended. */
static void a_private_program(void **state)
{
    (void)state;
    struct rl_kin kin;
    for (int inherited = 0; inherited < 2; inherited++) {
        start(&kin, inherited);
        tell(&kin, RL_EVENT_FORK, 7, MAIN, 0);
        tell(&kin, RL_EVENT_EXEC, 7, 7, 0);
        tell(&kin, RL_EVENT_EXIT, 7, 7, 0);
        assert_int_equal(kin.live_count, 2);
        assert_int_equal(kin.sum.gaps, inherited ? 1u << RL_GAP_PRIVILEGED : 0);
        tell(&kin, RL_EVENT_MAP, 7, 7, RL_OBJECT_OTHER);
        tell(&kin, RL_EVENT_EXIT, 7, 7, 0);
        assert_int_equal(kin.live_count, 1);
        assert_int_equal(kin.known[1].ended, RL_FACT_YES);
        rl_kin_release(&kin);
    }
}

/* Out of sight, and its number is used again: nothing odd about that. */
static void a_private_program_that_went(void **state)
{
    (void)state;
    struct rl_kin kin;
    start(&kin, true);
    tell(&kin, RL_EVENT_FORK, RL_PID_LIMIT - 1, MAIN, 0);
    tell(&kin, RL_EVENT_EXEC, RL_PID_LIMIT - 1, 0, 0);
    tell(&kin, RL_EVENT_EXIT, RL_PID_LIMIT - 1, RL_PID_LIMIT - 1, 0);
    tell(&kin, RL_EVENT_FORK, RL_PID_LIMIT - 1, MAIN, 0);
    assert_int_equal(kin.sum.gaps, 1u << RL_GAP_PRIVILEGED);
    tell(&kin, RL_EVENT_EXEC, RL_PID_LIMIT - 1, 0, 0);
    tell(&kin, RL_EVENT_EXIT, RL_PID_LIMIT - 1, RL_PID_LIMIT - 1, 0);
    rl_kin_settle(&kin);
    assert_int_equal(kin.known[2].ended, RL_FACT_YES); /* no such process is there */
    rl_kin_release(&kin);
}

static void a_fork_has_its_parents_mappings(void **state)
{
    (void)state;
    struct rl_kin kin;
    start(&kin, false);
    tell(&kin, RL_EVENT_MAP, MAIN, 0, RL_OBJECT_DRIVER);
    tell(&kin, RL_EVENT_FORK, 7, MAIN, 0);
    tell(&kin, RL_EVENT_MAP, MAIN, 0, RL_OBJECT_PART);
    tell(&kin, RL_EVENT_FORK, 8, MAIN, 0);
    tell(&kin, RL_EVENT_EXEC, 8, 8, 0);
    rl_kin_held(&kin, rl_kin_find(&kin, 7)); /* CUDA begun after the fork, past our part */
    kin.sum.nodes = RL_NODES_OPENED;
    rl_kin_settle(&kin);
    assert_int_equal(kin.sum.loaded, 1);
    assert_int_equal(kin.sum.unobserved, 1);
    assert_int_equal(kin.known[0].unobserved, RL_FACT_NO);
    assert_int_equal(kin.known[1].driver, RL_LOADED_INHERITED);
    assert_int_equal(kin.known[1].part, RL_FACT_NO);
    assert_int_equal(kin.known[1].unobserved, RL_FACT_YES);
    assert_int_equal(kin.known[2].driver, RL_LOADED_INHERITED); /* before its exec */
    assert_int_equal(kin.known[2].part, RL_FACT_YES);
    assert_int_equal(rl_kin_find(&kin, 8)->driver, RL_LOADED_NO);
    rl_kin_release(&kin);
}

/* With gaps, what was not seen is not known. */
static void gaps_make_no_into_unknown(void **state)
{
    (void)state;
    struct rl_kin kin;
    start(&kin, false);
    rl_kin_gap(&kin, RL_GAP_LOST);
    kin.sum.nodes = RL_NODES_OPENED;
    rl_kin_settle(&kin);
    assert_int_equal(kin.known[0].driver, RL_LOADED_UNKNOWN);
    assert_int_equal(kin.known[0].part, RL_FACT_UNKNOWN);
    assert_int_equal(kin.known[0].device, RL_FACT_UNKNOWN);
    assert_int_equal(kin.known[0].unobserved, RL_FACT_UNKNOWN);
    rl_kin_release(&kin);
}

static void memory_is_bounded_and_sums_are_exact(void **state)
{
    (void)state;
    enum { MANY = 80000, LOADING = 5000 };
    struct rl_kin kin;
    start(&kin, false);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t pid = 1000 + i % 30000;
        tell(&kin, RL_EVENT_FORK, pid, MAIN, 0);
        tell(&kin, RL_EVENT_THREAD, pid, 0, 0);
        if (i >= MANY - LOADING)
            tell(&kin, RL_EVENT_EXEC, pid, 0, 0);
        if (i >= MANY - LOADING)
            tell(&kin, RL_EVENT_MAP, pid, 0, RL_OBJECT_DRIVER);
        tell(&kin, RL_EVENT_EXIT, pid, 1, 0);
        tell(&kin, RL_EVENT_EXIT, pid, pid, 0);
    }
    assert_int_equal(kin.sum.processes, 1 + MANY);
    assert_int_equal(kin.sum.threads, MANY);
    assert_int_equal(kin.sum.loaded, LOADING);
    assert_int_equal(kin.sum.unobserved, LOADING);
    assert_int_equal(kin.sum.gaps, 0);
    assert_int_equal(kin.known_count, RL_MOST_DESCENDANTS);
    assert_int_equal(kin.known[RL_MOST_DESCENDANTS - RL_RESERVED_DESCENDANTS - 1].driver, RL_LOADED_UNKNOWN);
    for (size_t i = RL_MOST_DESCENDANTS - RL_RESERVED_DESCENDANTS; i < kin.known_count; i++) {
        assert_int_equal(kin.known[i].driver, RL_LOADED_YES);
        assert_string_equal(kin.known[i].commands[0], "name");
    }
    assert_int_equal(kin.live_count, 1);
    assert_true(kin.live_cap < 100);
    rl_kin_release(&kin);
}

/* ---- records ---- */

enum { SIZE = 16384 };

struct made_ring {
    struct rl_rings rings;
    unsigned char *data;
    struct perf_event_mmap_page *page;
};

static void make_ring(struct made_ring *made, uint64_t from)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    made->rings = (struct rl_rings){.size = SIZE, .count = 1, .cap = 1, .ring = rl_calloc(1, sizeof(struct rl_ring))};
    void *map = mmap(NULL, page + SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(map, MAP_FAILED);
    made->rings.ring[0] = (struct rl_ring){.fd = open("/dev/null", O_RDONLY | O_CLOEXEC), .map = map};
    made->page = map;
    made->data = (unsigned char *)map + page;
    made->page->data_head = made->page->data_tail = from;
}

static void put(struct made_ring *made, const void *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        made->data[made->page->data_head++ % SIZE] = ((const unsigned char *)bytes)[i];
}

/* A record with its head, the time at its end, and a size that may be a lie. */
static void put_record(struct made_ring *made, uint32_t type, uint16_t misc, const void *body, size_t len, uint16_t size)
{
    struct perf_event_header header = {.type = type, .misc = misc, .size = size ? size : (uint16_t)(sizeof header + len + 8)};
    uint64_t time = (uint64_t)++now;
    put(made, &header, sizeof header);
    put(made, body, len);
    put(made, &time, sizeof time);
}

static void put_fork(struct made_ring *made, uint32_t type, uint32_t pid, uint32_t ppid)
{
    const uint32_t body[6] = {pid, ppid, pid, ppid};
    put_record(made, type, 0, body, sizeof body, 0);
}

static void take(struct made_ring *made, struct rl_kin *kin)
{
    rl_rings_take(&made->rings, kin, INT64_MAX);
    assert_int_equal(made->page->data_head, made->page->data_tail);
}

static void records_across_the_end_of_a_ring(void **state)
{
    (void)state;
    struct rl_kin kin;
    for (uint64_t from = 10 * SIZE - 120; from <= 10 * SIZE; from++) {
        struct made_ring made;
        static const char name[24] = "\1\0\0\0\1\0\0\0\x1b[31m\xff name";
        start(&kin, false);
        make_ring(&made, from);
        put_fork(&made, PERF_RECORD_FORK, 7, MAIN);
        struct {
            uint32_t pid, tid;
            char name[16];
        } comm = {7, 7, "\x1b[31m\xff name"};
        put_record(&made, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, &comm, sizeof comm, 0);
        put_record(&made, PERF_RECORD_COMM, 0, name, sizeof name, 0); /* only a new name */
        put_fork(&made, PERF_RECORD_FORK, 8, 7);
        put_fork(&made, PERF_RECORD_EXIT, 8, 7);
        take(&made, &kin);
        assert_int_equal(kin.sum.gaps, 0);
        assert_int_equal(kin.sum.processes, 3);
        assert_int_equal(kin.sum.execs, 1);
        assert_string_equal(kin.known[1].commands[0], "\x1b[31m\xff name");
        assert_int_equal(kin.known[2].ended, RL_FACT_YES);
        rl_rings_release(&made.rings);
        rl_kin_release(&kin);
    }
}

static void damaged_records(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        size_t len;
        uint16_t size;
        bool damaged;
    } rows[] = {{PERF_RECORD_FORK, 24, 1, true},      {PERF_RECORD_FORK, 24, 15, true}, {PERF_RECORD_FORK, 24, 60000, true},
                {PERF_RECORD_FORK, 16, 0, true},      {PERF_RECORD_EXIT, 0, 0, true},   {PERF_RECORD_COMM, 8, 0, true},
                {PERF_RECORD_COMM, 64, 0, true},      {PERF_RECORD_MMAP2, 64, 0, true}, {PERF_RECORD_MMAP2, 200, 0, true},
                {PERF_RECORD_MAX + 5, 100, 0, false}, {UINT32_MAX, 8, 0, false},        {PERF_RECORD_THROTTLE, 24, 0, false}};
    unsigned char body[256];
    memset(body, 'x', sizeof body); /* no text ends */
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_kin kin;
        struct made_ring made;
        start(&kin, false);
        make_ring(&made, 0);
        put_record(&made, rows[i].type, 0, body, rows[i].len, rows[i].size);
        take(&made, &kin);
        assert_int_equal(kin.sum.gaps, rows[i].damaged ? 1u << RL_GAP_DAMAGED : 0);
        assert_int_equal(kin.sum.processes, 1);
        rl_rings_release(&made.rings);
        rl_kin_release(&kin);
    }
}

/* The kernel says that records were lost only with the next one. */
static void losses(void **state)
{
    (void)state;
    const uint64_t lost[2] = {1, 17};
    struct rl_kin kin;
    struct made_ring made;
    start(&kin, false);
    make_ring(&made, 0);
    while (made.page->data_head < SIZE - 4096)
        put_fork(&made, PERF_RECORD_FORK, 0, 0);
    take(&made, &kin);
    assert_true(made.rings.ring[0].full);
    rl_rings_settle(&made.rings, &kin); /* none came: some may have been lost */
    assert_true(kin.sum.gaps & 1u << RL_GAP_LOST);
    kin.sum.gaps = 0;
    put_fork(&made, PERF_RECORD_FORK, 0, 0); /* another one came, and nothing was lost before it */
    take(&made, &kin);
    assert_false(made.rings.ring[0].full);
    assert_int_equal(kin.sum.gaps, 0);
    put_record(&made, PERF_RECORD_LOST, 0, lost, sizeof lost, 0);
    take(&made, &kin);
    assert_int_equal(kin.sum.gaps, 1u << RL_GAP_LOST);
    assert_int_equal(kin.sum.lost, 17);
    rl_rings_release(&made.rings);
    rl_kin_release(&kin);
}

static void a_processor_without_a_ring(void **state)
{
    (void)state;
    struct rl_kin kin;
    struct rl_rings rings;
    start(&kin, false);
    if (rl_rings_open(&rings, RL_SOURCE_TASK, getpid(), 0) != 0 || rings.count < 2) {
        print_message("records are not permitted here, or there is one processor only\n");
        rl_rings_release(&rings);
        rl_kin_release(&kin);
        skip();
    }
    rl_rings_settle(&rings, &kin);
    assert_int_equal(kin.sum.gaps, 0);
    struct rl_ring first = rings.ring[0];
    rings.ring[0] = rings.ring[--rings.count];
    rl_rings_settle(&rings, &kin);
    assert_int_equal(kin.sum.gaps, 1u << RL_GAP_CPUS);
    rings.ring[rings.count++] = first;
    rl_rings_release(&rings);
    rl_kin_release(&kin);
}

/* Records of several processors are told in the order of their times; recent ones wait for others that may come. */
static void order_of_records(void **state)
{
    (void)state;
    struct rl_kin kin;
    struct made_ring one, other;
    start(&kin, false);
    make_ring(&one, 0);
    make_ring(&other, 0);
    put_fork(&other, PERF_RECORD_FORK, 7, MAIN);
    put_fork(&one, PERF_RECORD_FORK, 8, 7);
    put_fork(&other, PERF_RECORD_EXIT, 8, 7);
    put_fork(&one, PERF_RECORD_FORK, 9, 7);
    struct rl_ring both[2] = {one.rings.ring[0], other.rings.ring[0]};
    struct rl_rings rings = {.ring = both, .count = 2, .size = SIZE};
    rl_rings_take(&rings, &kin, 4);
    assert_int_equal(kin.sum.processes, 3);
    assert_int_equal(kin.known[2].ended_ns, 3);
    rl_rings_take(&rings, &kin, INT64_MAX);
    assert_int_equal(kin.sum.processes, 4);
    free(rings.events);
    rl_rings_release(&one.rings);
    rl_rings_release(&other.rings);
    rl_kin_release(&kin);
}

/* ---- nodes ---- */

static void nodes_of_the_driver(void **state)
{
    (void)state;
    char *folder = NULL, paths[600];
    struct rl_node_watch nodes;
    assert_int_equal(rl_make_temp_dir(&folder, NULL), RL_OK);
    char *a = rl_path_join(folder, "a"), *b = rl_path_join(folder, "b");
    snprintf(paths, sizeof paths, "%s::%s", a, b);
    rl_nodes_open(&nodes, paths);
    assert_int_equal(nodes.state, RL_NODES_ABSENT);
    rl_nodes_release(&nodes);

    int fd = open(a, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    rl_nodes_open(&nodes, paths);
    rl_nodes_take(&nodes);
    assert_int_equal(nodes.state, RL_NODES_SILENT);
    assert_true(rl_proc_holds((uint32_t)getpid(), &nodes));
    close(fd);
    rl_nodes_take(&nodes);
    assert_int_equal(nodes.state, RL_NODES_SILENT); /* opened before */
    assert_false(rl_proc_holds((uint32_t)getpid(), &nodes));
    close(open(folder, O_RDONLY | O_CLOEXEC));
    fd = open(b, O_CREAT | O_RDWR | O_CLOEXEC, 0600); /* one comes into being */
    rl_nodes_take(&nodes);
    assert_int_equal(nodes.state, RL_NODES_OPENED);
    assert_true(rl_proc_holds((uint32_t)getpid(), &nodes));
    close(fd);
    uint64_t opens = nodes.opens;
    close(open(b, O_RDONLY | O_CLOEXEC));
    rl_nodes_take(&nodes);
    assert_true(nodes.opens > opens);
    rl_nodes_release(&nodes);

    rl_nodes_open(&nodes, paths);
    close(open(b, O_RDONLY | O_CLOEXEC));
    rl_nodes_take(&nodes);
    assert_int_equal(nodes.state, RL_NODES_OPENED);
    rl_nodes_release(&nodes);
    free(a);
    free(b);
    rl_remove_tree(folder);
    free(folder);
}

static void nodes_that_cannot_be_watched(void **state)
{
    (void)state;
    static const char *const paths[] = {"relative", "/", "/nosuch/folder/node", "/dev/null/node",
                                        "/dev/a:/dev/b:/dev/c:/dev/d:/dev/e:/dev/f:/dev/g:/dev/h:/dev/i"};
    for (size_t i = 0; i < RL_COUNT(paths); i++) {
        struct rl_node_watch nodes;
        rl_nodes_open(&nodes, paths[i]);
        assert_int_equal(nodes.state, RL_NODES_UNWATCHED);
        rl_nodes_release(&nodes);
    }
}

/* ---- /proc ---- */

/* A name that looks like the rest of its line; an end that nobody has waited for. */
static void looks_into_proc(void **state)
{
    (void)state;
    struct rl_kin kin;
    int go[2], ready[2];
    char byte;
    assert_int_equal(pipe2(go, O_CLOEXEC) | pipe2(ready, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(go[1]);
        prctl(PR_SET_NAME, "a) Z 1 (b) 2\n3");
        close(ready[1]);
        _exit(read(go[0], &byte, 1) != 0);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 0);
    rl_kin_init(&kin);
    rl_proc_note(rl_descendant_add(&kin, (uint32_t)getpid(), (uint32_t)getppid(), 0));
    rl_proc_read(&kin);
    assert_int_equal(kin.sum.processes, 2);
    assert_int_equal(kin.sum.gaps, 0);
    assert_int_equal(kin.known[1].pid, pid);
    assert_int_equal(kin.known[1].parent, getpid());
    assert_int_equal(kin.known[1].ended, RL_FACT_NO);
    assert_true(kin.known[1].started_ns > 0);
    assert_string_equal(rl_kin_find(&kin, (uint32_t)pid)->name, "a) Z 1 (b) 2\n3");
    close(go[1]);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    rl_proc_read(&kin);
    assert_int_equal(kin.known[1].ended, RL_FACT_YES);
    assert_true(kin.known[1].ended_ns >= kin.known[1].started_ns);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    rl_proc_read(&kin);
    assert_int_equal(kin.sum.processes, 2);
    assert_int_equal(kin.live_count, 1);
    close(go[0]);
    close(ready[0]);
    rl_kin_release(&kin);
}

/* The same number, another process: not a descendant, as far as anybody knows. */
static void looks_at_a_number_used_again(void **state)
{
    (void)state;
    struct rl_kin kin;
    rl_kin_init(&kin);
    struct rl_live *live = rl_descendant_add(&kin, (uint32_t)getpid(), (uint32_t)getppid(), 0);
    rl_proc_note(live);
    live->ticks--;
    rl_proc_read(&kin);
    assert_int_equal(kin.sum.processes, 1);
    assert_int_equal(kin.known[0].ended, RL_FACT_YES);
    assert_int_equal(kin.live_count, 0);
    assert_int_equal(kin.sum.gaps, 0);
    rl_kin_release(&kin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_by_name),
        cmocka_unit_test(a_number_used_again_is_another_process),
        cmocka_unit_test(an_end_leaves_the_others_alone),
        cmocka_unit_test(looks_into_proc),
        cmocka_unit_test(looks_at_a_number_used_again),
        cmocka_unit_test(records_that_do_not_fit),
        cmocka_unit_test(strangers),
        cmocka_unit_test(a_private_program),
        cmocka_unit_test(a_private_program_that_went),
        cmocka_unit_test(a_fork_has_its_parents_mappings),
        cmocka_unit_test(gaps_make_no_into_unknown),
        cmocka_unit_test(memory_is_bounded_and_sums_are_exact),
        cmocka_unit_test(records_across_the_end_of_a_ring),
        cmocka_unit_test(damaged_records),
        cmocka_unit_test(losses),
        cmocka_unit_test(a_processor_without_a_ring),
        cmocka_unit_test(order_of_records),
        cmocka_unit_test(nodes_of_the_driver),
        cmocka_unit_test(nodes_that_cannot_be_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Work shared among threads: every element once, whatever the number of threads. */
#include "rl_test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/mem.h"
#include "kernels/inputs.h"

struct tally {
    unsigned char *times; /* that each element was done; pieces do not overlap, so no two threads write to one */
    size_t grain, count;
    atomic_size_t pieces, bad;
    atomic_uint_least64_t threads; /* bit t: thread t did a piece */
};

static void note(void *context, size_t first, size_t count, size_t thread)
{
    struct tally *tally = context;

    if (first % tally->grain != 0 || count == 0 || count > tally->grain || first + count > tally->count ||
        thread >= RL_PARALLEL_MOST)
        tally->bad++;
    for (size_t i = first; i < first + count && i < tally->count; i++)
        tally->times[i]++;
    tally->pieces++;
    tally->threads |= UINT64_C(1) << thread % 64;
    sched_yield(); /* lets others come for a piece also where there is one processor */
}

static bool is_done_once(size_t width, size_t count, size_t grain)
{
    struct tally tally = {.times = rl_calloc(count, 1), .grain = grain, .count = count};

    rl_parallel_for(width, count, grain, note, &tally);
    bool good = tally.bad == 0 && tally.pieces == (count + grain - 1) / grain;
    for (size_t i = 0; i < count; i++)
        good &= tally.times[i] == 1;
    if (width > 0 && width < 64)
        good &= tally.threads >> width == 0;
    free(tally.times);
    return good;
}

/* Not for other threads or processes than the test's own: what fails goes on behind the test. */
static void do_once(size_t width, size_t count, size_t grain)
{
    if (!is_done_once(width, count, grain))
        fail_msg("%zu elements, %zu at a time, by %zu threads: not all were done once", count, grain, width);
}

static void every_element_is_done_once(void **state)
{
    static const size_t widths[] = {0, 1, 2, 3, 16, 64, 1000}, counts[] = {0, 1, 9, 10, 11, 1000, 100003}, grains[] = {1, 10, 4096};

    (void)state;
    for (size_t w = 0; w < RL_COUNT(widths); w++)
        for (size_t c = 0; c < RL_COUNT(counts); c++)
            for (size_t g = 0; g < RL_COUNT(grains); g++)
                if (counts[c] / grains[g] < 20000)
                    do_once(widths[w], counts[c], grains[g]);
}

static void many_short_works_in_a_row(void **state)
{
    (void)state;
    for (int i = 0; i < 5000; i++)
        do_once(8, 64, 1);
}

static atomic_bool failed_elsewhere;

static void work_inside_a_piece(void *context, size_t first, size_t count, size_t thread)
{
    (void)context, (void)first, (void)count, (void)thread;
    if (!is_done_once(8, 100, 3))
        failed_elsewhere = true;
}

static void *work_of_another_thread(void *unused)
{
    for (int i = 0; i < 500; i++)
        if (!is_done_once(4, 100, 3))
            failed_elsewhere = true;
    return unused;
}

static void works_inside_and_beside_others_end(void **state)
{
    pthread_t other;

    (void)state;
    assert_int_equal(pthread_create(&other, NULL, work_of_another_thread, NULL), 0);
    for (int i = 0; i < 50; i++)
        rl_parallel_for(4, 20, 1, work_inside_a_piece, NULL);
    pthread_join(other, NULL);
    assert_false(failed_elsewhere);
}

/* Whatever the threads of the parent are doing at that moment: on their way back to sleep they hold what a new work needs. */
static void threads_of_the_parent_are_not_waited_for(void **state)
{
    (void)state;
    for (int i = 0; i < 500; i++) {
        do_once(8, 1000, 1);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(30);
            _exit(is_done_once(8, 1000, 1) && is_done_once(8, 1000, 1) ? 0 : 1);
        }
        int how = 0;
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
}

static void width_is_what_the_process_may_use(void **state)
{
    cpu_set_t allowed;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    assert_true(rl_parallel_width() >= 1 && rl_parallel_width() <= (size_t)CPU_COUNT(&allowed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_done_once),         cmocka_unit_test(many_short_works_in_a_row),
        cmocka_unit_test(works_inside_and_beside_others_end), cmocka_unit_test(threads_of_the_parent_are_not_waited_for),
        cmocka_unit_test(width_is_what_the_process_may_use),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

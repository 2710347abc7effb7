/* A capture that grows is readable and marked incomplete whenever its writer is killed, and holds all that was written before. */
#include "rl_test.h"

#include "core/mem.h"
#include "fixtures/full.h"
#include "fixtures/same.h"

#include <signal.h>
#include <sys/wait.h>

#include "core/fs.h"
#include "fixtures/files.h"

enum { ROUNDS = 60, STEP_US = 97, MOST_KERNELS = 100000 };

/* Writes the capture with a kernel more each time, and says how many there are once they are written. Does not end by itself. */
static void grow(const char *path, int told)
{
    struct rl_capture *capture = full_capture();
    capture->session.complete = false;
    for (int i = (int)capture->kernel_count; i < MOST_KERNELS; i++) {
        full_kernel(capture, i);
        if (rl_capture_write_growing(capture, path, NULL) != RL_OK || write(told, &i, sizeof i) != sizeof i)
            _exit(1);
    }
    _exit(2);
}

/* Kills a writer `delay_us` after its second file; returns how many kernels it had written for certain. */
static size_t kill_writer(const char *path, unsigned delay_us)
{
    int ends[2], last = 0, status;
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0)
        grow(path, ends[1]);
    close(ends[1]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(read(ends[0], &last, sizeof last), sizeof last);
    usleep(delay_us);
    assert_int_equal(kill(writer, SIGKILL), 0);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_true(WIFSIGNALED(status));
    while (read(ends[0], &last, sizeof last) == sizeof last)
        ;
    close(ends[0]);
    return (size_t)last + 1;
}

static void whenever_the_writer_is_killed(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    char *folder = files_new_folder();
    char *path = rl_path_join(folder, "growing.rlcap");
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct rl_capture *capture = NULL;
        const size_t written = kill_writer(path, round * STEP_US);
        if (rl_capture_read(path, &capture, &err) != RL_OK)
            fail_msg("killed after %u us: %s", round * STEP_US, err.text);
        assert_false(capture->session.complete);
        assert_in_range(capture->kernel_count, written, written + 1); /* one more may have been written, but not yet told */
        rl_capture_free(capture);
    }
    files_remove_folder(folder);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whenever_the_writer_is_killed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

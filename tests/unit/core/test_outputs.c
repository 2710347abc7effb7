/* What a command reads and writes, kept apart; and what is left of a process that was stopped while it wrote. */
#include "rl_test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/fs.h"
#include "core/mem.h"
#include "core/outputs.h"
#include "fixtures/files.h"
#include "temporary.h"

/* ---- telling files apart ---- */

static enum rl_status declare(enum rl_file_role role, const char *output, const char *endings, const char *input,
                              struct rl_err *err)
{
    const struct rl_file_use uses[] = {{role, output, "--output", endings}, {RL_FILE_READ, input, "the input", NULL}};
    return rl_outputs_declare(uses, RL_COUNT(uses), err);
}

static void an_input_is_known_under_every_name(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    char absolute[4200];
    snprintf(absolute, sizeof absolute, "%s/in", (const char *)*state);
    files_put("in", "input");
    assert_int_equal(mkdir("sub", 0700) | symlink("in", "soft") | symlink("soft", "softer") | link("in", "hard") |
                         symlink(".", "here") | symlink("../in", "sub/soft"),
                     0);
    const char *const names[] = {"in", "./in", absolute, "soft", "softer", "hard", "here/in", "sub/../in", "sub/soft"};
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        assert_int_equal(declare(RL_FILE_WRITTEN, names[i], NULL, "in", &err), RL_USAGE);
        assert_non_null(strstr(err.text, "would overwrite the input 'in': choose another name"));
        assert_int_equal(declare(RL_FILE_WRITTEN, "in", NULL, names[i], &err), RL_USAGE);
        assert_int_equal(declare(RL_FILE_OPEN, names[i], NULL, "in", &err), RL_USAGE);
    }
    assert_int_equal(declare(RL_FILE_WRITTEN, "out", NULL, "in", &err), RL_OK);
    assert_int_equal(files_below("."), 6); /* nothing was made on trial that stays */
}

static void an_input_is_not_replaced_later(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    files_put("in", "input");
    assert_int_equal(declare(RL_FILE_WRITTEN, "out", NULL, "in", &err), RL_OK);
    assert_int_equal(symlink("in", "out"), 0); /* too late to be seen */
    assert_int_equal(rl_write_file_atomic("out", "new", 3, &err), RL_USAGE);
    assert_string_equal(err.text, "'out' is not overwritten: it was read; choose another name");
    assert_int_equal(rl_write_file_unsynced("in", "new", 3, &err), RL_USAGE);
    assert_int_equal(rl_check_writable("out", &err), RL_USAGE);
    assert_file_holds("in", "input");
    assert_int_equal(rl_write_file_atomic("other", "new", 3, &err), RL_OK);
}

static void two_outputs_are_two_files(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    static const struct {
        const char *a, *b;
        enum rl_status status;
    } rows[] = {{"new", "new", RL_USAGE},        {"new", "./new", RL_USAGE},        {"new", "NEW", RL_USAGE},
                {"new", "sub/../new", RL_USAGE}, {"new", "sub/new", RL_OK},         {"sub/new", "here/sub/New", RL_USAGE},
                {"new", "dangling", RL_USAGE},   {"/dev/null", "/dev/null", RL_OK}, {"sub", "sub", RL_USAGE}};
    assert_int_equal(mkdir("sub", 0700) | symlink(".", "here") | symlink("new", "dangling"), 0);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_file_use uses[] = {{RL_FILE_WRITTEN, rows[i].a, "--one", NULL},
                                           {RL_FILE_WRITTEN, rows[i].b, "--two", NULL}};
        assert_int_equal(rl_outputs_declare(uses, RL_COUNT(uses), &err), rows[i].status);
    }
}

static void folders_have_names_of_their_own(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    static const struct {
        const char *folder, *file;
        enum rl_status status;
    } rows[] = {
        {"charts", "charts/logo.png", RL_USAGE}, {"charts/", "charts/logo.png", RL_USAGE}, {"charts", "charts/logo.PNG", RL_USAGE},
        {"charts", "charts/notes.md", RL_OK},    {"charts", "charts/sub/a.png", RL_OK},    {"charts", "into.png", RL_USAGE},
        {"charts", "charts/out.png", RL_USAGE},  {".", "charts/logo.png", RL_OK},          {"none", "charts/logo.png", RL_OK}};
    assert_int_equal(mkdir("charts", 0700) | mkdir("charts/sub", 0700), 0);
    files_put("charts/logo.png", "1");
    files_put("charts/logo.PNG", "2");
    files_put("charts/notes.md", "3");
    files_put("charts/sub/a.png", "4");
    files_put("away", "5");
    assert_int_equal(symlink("charts/logo.png", "into.png") | symlink("../away", "charts/out.png"), 0);
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_int_equal(declare(RL_FOLDER_WRITTEN, rows[i].folder, " .svg .png", rows[i].file, &err), rows[i].status);
    assert_false(rl_path_exists("none"));
}

static void places_are_tried(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    static const struct {
        enum rl_file_role role;
        const char *path, *says;
    } rows[] = {{RL_FILE_WRITTEN, "none/out", "cannot write 'none/out': no such file or folder"},
                {RL_FILE_WRITTEN, "folder", "cannot write 'folder': it is a folder"},
                {RL_FILE_WRITTEN, "/proc/x", "cannot write '/proc/x': "},
                {RL_FILE_WRITTEN, "file/out", "cannot write 'file/out': a part of the path is not a folder"},
                {RL_FOLDER_WRITTEN, "file", "cannot make the folder 'file': a file has that name"},
                {RL_FOLDER_WRITTEN, "dangling", "cannot make the folder 'dangling': a file has that name"},
                {RL_FOLDER_WRITTEN, "none/deep", "cannot make the folder 'none/deep': no such file or folder"},
                {RL_FOLDER_WRITTEN, "/proc/", "cannot write into '/proc/': "},
                {RL_FOLDER_WRITTEN, "/proc/x", "cannot make the folder '/proc/x': "}};
    assert_int_equal(mkdir("folder", 0700) | symlink("nothing", "dangling"), 0);
    files_put("file", "old");
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_file_use use = {rows[i].role, rows[i].path, "--output", " .x"};
        assert_int_equal(rl_outputs_declare(&use, 1, &err), RL_IO);
        if (strncmp(err.text, rows[i].says, strlen(rows[i].says)) != 0)
            fail_msg("'%s', not '%s'", err.text, rows[i].says);
    }
    assert_int_equal(rl_make_folder("made", &err) | rl_make_folder("made", &err), RL_OK);
    assert_int_equal(rl_make_folder("file", &err), RL_IO);
    assert_int_equal(files_below("."), 4);
    assert_file_holds("file", "old");
}

/* ---- what is left of a process ---- */

/* Runs `child` in a process of its own until it has written a byte, then sends `number` (0: it ends itself) and waits. */
static void run_until(void (*child)(void), int number)
{
    int ends[2], how;
    char byte;
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        child();
        if (write(ends[1], "x", 1) != 1 || (number && pause() != -1))
            _exit(1);
        _exit(0);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    if (number)
        kill(pid, number);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(number ? WIFSIGNALED(how) && WTERMSIG(how) == number : WIFEXITED(how) && WEXITSTATUS(how) == 0);
    close(ends[0]);
    close(ends[1]);
}

static void hold_both(void)
{
    struct rl_temporary *file, *folder;
    if (rl_temporary_file(".", "out", 0600, &file) < 0 || rl_temporary_folder(".", &folder) != 0)
        _exit(2);
    char *inside = rl_path_join(rl_temporary_path(folder), "inside");
    if (rl_write_file_unsynced(inside, "x", 1, NULL) != RL_OK)
        _exit(3);
    free(inside);
}

static void hold_and_remove(void)
{
    hold_both();
    rl_temporaries_remove();
}

static void what_was_killed_is_swept(void **state)
{
    (void)state;
    const size_t open_files = files_below("/proc/self/fd");
    run_until(hold_both, SIGKILL);
    assert_int_equal(files_below("."), 2);
    rl_temporaries_sweep(".");
    assert_int_equal(files_below("."), 0);
    assert_int_equal(files_below("/proc/self/fd"), open_files);
    run_until(hold_both, SIGKILL);
    files_put("out", "old");
    assert_int_equal(rl_check_writable("out", NULL), RL_OK);
    assert_int_equal(files_below("."), 1);
    run_until(hold_and_remove, 0);
    assert_int_equal(files_below("."), 1);
}

static void what_lives_is_left_alone(void **state)
{
    (void)state;
    struct rl_temporary *file, *folder;
    const int fd = rl_temporary_file(".", "out", 0600, &file);
    assert_true(fd >= 0);
    assert_int_equal(rl_temporary_folder(".", &folder), 0);
    close(fd); /* between its last byte and its new name */
    rl_temporaries_sweep(".");
    assert_int_equal(files_below("."), 2);
    run_until(hold_and_remove, 0); /* a child's end is not its parent's */
    assert_int_equal(files_below("."), 2);
    rl_temporary_remove(file);
    rl_temporary_remove(folder);
    assert_int_equal(files_below("."), 0);
}

/* "FRONTrooflight-" with digits as ours have them, from the `from`-th on replaced by those of `digits`. */
static void make_name(char name[64], const char *front, size_t from, const char *digits)
{
    struct rl_temporary *ours;
    const int fd = rl_temporary_file(".", "x", 0600, &ours);
    assert_true(fd >= 0);
    const char *path = rl_temporary_path(ours);
    snprintf(name, 64, "%srooflight-%.*s%s", front, (int)from, path + strlen(path) - 24, digits);
    close(fd);
    rl_temporary_remove(ours);
}

static void leave(const char *front, size_t from, const char *digits)
{
    char name[64];
    make_name(name, front, from, digits);
    files_put(name, "x");
}

/* A folder is read in several pieces. */
static void what_is_left_is_found_among_many_files(void **state)
{
    enum { LEFT = 40, OTHERS = 400 };
    char name[64];
    (void)state;
    for (int i = 0; i < OTHERS; i++) {
        snprintf(name, sizeof name, "a-file-that-is-not-ours-%d", i);
        files_put(name, "x");
        snprintf(name, sizeof name, "%016x", (unsigned)i);
        if (i < LEFT)
            leave(".out.", 8, name);
    }
    assert_int_equal(files_below("."), LEFT + OTHERS);
    rl_temporaries_sweep(".");
    assert_int_equal(files_below("."), OTHERS);
}

/* Names are looked at, machines, owners, kinds; and a name is not followed. */
static void what_is_not_ours_is_left_alone(void **state)
{
    (void)state;
    static const char any[] = "0123456789abcdef";
    char name[64];
    leave("", 8, any);
    leave(".out.", 8, any);
    rl_temporaries_sweep(".");
    assert_int_equal(files_below("."), 0); /* those were */
    assert_int_equal(mkdir("kept", 0700), 0);
    files_put("kept/file", "x");
    leave("", 0, "000000000123456789abcdef"); /* of another machine */
    leave("", 8, "0123");
    leave("", 8, "0123456789abcdeg");
    leave("", 8, "0123456789abcdef.pdf");
    make_name(name, "", 8, any);
    assert_int_equal(symlink("kept", name), 0);
    make_name(name, ".fifo.", 8, any);
    assert_int_equal(mkfifo(name, 0600), 0);
    rl_temporaries_sweep(".");
    assert_int_equal(files_below("."), 7);
    assert_int_equal(files_below("kept"), 1);
    if (geteuid() == 0) {
        make_name(name, ".theirs.", 8, any);
        files_put(name, "somebody else's");
        assert_int_equal(chown(name, 65534, 65534), 0);
        rl_temporaries_sweep(".");
        assert_int_equal(files_below("."), 8);
    }
}

/* ---- folders that appear as a whole ---- */

/* A folder that holds one file, `text`, and has no name yet. */
static void names_of_temporaries(void **state)
{
    (void)state;
    assert_true(rl_is_temporary("rooflight-0123456789abcdef01234567"));
    assert_true(rl_is_temporary("dir/.out.pdf.rooflight-0123456789abcdef01234567"));
    assert_false(rl_is_temporary("rooflight-0123456789abcdef0123456"));
    assert_false(rl_is_temporary("rooflight-0123456789abcdef0123456g"));
    assert_false(rl_is_temporary("rooflight-0123456789abcdef01234567.pdf"));
    assert_false(rl_is_temporary("0123456789abcdef01234567"));
    assert_false(rl_is_temporary("rooflighx-0123456789abcdef01234567"));
    assert_false(rl_is_temporary(""));
}

/* One makes what the other takes for left behind, until it is locked. */
static void many_at_once(void **state)
{
    (void)state;
    enum { PROCESSES = 4, TIMES = 300 };
    pid_t pids[PROCESSES];
    setenv("TMPDIR", ".", 1);
    for (size_t i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        assert_true(pids[i] >= 0);
        for (int n = 0; pids[i] == 0 && n < TIMES; n++) {
            char *folder, name[] = "file0";
            name[4] = (char)('0' + i);
            if (rl_make_temp_dir(&folder, NULL) != RL_OK || rl_check_writable(name, NULL) != RL_OK ||
                rl_write_file_unsynced(name, "new", 3, NULL) != RL_OK || !rl_path_exists(folder))
                _exit(1);
            rl_remove_tree(folder);
            free(folder);
        }
        if (pids[i] == 0)
            _exit(0);
    }
    for (size_t i = 0; i < PROCESSES; i++) {
        int how = -1;
        assert_int_equal(waitpid(pids[i], &how, 0), pids[i]);
        assert_int_equal(how, 0);
    }
    unsetenv("TMPDIR");
    assert_int_equal(files_below("."), PROCESSES);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, files_enter_folder, files_leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_was_killed_is_swept),
        IN_FOLDER(what_lives_is_left_alone),
        IN_FOLDER(what_is_left_is_found_among_many_files),
        IN_FOLDER(what_is_not_ours_is_left_alone),
        cmocka_unit_test(names_of_temporaries),
        IN_FOLDER(many_at_once),
        /* The process notes inputs for good, and files of later tests may get the numbers of theirs. */
        IN_FOLDER(an_input_is_known_under_every_name),
        IN_FOLDER(an_input_is_not_replaced_later),
        IN_FOLDER(two_outputs_are_two_files),
        IN_FOLDER(folders_have_names_of_their_own),
        IN_FOLDER(places_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

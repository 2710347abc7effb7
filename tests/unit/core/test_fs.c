/* Reads, atomic writes and places, in a fresh folder for each test. */
#include "rl_test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/files.h"

/* The write is refused with `error`; whether it can be foreseen or not, the answers agree. */
static void assert_refused(const char *path, const char *error)
{
    struct rl_err err = RL_ERR_INIT, checked = RL_ERR_INIT;
    assert_int_equal(rl_write_file_atomic(path, "new", 3, &err), RL_IO);
    assert_string_equal(err.text, error);
    assert_int_equal(rl_write_file_unsynced(path, "new", 3, &err), RL_IO);
    assert_string_equal(err.text, error);
    assert_int_equal(rl_check_writable(path, &checked), RL_IO);
    assert_string_equal(checked.text, error);
}

static void files_read_back(void **state)
{
    (void)state;
    size_t size = 300001;
    char *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i * 31 >> 3);
    assert_int_equal(rl_write_file_atomic("big", bytes, size, NULL), RL_OK);
    struct rl_buf buf = RL_BUF_INIT;
    rl_buf_adds(&buf, "before");
    assert_int_equal(rl_read_file("big", size, &buf, NULL), RL_OK);
    assert_int_equal(buf.len, size + 6);
    assert_memory_equal(buf.data, "before", 6);
    assert_memory_equal(buf.data + 6, bytes, size);
    rl_buf_release(&buf);
    free(bytes);
    assert_int_equal(rl_write_file_atomic("empty", "", 0, NULL), RL_OK);
    assert_file_holds("empty", "");
    assert_int_equal(rl_write_file_unsynced("empty", "not any more", 12, NULL), RL_OK);
    assert_file_holds("empty", "not any more");
    assert_int_equal(files_below("."), 2);
}

static void reads_that_are_refused(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    files_put("ten", "0123456789");
    assert_int_equal(rl_read_file("ten", 9, &buf, &err), RL_IO);
    assert_string_equal(err.text, "cannot read 'ten': larger than the limit of 9 bytes");
    assert_int_equal(rl_read_file("ten", 10, &buf, &err), RL_OK);
    assert_int_equal(rl_read_file("none", 9, &buf, &err), RL_ABSENT);
    assert_string_equal(err.text, "cannot read 'none': no such file or folder");
    assert_int_equal(rl_read_file(".", 9, &buf, &err), RL_IO);
    assert_string_equal(err.text, "cannot read '.': it is a folder");
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(rl_read_file("fifo", 9, &buf, &err), RL_IO); /* and does not wait for a writer */
    assert_string_equal(err.text, "cannot read 'fifo': not a regular file");
    assert_int_equal(rl_read_file("/dev/zero", 9, &buf, &err), RL_IO);
    assert_int_equal(rl_read_file("ten/x", 9, &buf, &err), RL_IO);
    assert_string_equal(err.text, "cannot read 'ten/x': a part of the path is not a folder");
    rl_buf_release(&buf);
}

/* Files of /proc say that they are empty; the limit holds for what is read. */
static void limit_counts_what_is_read(void **state)
{
    (void)state;
    struct rl_buf buf = RL_BUF_INIT;
    assert_int_equal(rl_read_file("/proc/self/status", 1 << 20, &buf, NULL), RL_OK);
    assert_true(buf.len > 100);
    assert_int_equal(rl_read_file("/proc/self/status", 100, &buf, NULL), RL_IO);
    rl_buf_release(&buf);
}

static void new_files_are_private_and_follow_the_umask(void **state)
{
    (void)state;
    static const struct {
        mode_t mask, mode;
    } rows[] = {{0, 0600}, {022, 0600}, {077, 0600}, {0200, 0400}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        mode_t before = umask(rows[i].mask);
        enum rl_status atomic = rl_write_file_atomic("new", "x", 1, NULL), quick = rl_write_file_unsynced("quick", "x", 1, NULL);
        umask(before);
        assert_int_equal(atomic, RL_OK);
        assert_int_equal(quick, RL_OK);
        assert_int_equal(files_mode_of("new"), rows[i].mode);
        assert_int_equal(files_mode_of("quick"), rows[i].mode);
        unlink("new"), unlink("quick");
    }
}

static void existing_files_keep_their_mode(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0755, 0666, 0200};
    for (size_t i = 0; i < RL_COUNT(modes); i++) {
        files_put("file", "old");
        assert_int_equal(chmod("file", modes[i]), 0);
        assert_int_equal(rl_write_file_atomic("file", "new", 3, NULL), RL_OK);
        assert_int_equal(files_mode_of("file"), modes[i]);
        assert_int_equal(chmod("file", 0600), 0);
        assert_file_holds("file", "new");
        assert_int_equal(unlink("file"), 0);
    }
}

static void a_reader_keeps_the_old_file(void **state)
{
    (void)state;
    files_put("file", "old");
    FILE *reader = fopen("file", "r");
    assert_non_null(reader);
    assert_int_equal(rl_write_file_atomic("file", "newer", 5, NULL), RL_OK);
    char text[8] = "";
    assert_int_equal(fread(text, 1, sizeof text, reader), 3);
    assert_memory_equal(text, "old", 3);
    fclose(reader);
    assert_file_holds("file", "newer");
    assert_int_equal(files_below("."), 1);
}

static void symbolic_links_are_followed(void **state)
{
    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    files_put("sub/target", "old");
    assert_int_equal(chmod("sub/target", 0640), 0);
    assert_int_equal(symlink("target", "sub/second"), 0); /* relative to its own folder */
    assert_int_equal(symlink("sub/second", "first"), 0);
    assert_int_equal(rl_check_writable("first", NULL), RL_OK);
    assert_int_equal(rl_write_file_atomic("first", "new", 3, NULL), RL_OK);
    struct stat info;
    assert_true(lstat("first", &info) == 0 && S_ISLNK(info.st_mode));
    assert_true(lstat("sub/second", &info) == 0 && S_ISLNK(info.st_mode));
    assert_true(lstat("sub/target", &info) == 0 && S_ISREG(info.st_mode));
    assert_int_equal(files_mode_of("sub/target"), 0640);
    assert_file_holds("sub/target", "new");
    assert_int_equal(files_below("sub"), 2);
    assert_int_equal(files_below("."), 2);
}

static void links_to_nothing_make_the_target(void **state)
{
    (void)state;
    char absolute[4200];
    snprintf(absolute, sizeof absolute, "%s/made", (const char *)*state);
    assert_int_equal(symlink(absolute, "dangling"), 0);
    assert_int_equal(rl_write_file_atomic("dangling", "x", 1, NULL), RL_OK);
    assert_file_holds("made", "x");
    assert_int_equal(symlink("no/such/folder", "hopeless"), 0);
    assert_refused("hopeless", "cannot write 'hopeless': no such file or folder");
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_refused("loop", "cannot write 'loop': too many symbolic links");
}

static void targets_that_cannot_be_files(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(mkdir("empty", 0700), 0);
    files_put("file", "old");
    assert_refused("folder", "cannot write 'folder': it is a folder");
    assert_refused("folder/", "cannot write 'folder/': it is a folder");
    assert_refused("new/", "cannot write 'new/': it is a folder");
    assert_refused("none/x", "cannot write 'none/x': no such file or folder");
    assert_refused("file/x", "cannot write 'file/x': a part of the path is not a folder");
    assert_refused("", "cannot write '': no such file or folder");
    char name[300];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    struct rl_err too_long = RL_ERR_INIT; /* shortened in the middle */
    rl_err_set(&too_long, RL_IO, "cannot write '%s': the name is too long", name);
    assert_refused(name, too_long.text);
    assert_file_holds("file", "old");
    assert_int_equal(files_below("."), 3);
    assert_int_equal(files_below("folder"), 0);
}

static void longest_name(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', sizeof name);
    name[255] = '\0';
    assert_int_equal(rl_write_file_atomic(name, "x", 1, NULL), RL_OK);
    assert_file_holds(name, "x");
    assert_int_equal(files_below("."), 1);
}

static void read_only_places(void **state)
{
    (void)state;
    if (geteuid() == 0 && (chown(".", 65534, (gid_t)-1) != 0 || seteuid(65534) != 0)) {
        print_message("root may write everywhere, and cannot become someone else here\n");
        skip();
    }
    files_put("protected", "old");
    assert_int_equal(chmod("protected", 0444), 0);
    assert_refused("protected", "cannot write 'protected': no permission");
    assert_file_holds("protected", "old");
    assert_int_equal(mkdir("folder", 0700), 0);
    files_put("folder/file", "old");
    assert_int_equal(chmod("folder", 0500), 0);
    assert_refused("folder/file", "cannot write 'folder/file': no permission");
    assert_refused("folder/new", "cannot write 'folder/new': no permission");
    assert_file_holds("folder/file", "old");
    assert_int_equal(chmod("folder", 0700), 0);
    assert_int_equal(files_below("folder"), 1);
}

/* /dev/full fails as a full disk does. */
static void full_disk(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("no /dev/full here\n");
        skip();
    }
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_check_writable("/dev/full", &err), RL_OK);
    assert_int_equal(rl_write_file_atomic("/dev/full", "x", 1, &err), RL_IO);
    assert_string_equal(err.text, "cannot write '/dev/full': the disk is full");
    struct stat info;
    assert_true(stat("/dev/full", &info) == 0 && S_ISCHR(info.st_mode));
    assert_int_equal(files_below("."), 0);
}

/* The size limit of a process stands in for a disk that fills up in the middle of a file. Runs in a child, which keeps the limit.
 */
static int write_beyond_limit(void)
{
    static char bytes[100000];
    struct rl_err err = RL_ERR_INIT;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096}) != 0)
        return 10;
    if (rl_write_file_atomic("file", bytes, sizeof bytes, &err) != RL_IO ||
        rl_write_file_unsynced("file", bytes, sizeof bytes, &err) != RL_IO)
        return 11;
    return strcmp(err.text, "cannot write 'file': the file would be too large") == 0 ? 0 : 12;
}

static void failure_in_the_middle_leaves_the_old_file(void **state)
{
    (void)state;
    files_put("file", "old");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(write_beyond_limit());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_file_holds("file", "old");
    assert_int_equal(files_below("."), 1); /* no temporary file is left */
}

static void pipes_are_written_to(void **state)
{
    (void)state;
    char text[16] = "";
    struct stat info;
    assert_int_equal(mkfifo("fifo", 0600), 0);
    int fd = open("fifo", O_RDONLY | O_NONBLOCK);
    assert_true(fd >= 0);
    assert_int_equal(rl_write_file_atomic("fifo", "new", 3, NULL), RL_OK);
    assert_int_equal(read(fd, text, sizeof text), 3);
    assert_string_equal(text, "new");
    close(fd);
    assert_true(lstat("fifo", &info) == 0 && S_ISFIFO(info.st_mode));
    assert_int_equal(files_below("."), 1);
}

static void joined_paths(void **state)
{
    (void)state;
    static const char *const rows[][3] = {{"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"a", "/b", "/b"}, {"/", "b", "/b"}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        char *path = rl_path_join(rows[i][0], rows[i][1]);
        assert_string_equal(path, rows[i][2]);
        free(path);
    }
}

static void executable_dir_holds_this_program(void **state)
{
    (void)state;
    char *folder = rl_executable_dir(), *path;
    assert_int_equal(folder[0], '/');
    path = rl_path_join(folder, "unit_core_test_fs");
    assert_true(rl_path_exists(path));
    free(path);
    free(folder);
}

static void assert_found(const char *program, const char *expected)
{
    char *path = rl_find_program(program);
    if (expected)
        assert_string_equal(path, expected);
    else
        assert_null(path);
    free(path);
}

static void programs_are_found_in_path(void **state)
{
    (void)state;
    char *before = rl_strdup(getenv("PATH"));
    assert_int_equal(mkdir("one", 0700) | mkdir("two", 0700) | mkdir("one/tool", 0700), 0); /* a folder is no program */
    files_put("two/tool", "#!/bin/sh\n");
    files_put("one/text", "not executable");
    files_put("here", "#!/bin/sh\n");
    assert_int_equal(chmod("two/tool", 0700) | chmod("one/text", 0600) | chmod("here", 0700), 0);
    setenv("PATH", "none:one:two", 1);
    assert_found("tool", "two/tool");
    assert_found("text", NULL);
    assert_found("here", NULL);
    assert_found("", NULL);
    assert_found("two/tool", "two/tool");
    assert_found("one/text", NULL);
    assert_found("./nothing", NULL);
    setenv("PATH", "one::two", 1); /* an empty entry is the current folder */
    assert_found("here", "./here");
    assert_null(rl_find_tool("here"));
    assert_null(rl_find_tool("tool"));
    char *sh = NULL;
    setenv("PATH", ":one:/bin", 1);
    assert_string_equal(sh = rl_find_tool("sh"), "/bin/sh");
    free(sh);
    unsetenv("PATH");
    assert_found("tool", NULL);
    if (before)
        setenv("PATH", before, 1);
    free(before);
}

/* What to do is said where there is no room, and only there. */
static void a_full_temporary_folder_names_the_way_out(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    char *old = rl_strdup(getenv("TMPDIR"));
    setenv("TMPDIR", "/small", 1);
    assert_int_equal(rl_temp_cannot_write("/small/rooflight-x/plan", ENOSPC, &err), RL_IO);
    assert_string_equal(err.text,
                        "the folder for temporary files, '/small', is full (the disk is full): make room, or name another "
                        "one in TMPDIR");
    unsetenv("TMPDIR");
    assert_int_equal(rl_temp_cannot_write("/tmp/rooflight-x/plan", EDQUOT, &err), RL_IO);
    assert_non_null(strstr(err.text, "'/tmp', is full (the disk quota is used up)"));
    assert_int_equal(rl_temp_cannot_write("/tmp/rooflight-x/plan", EROFS, &err), RL_IO);
    assert_string_equal(err.text, "cannot write '/tmp/rooflight-x/plan': the file system is read-only");
    if (old)
        setenv("TMPDIR", old, 1);
    free(old);
}

static void temporary_folders(void **state)
{
    char *before = rl_strdup(getenv("TMPDIR")), *one, *two;
    struct rl_err err = RL_ERR_INIT;
    setenv("TMPDIR", *state, 1);
    assert_int_equal(rl_make_temp_dir(&one, &err), RL_OK);
    assert_int_equal(rl_make_temp_dir(&two, &err), RL_OK);
    assert_string_not_equal(one, two);
    assert_int_equal(strncmp(one, *state, strlen(*state)), 0);
    assert_int_equal(files_mode_of(one), 0700);
    free(one);
    free(two);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_int_equal(rl_make_temp_dir(&one, &err), RL_IO);
    assert_null(one);
    assert_non_null(strstr(err.text, "/nowhere/at/all"));
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
}

static void removing_a_tree_does_not_follow_links(void **state)
{
    (void)state;
    assert_int_equal(mkdir("kept", 0700) | mkdir("tree", 0700) | mkdir("tree/deep", 0700) | mkdir("tree/deep/er", 0700), 0);
    files_put("kept/file", "old");
    files_put("tree/deep/er/.hidden", "x");
    assert_int_equal(symlink("../kept", "tree/link") | symlink("nowhere", "tree/dangling"), 0);
    rl_remove_tree("tree");
    assert_false(rl_path_exists("tree"));
    assert_file_holds("kept/file", "old");
    rl_remove_tree("tree"); /* nothing there: nothing happens */
}

static void folders_that_can_be_made(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    files_put("in-the-way", "x");
    assert_int_equal(rl_check_folder("to-be-made//", &err), RL_OK);
    assert_int_equal(rl_check_folder(".", &err), RL_OK);
    assert_true(access("to-be-made", F_OK) != 0); /* it is only looked whether it could */
    assert_int_equal(rl_check_folder("in-the-way//", &err), RL_IO);
    assert_string_equal(err.text, "cannot make the folder 'in-the-way//': a file has that name");
    assert_int_equal(rl_check_folder("in-the-way", &err), RL_IO);
    assert_int_equal(rl_check_folder("to-be-made/below", &err), RL_IO);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, files_enter_folder, files_leave_folder)

/* A file behind `count` links, the last of which is "l1", is written or refused. */
static void links_are_followed_so_many_times(void **state)
{
    enum { MOST = 39 };
    (void)state;
    files_put("l0", "old");
    for (int i = 1; i <= MOST + 1; i++) {
        char name[8], before[8];
        snprintf(name, sizeof name, "l%d", i);
        snprintf(before, sizeof before, "l%d", i - 1);
        assert_int_equal(symlink(before, name), 0);
        if (i == MOST + 1)
            assert_refused(name, "cannot write 'l40': too many symbolic links");
        else if (i == 1 || i == MOST)
            assert_int_equal(rl_write_file_atomic(name, name, strlen(name), NULL), RL_OK);
    }
    assert_file_holds("l0", "l39");
}

/* Nothing stays open, whether it goes well or not. */
static void files_are_closed_again(void **state)
{
    const size_t before = files_below("/proc/self/fd");
    struct rl_buf out = RL_BUF_INIT;
    (void)state;
    files_put("file", "text");
    assert_int_equal(mkdir("folder", 0700), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rl_write_file_atomic("file", "new", 3, NULL), RL_OK);
        assert_int_equal(rl_write_file_unsynced("file", "new", 3, NULL), RL_OK);
        assert_int_equal(rl_read_file("file", 3, &out, NULL), RL_OK);
        assert_int_equal(rl_read_file("file", 2, &out, NULL), RL_IO);
        assert_int_equal(rl_read_file("folder", 2, &out, NULL), RL_IO);
        assert_int_equal(rl_read_file("none", 2, &out, NULL), RL_ABSENT);
        assert_int_equal(rl_write_file_atomic("folder", "new", 3, NULL), RL_IO);
        assert_int_equal(rl_write_file_atomic("none/file", "new", 3, NULL), RL_IO);
        assert_int_equal(rl_check_writable("file", NULL), RL_OK);
        assert_int_equal(rl_check_writable("new", NULL), RL_OK);
        assert_int_equal(rl_check_folder("new", NULL), RL_OK);
    }
    rl_buf_release(&out);
    assert_int_equal(files_below("/proc/self/fd"), before);
}

/* What a child reads from its standard input: at most `limit` bytes of `text`; its status and, on its output, what it read. */
static enum rl_status read_in_child(const char *text, size_t limit, char *told, size_t size)
{
    int in[2], out[2], status;
    assert_int_equal(pipe(in) | pipe(out), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rl_buf read_text = RL_BUF_INIT;
        struct rl_err err = RL_ERR_INIT;
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        const enum rl_status read_status = rl_read_stdin(limit, &read_text, &err);
        rl_buf_adds(&read_text, read_status == RL_OK ? "" : err.text);
        if (rl_write_stdout(read_text.data, read_text.len) != 0 || write(STDOUT_FILENO, "x", 1) != -1) /* it is closed */
            _exit(99);
        _exit((int)read_status);
    }
    assert_int_equal(write(in[1], text, strlen(text)), strlen(text));
    close(in[0]), close(in[1]), close(out[1]);
    ssize_t len = 0;
    for (ssize_t n; (size_t)len < size - 1 && (n = read(out[0], told + len, size - 1 - (size_t)len)) > 0;)
        len += n;
    told[len] = 0;
    close(out[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return (enum rl_status)WEXITSTATUS(status);
}

static void standard_input_and_output(void **state)
{
    char told[200];
    (void)state;
    assert_int_equal(read_in_child("12345", 5, told, sizeof told), RL_OK);
    assert_string_equal(told, "12345");
    assert_int_equal(read_in_child("", 5, told, sizeof told), RL_OK);
    assert_string_equal(told, "");
    assert_int_equal(read_in_child("123456", 5, told, sizeof told), RL_IO);
    assert_non_null(strstr(told, "standard input"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(files_read_back),
        IN_FOLDER(reads_that_are_refused),
        IN_FOLDER(limit_counts_what_is_read),
        IN_FOLDER(new_files_are_private_and_follow_the_umask),
        IN_FOLDER(existing_files_keep_their_mode),
        IN_FOLDER(a_reader_keeps_the_old_file),
        IN_FOLDER(symbolic_links_are_followed),
        IN_FOLDER(links_to_nothing_make_the_target),
        IN_FOLDER(targets_that_cannot_be_files),
        IN_FOLDER(longest_name),
        IN_FOLDER(read_only_places),
        IN_FOLDER(full_disk),
        IN_FOLDER(failure_in_the_middle_leaves_the_old_file),
        IN_FOLDER(pipes_are_written_to),
        cmocka_unit_test(joined_paths),
        cmocka_unit_test(executable_dir_holds_this_program),
        IN_FOLDER(programs_are_found_in_path),
        IN_FOLDER(temporary_folders),
        cmocka_unit_test(a_full_temporary_folder_names_the_way_out),
        IN_FOLDER(removing_a_tree_does_not_follow_links),
        IN_FOLDER(folders_that_can_be_made),
        IN_FOLDER(links_are_followed_so_many_times),
        IN_FOLDER(files_are_closed_again),
        cmocka_unit_test(standard_input_and_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Runs a fuzzer once over every file of the folders (or files) that are named: the seeds as a plain test, or one crash again. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "core/buf.h"
#include "core/fs.h"
#include "fuzz.h"

enum { LIMIT = 1 << 30 };

static size_t try_file(const char *path)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    if (rl_read_file(path, LIMIT, &bytes, &err) != RL_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    uint8_t *exact = malloc(bytes.len ? bytes.len : 1); /* no terminator: reading behind the end is noticed */
    REQUIRE(exact);
    memcpy(exact, bytes.data, bytes.len);
    printf("%s: %zu bytes\n", path, bytes.len);
    fflush(stdout); /* so that the last line names the input that crashed */
    LLVMFuzzerTestOneInput(exact, bytes.len);
    free(exact);
    rl_buf_release(&bytes);
    return 1;
}

static size_t try_folder(const char *path)
{
    size_t tried = 0;
    DIR *folder = opendir(path);
    REQUIRE(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char *file = rl_path_join(path, entry->d_name);
        tried += try_file(file);
        free(file);
    }
    closedir(folder);
    return tried;
}

int main(int argc, char **argv)
{
    size_t tried = 0;
    for (int i = 1; i < argc; i++) {
        struct stat info;
        if (stat(argv[i], &info) != 0) {
            perror(argv[i]);
            return 1;
        }
        tried += S_ISDIR(info.st_mode) ? try_folder(argv[i]) : try_file(argv[i]);
    }
    printf("%zu inputs\n", tried);
    return tried ? 0 : 1; /* no input is no test */
}

/* disassembly.c - nvdisasm, and what it prints (disassembly.h): ".text.NAME:" where a function begins, and for each instruction its
 * offset as a comment of C, its text, and a semicolon. */
#include "disassembly.h"

#include "core/child.h"

char *rl_disassembler(void)
{
    static const char *const folders[] = {"CUDA_HOME", "CUDA_PATH"};
    char *found = rl_find_tool("nvdisasm");
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && !found; i++) {
        const char *folder = getenv(folders[i]);
        char *path = folder && *folder ? rl_path_join(folder, "bin/nvdisasm") : NULL;
        found = path ? rl_find_program(path) : NULL;
        free(path);
    }
    return found ? found : rl_find_program("/usr/local/cuda/bin/nvdisasm");
}

enum rl_status rl_disassemble(const char *tool, const void *cubin, size_t size, double timeout_s, struct rl_buf *out,
                              struct rl_err *err)
{
    char *folder = NULL;
    if (size > RL_DISASSEMBLY_MOST)
        return rl_err_set(err, RL_UNSUPPORTED, "a module of %zu MB is not taken apart", size / 1000000);
    RL_TRY(rl_make_temp_dir(&folder, err));
    RL_FREED char *file = rl_path_join(folder, "module.cubin");
    enum rl_status status = rl_write_file_unsynced(file, cubin, size, err);
    if (status == RL_OK) {
        const char *const argv[] = {tool, "-c", file, NULL};
        const struct rl_spawn spawn = {.argv = argv, .timeout_s = timeout_s, .output_limit = RL_DISASSEMBLY_MOST};
        struct rl_spawn_result result = {0};
        status = rl_spawn_run(&spawn, &result, err);
        if (status == RL_OK && result.exit_status != 0)
            status = rl_err_set(err, RL_FAILED, "%s ended with status %d", tool, result.exit_status);
        if (status == RL_OK)
            rl_buf_add(out, result.out.data, result.out.len);
        rl_spawn_result_release(&result);
    }
    rl_remove_tree(folder);
    free(folder);
    return status;
}

/* ".text.NAME:" begins a function. */
static bool is_start(const char *line, size_t length, size_t *name, size_t *name_length)
{
    static const char start[] = ".text.";
    const size_t begun = sizeof start - 1;
    if (length < begun + 2 || strncmp(line, start, begun) != 0 || line[length - 1] != ':')
        return false;
    *name = begun;
    *name_length = length - begun - 1;
    return true;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The offset, as a comment: returns what is behind it; NULL: there is none. */
static const char *read_offset(const char *at, const char *end, uint64_t *offset)
{
    enum { MOST_DIGITS = 12 };
    int digits = 0;
    if (end - at < 5 || at[0] != '/' || at[1] != '*')
        return NULL;
    *offset = 0;
    for (at += 2; at < end && digit_of(*at) >= 0 && digits <= MOST_DIGITS; at++, digits++)
        *offset = *offset * 16 + (uint64_t)digit_of(*at);
    const bool whole = digits && digits <= MOST_DIGITS && end - at >= 2 && at[0] == '*' && at[1] == '/';
    return whole ? at + 2 : NULL;
}

/* Blanks, the offset, the text, a semicolon. */
static bool is_instruction(const char *line, size_t length, struct rl_disassembled *is)
{
    const char *at = line, *end = line + length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    is->text = read_offset(at, end, &is->offset);
    const char *semicolon = is->text ? memchr(is->text, ';', (size_t)(end - is->text)) : NULL;
    is->text_length = semicolon ? (size_t)(semicolon - is->text) : 0;
    return semicolon != NULL;
}

bool rl_disassembly_next(const struct rl_buf *printed, struct rl_disassembly *walk, struct rl_disassembled *next)
{
    while (walk->at < printed->len) {
        const char *line = printed->data + walk->at;
        size_t left = printed->len - walk->at;
        const char *end = memchr(line, '\n', left);
        const size_t length = end ? (size_t)(end - line) : left, here = walk->at;
        size_t name, name_length;
        walk->at += length + 1;
        if (is_start(line, length, &name, &name_length)) {
            walk->function = here + name;
            walk->function_length = name_length;
        } else if (walk->function_length && is_instruction(line, length, next)) {
            next->function = printed->data + walk->function;
            next->function_length = walk->function_length;
            return true;
        }
    }
    return false;
}

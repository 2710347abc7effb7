/* make_listings.c - the code of the suite's kernels as data: what runs on the card of each experiment's .cu files. What stands
 * around it (buffers, launches, checks) is not what an experiment is about.
 *
 *   make_listings OUTPUT.c SOURCE.cu ...
 *
 * A source is a sequence of definitions, parted by empty lines outside of braces. Those with __global__, __device__ or __constant__
 * are taken, and constants and types that stand before the last of them. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fs.h"
#include "core/mem.h"

enum { MOST_BYTES = 1 << 20, MOST_PARTS = 1024 };

struct part {
    const char *at;
    size_t len;
    bool device, helper;
};

static bool has(const struct part *part, const char *word)
{
    return memmem(part->at, part->len, word, strlen(word)) != NULL;
}

/* Whether the first line that is no comment begins so. */
static bool begins(const struct part *part, const char *word)
{
    const char *at = part->at, *end = part->at + part->len;
    while (at < end && strncmp(at, "/*", 2) == 0) {
        const char *close = memmem(at, (size_t)(end - at), "*/", 2);
        at = close ? close + 2 : end;
        at += strspn(at, "\n");
    }
    return at < end && strncmp(at, word, strlen(word)) == 0;
}

static struct part part_of(const char *at, size_t len)
{
    static const char *const of_device[] = {"__global__", "__device__", "__constant__"};
    static const char *const helpers[] = {"enum", "struct", "#define", "using", "typedef", "namespace"};
    struct part part = {.at = at, .len = len};
    for (size_t i = 0; i < RL_COUNT(of_device); i++)
        part.device |= has(&part, of_device[i]);
    for (size_t i = 0; i < RL_COUNT(helpers); i++)
        part.helper |= begins(&part, helpers[i]);
    return part;
}

static long depth_of(const char *line, size_t len)
{
    long depth = 0;
    for (size_t i = 0; i < len; i++)
        depth += (line[i] == '{') - (line[i] == '}');
    return depth;
}

static size_t parts_of(const char *text, struct part parts[MOST_PARTS])
{
    const char *begin = text;
    size_t count = 0;
    long depth = 0;
    for (const char *line = text; *line && count < MOST_PARTS;) {
        const size_t len = strcspn(line, "\n");
        depth += depth_of(line, len);
        if (len == 0 && depth == 0) {
            if (line > begin)
                parts[count++] = part_of(begin, (size_t)(line - begin));
            begin = line + 1;
        }
        line += len + (line[len] != 0);
    }
    if (*begin && count < MOST_PARTS)
        parts[count++] = part_of(begin, strlen(begin));
    return count;
}

static void add_literal(struct rl_buf *out, const struct part *part)
{
    rl_buf_adds(out, "    \"");
    for (size_t i = 0; i < part->len; i++) {
        const char c = part->at[i];
        if (c == '\n')
            rl_buf_adds(out, i + 1 < part->len ? "\\n\"\n    \"" : "");
        else
            rl_buf_addf(out, c == '"' || c == '\\' ? "\\%c" : c == '?' ? "\\%c" : "%c", c);
    }
    rl_buf_adds(out, "\\n\"\n");
}

static bool add_source(struct rl_buf *out, const char *path, struct rl_err *err)
{
    struct rl_buf text = RL_BUF_INIT;
    struct part *parts = rl_calloc(MOST_PARTS, sizeof *parts);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (rl_read_file(path, MOST_BYTES, &text, err) != RL_OK)
        return false;
    const size_t count = parts_of(text.data, parts);
    size_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = parts[i].device ? i + 1 : last;
    if (last > 0)
        rl_buf_addf(out, "    {\"%.*s\",\n", (int)strcspn(name, "."), name);
    for (size_t i = 0, said = 0; i < last; i++) {
        if (!parts[i].device && !parts[i].helper)
            continue;
        rl_buf_adds(out, said++ ? "    \"\\n\"\n" : "");
        add_literal(out, &parts[i]);
    }
    rl_buf_adds(out, last > 0 ? "    },\n" : "");
    free(parts);
    rl_buf_release(&text);
    return true;
}

int main(int argc, char **argv)
{
    struct rl_buf out = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    rl_buf_adds(&out, "/* made by make_listings */\n#include \"kernels/listing.h\"\n\n"
                      "const struct rl_suite_listing rl_suite_listings[] = {\n");
    bool good = argc > 2;
    for (int i = 2; i < argc && good; i++)
        good = add_source(&out, argv[i], &err);
    rl_buf_adds(&out, "};\nconst size_t rl_suite_listing_count = sizeof rl_suite_listings / sizeof rl_suite_listings[0];\n");
    good = good && rl_write_file_atomic(argv[1], out.data, out.len, &err) == RL_OK;
    if (!good)
        fprintf(stderr, "make_listings: %s\n", argc > 2 ? err.text : "OUTPUT.c SOURCE.cu ...");
    rl_buf_release(&out);
    return good ? 0 : 1;
}

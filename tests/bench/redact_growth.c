/* redact_growth.c - processor time that redaction takes for captures of 1, 4 and 16 times the size (docs/data/benchmarks-host.md).
 *
 *   redact_growth [TEXTS]      lines of: what the texts are made of, their number, bytes of the file, seconds
 *
 * The rows are what could grow faster than the capture: names of hosts that every text is held against, quotation marks and paths
 * that do not end, words that may be secrets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/capture.h"
#include "core/mem.h"

static const struct {
    const char *what, *text;
    size_t repeated; /* in one text */
} rows[] = {
    {"words", "pass %zu of node%zu took 3.5 ms and read 12 GB of memory", 1},
    {"paths and addresses", "read /data/run %zu/x of 10.1.2.3 and s3://bucket/%zu, TOKEN=abc", 1},
    {"long texts of quotation marks", "'a \"b `c %zu %zu ", 200},
    {"long texts of paths", "$a /b ~c a/b/c/ %zu %zu", 200},
    {"long texts of names", "key-token.a_b %zu %zu a::b::c<", 200},
    {"long texts of letters and digits", "aB3aB3+/aB3%zu%zuaB3-aB3_", 200},
};

static struct rl_capture *make(size_t row, size_t texts)
{
    struct rl_capture *capture = rl_capture_new();
    for (size_t i = 0; i < texts; i++) {
        struct rl_buf text = RL_BUF_INIT;
        const char *form = rows[row].text, *first = strstr(form, "%zu"), *second = strstr(first + 3, "%zu");
        for (size_t k = 0; k < rows[row].repeated; k++)
            rl_buf_addf(&text, "%.*s%zu%.*s%zu%s", (int)(first - form), form, i, (int)(second - first - 3), first + 3, k,
                        second + 3);
        struct rl_process *process = rl_capture_add_process(capture);
        process->host = rl_arena_printf(&capture->arena, "node%zu.cluster.example", i);
        process->command = rl_capture_text(capture, text.data);
        process->phases = rl_capture_text(capture, text.data);
        process->end = rl_capture_text(capture, "exited");
        struct rl_range *range = rl_capture_add_range(capture);
        range->process = i;
        range->parent = RL_NONE;
        range->name = rl_capture_text(capture, text.data);
        struct rl_kernel *kernel;
        if (capture->gpu_count == 0)
            rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "x");
        kernel = rl_capture_add_kernel(capture);
        kernel->variant = RL_NONE;
        kernel->name = rl_capture_text(capture, text.data);
        rl_buf_release(&text);
    }
    return capture;
}

static int measure(size_t row, size_t texts)
{
    const struct rl_redaction how = {.key = "k"};
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    struct rl_capture *capture = make(row, texts);
    if (rl_capture_write_bytes(capture, &bytes, &err) != RL_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    clock_t start = clock();
    rl_capture_redact(capture, &how);
    printf("%-34s %8zu %10zu bytes %8.3f s\n", rows[row].what, texts, bytes.len, (double)(clock() - start) / CLOCKS_PER_SEC);
    fflush(stdout);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
    return 0;
}

int main(int argc, char **argv)
{
    const size_t texts = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
    for (size_t row = 0; row < RL_COUNT(rows); row++)
        for (size_t factor = 1; factor <= 16; factor *= 4)
            if (measure(row, texts * factor))
                return 1;
    return 0;
}

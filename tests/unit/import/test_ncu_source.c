/* What reports of Nsight Compute say of single instructions: samples, counts, and the lines that a module has for them. */
#include "report.h"

#include "core/fs.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- a module: one function, 64 bytes of instructions, and its program of lines ---- */

static void little(struct rl_buf *to, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        rl_buf_addch(to, i < sizeof value ? (char)(value >> 8 * i) : 0);
}

static void words(struct rl_buf *to, const char *text)
{
    rl_buf_add(to, text, strlen(text) + 1);
}

/* Offsets 0 and 16 are of line 7 of the first file, 32 of line 9 of the second one, 48 of line 7 again. */
static struct rl_buf line_program(unsigned version, uint64_t *address_at)
{
    struct rl_buf all = RL_BUF_INIT, head = RL_BUF_INIT, program = RL_BUF_INIT;

    little(&head, 1, 1); /* least instruction */
    if (version == 4)
        little(&head, 1, 1);
    rl_buf_add(&head, "\1\xFB\x0E\x0A\0\1\1\1\1\0\0\0\1", 13); /* statements, base -5, range 14, 9 operands */
    words(&head, "/src/app");
    words(&head, "");
    words(&head, "relax.cu");
    rl_buf_add(&head, "\1\0\0", 3);
    words(&head, "/usr/include/vector.h");
    rl_buf_add(&head, "\1\0\0", 3); /* whole, although it names a folder */
    words(&head, "");
    rl_buf_add(&program, "\0\x09\2", 3);
    const size_t address = program.len;
    little(&program, 0, 8);
    rl_buf_add(&program, "\3\6\1", 3);                 /* line 7, row */
    rl_buf_add(&program, "\2\x20\4\2\3\2\1", 7);       /* 32 on, second file, line 9, row */
    rl_buf_add(&program, "\x09\x10\0\4\1\3\x7E\1", 8); /* 16 on, first file, line 7, row */
    rl_buf_add(&program, "\2\x10\0\1\1", 5);           /* 16 on, end */
    little(&all, 2 + 4 + head.len + program.len, 4);
    little(&all, version, 2);
    little(&all, head.len, 4);
    rl_buf_add(&all, head.data, head.len);
    *address_at = all.len + address;
    rl_buf_add(&all, program.data, program.len);
    rl_buf_release(&head);
    rl_buf_release(&program);
    return all;
}

struct section {
    const char *name;
    unsigned type;
    struct rl_buf bytes;
    size_t size; /* where it has no bytes */
};

static struct rl_buf elf_of(struct section *sections, size_t count)
{
    struct rl_buf file = RL_BUF_INIT, names = RL_BUF_INIT, table = RL_BUF_INIT;

    rl_buf_add(&file,
               "\x7F"
               "ELF\2\1\1\0\0\0\0\0\0\0\0\0",
               16);
    little(&file, 0, 48);
    for (size_t i = 0; i < count; i++) {
        little(&table, names.len, 4);
        words(&names, sections[i].name);
        if (strcmp(sections[i].name, ".shstrtab") == 0)
            rl_buf_add(&sections[i].bytes, names.data, names.len); /* the last one */
        little(&table, sections[i].type, 4);
        little(&table, 0, 16);
        little(&table, file.len, 8);
        little(&table, sections[i].size ? sections[i].size : sections[i].bytes.len, 8);
        little(&table, 0, 24);
        rl_buf_add(&file, sections[i].bytes.data, sections[i].bytes.len);
        rl_buf_release(&sections[i].bytes);
    }
    const size_t at = file.len;
    rl_buf_add(&file, table.data, table.len);
    for (unsigned i = 0; i < 8; i++)
        file.data[40 + i] = (char)((uint64_t)at >> 8 * i);
    file.data[58] = 64;
    file.data[60] = (char)count;
    file.data[62] = (char)(count - 1);
    rl_buf_release(&names);
    rl_buf_release(&table);
    return file;
}

/* `rela`: relocations have addends, as those of Triton's modules. */
static struct rl_buf cubin_of(unsigned version, bool rela)
{
    uint64_t address = 0;
    struct section sections[] = {
        {.name = "", .type = 0},
        {.name = ".text._Z5relaxi", .type = 1},
        {.name = ".symtab", .type = 2},
        {.name = ".debug_line", .type = 1, .bytes = line_program(version, &address)},
        {.name = rela ? ".rela.debug_line" : ".rel.debug_line", .type = rela ? 4 : 9},
        {.name = ".nv.shared._Z5relaxi", .type = 8, .size = 4096},
        {.name = ".shstrtab", .type = 3},
    };
    little(&sections[1].bytes, 0, 64);
    little(&sections[2].bytes, 0, 24 + 6);
    little(&sections[2].bytes, 1, 2); /* second symbol, in section 1 */
    little(&sections[2].bytes, 0, 16);
    little(&sections[4].bytes, address, 8);
    little(&sections[4].bytes, UINT64_C(1) << 32 | 2, 8);
    if (rela)
        little(&sections[4].bytes, 0, 8);
    return elf_of(sections, COUNT(sections));
}

/* A module in a message, with the text of one of its files. */
static void put_module(struct report *report, struct rl_buf cubin)
{
    struct rl_buf files = RL_BUF_INIT, file = RL_BUF_INIT;

    rl_buf_reset(&report->source);
    number(&report->source, 1, MODULE);
    message(&report->source, 4, &cubin);
    text(&file, 1, "/src/app/relax.cu");
    text(&file, 2, "one\ntwo\nthree\nfour\n\nsix\r\n  x[i] += y;\neight\n");
    message(&files, 1, &file);
    message(&report->source, 8, &files);
}

/* ---- launches ---- */

#define SAMPLED(interval)                                                                                                          \
    CARD, {"gpu__time_duration.sum", DOUBLE, 16500}, {"smsp__pcsamp_interval_cycles", DOUBLE, interval},                           \
        {"launch__function_pcs", FIRST, (double)BASE}, {"smsp__pcsamp_sample_count", PLACES, 0, "0=9"},                            \
        {"smsp__pcsamp_warps_issue_stalled_wait", PLACES, 0, "0=2 16=4 32=1 48=0"},                                                \
        {"smsp__pcsamp_warps_issue_stalled_wait_not_issued", PLACES, 0, "0=1 16=4"},                                               \
        {"smsp__pcsamp_warps_issue_stalled_selected", PLACES, 0, "16=3 128=5"},                                                    \
        {"inst_executed", PLACES, 0, "0=100 16=100 32=50 48=100"}, {"thread_inst_executed_true", PLACES, 0, "0=3200 32=400"},      \
        {"memory_l2_theoretical_sectors_global", PLACES, 0, "32=1600"},                                                            \
    {                                                                                                                              \
        "memory_l2_theoretical_sectors_global_ideal", PLACES, 0, "32=200"                                                          \
    }

static const struct metric sampled[] = {SAMPLED(1024)}, sampled_often[] = {SAMPLED(32)};
/* Too short for a sample. An older version has the address itself as the value. */
static const struct metric unsampled[] = {CARD,
                                          {"gpu__time_duration.sum", DOUBLE, 16500},
                                          {"smsp__pcsamp_interval_cycles", DOUBLE, 64},
                                          {"launch__function_pcs", DOUBLE, (double)BASE},
                                          {"smsp__pcsamp_warps_issue_stalled_wait", PLACES, 0, "0=0"},
                                          {"inst_executed", PLACES, 0, "0=100"}};

static struct report report_of(unsigned version, bool rela)
{
    struct report report = begin_report(7);

    put_module(&report, cubin_of(version, rela));
    return report;
}

static struct bench read_files(struct report *report, size_t count)
{
    const struct file files[] = {{report->file.data, report->file.len}, {report->file.data, report->file.len}};
    struct bench bench = bench_files(files, count, NULL);

    rl_buf_release(&report->file);
    rl_buf_release(&report->payload);
    rl_buf_release(&report->source);
    return bench;
}

static uint64_t samples_at(const struct rl_capture *capture, size_t instruction, enum rl_stall_reason reason, bool not_issued)
{
    for (size_t i = 0; i < capture->pc_stall_count; i++)
        if (capture->pc_stalls[i].instruction == instruction && capture->pc_stalls[i].reason == reason)
            return not_issued ? capture->pc_stalls[i].not_issued : capture->pc_stalls[i].samples;
    return 0;
}

static uint64_t count_at(const struct rl_capture *capture, size_t instruction, enum rl_pc_counter counter)
{
    for (size_t i = 0; i < capture->pc_counted_count; i++)
        if (capture->pc_counts[i].instruction == instruction && capture->pc_counts[i].counter == counter)
            return capture->pc_counts[i].count;
    return 0;
}

static uint32_t line_of(const struct rl_capture *capture, size_t instruction, const char *path)
{
    const struct rl_source_line *line = &capture->source_lines[capture->pc_instructions[instruction].line];

    assert_string_equal(capture->source_files[line->file].path, path);
    return line->number;
}

static void assert_sampled(const struct rl_capture *capture, uint64_t launches)
{
    assert_int_equal(capture->pc_sampling_count, 1);
    assert_int_equal(capture->pc_samplings[0].period, 10);
    assert_int_equal(capture->pc_samplings[0].samples, launches * 15);
    assert_int_equal(capture->pc_samplings[0].unkept, launches * 5); /* behind the function */
    assert_int_equal(capture->pc_function_count, 1);
    assert_string_equal(capture->pc_functions[0].name, "_Z5relaxi");
    assert_true(capture->pc_functions[0].lines);
    assert_int_equal(capture->pc_instruction_count, 4);
    assert_int_equal(samples_at(capture, 0, RL_STALL_wait, false), launches * 2);
    assert_int_equal(samples_at(capture, 0, RL_STALL_wait, true), launches);
    assert_int_equal(samples_at(capture, 1, RL_STALL_wait, true), launches * 4);
    assert_int_equal(samples_at(capture, 1, RL_STALL_selected, false), launches * 3);
    assert_int_equal(count_at(capture, 0, RL_PC_executed), launches * 100);
    assert_int_equal(count_at(capture, 0, RL_PC_threads), launches * 3200);
    assert_int_equal(count_at(capture, 2, RL_PC_sectors), launches * 1600);
    assert_int_equal(count_at(capture, 2, RL_PC_ideal_sectors), launches * 200);
    assert_int_equal(line_of(capture, 0, "/src/app/relax.cu"), 7);
    assert_int_equal(line_of(capture, 1, "/src/app/relax.cu"), 7);
    assert_int_equal(line_of(capture, 2, "/usr/include/vector.h"), 9);
    assert_int_equal(line_of(capture, 3, "/src/app/relax.cu"), 7);
    assert_string_equal(capture->source_lines[capture->pc_instructions[0].line].text, "  x[i] += y;");
    assert_null(capture->source_lines[capture->pc_instructions[2].line].text);
}

static void lines_and_reasons(void **state)
{
    static const struct {
        unsigned version;
        bool rela;
    } rows[] = {{2, false}, {2, true}, {3, false}, {4, true}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct report report = report_of(rows[i].version, rows[i].rela);
        add_launch(&report, "_Z5relaxi", "relax", "relax(int)", sampled, COUNT(sampled));
        end_block(&report, 4711, true);
        struct bench bench = read_files(&report, 1);
        assert_sampled(bench.capture, 1);
        assert_false(bench_has(&bench, "relax", "inst_executed"));
        bench_done(&bench);
    }
}

/* What launches of a function have is added up; a launch that two files have counts once. */
static void launches_are_added(void **state)
{
    (void)state;
    for (size_t files = 1; files <= 2; files++) {
        struct report report = report_of(2, false);
        for (size_t i = 0; i < 3; i++)
            add_launch(&report, "_Z5relaxi", "relax", "relax(int)", sampled, COUNT(sampled));
        end_block(&report, 4711, true);
        struct bench bench = read_files(&report, files);
        assert_sampled(bench.capture, 3);
        bench_done(&bench);
    }
}

/* Samples taken with another period cannot be added: those that cover the most cycles are kept, the others counted. */
static void other_periods_are_left_out(void **state)
{
    struct report report = report_of(2, false);

    (void)state;
    add_launch(&report, "_Z5relaxi", "relax", "relax(int)", unsampled, COUNT(unsampled));
    add_launch(&report, "_Z5relaxi", "relax", "relax(int)", sampled_often, COUNT(sampled_often));
    add_launch(&report, "_Z5relaxi", "relax", "relax(int)", sampled, COUNT(sampled));
    end_block(&report, 4711, true);
    struct bench bench = read_files(&report, 1);
    const struct rl_capture *capture = bench.capture;
    assert_int_equal(capture->pc_sampling_count, 2);
    assert_int_equal(capture->pc_samplings[0].period, 5);
    assert_int_equal(capture->pc_samplings[0].unkept, 15);
    assert_int_equal(capture->pc_samplings[1].period, 10);
    assert_int_equal(capture->pc_samplings[1].unkept, 5);
    assert_int_equal(capture->pc_function_count, 1);
    assert_int_equal(capture->pc_functions[0].sampling, 1);
    bench_done(&bench);
}

/* Nothing is made of samples whose period or function is unknown; launches without a name of the module are left alone. */
static void what_is_not_known(void **state)
{
    struct metric without[COUNT(sampled)];

    (void)state;
    for (size_t leave = 0; leave < 2; leave++) {
        struct report report = report_of(2, false);
        memcpy(without, sampled, sizeof sampled);
        for (size_t i = 0; i < COUNT(without); i++)
            if (strcmp(without[i].name, leave ? "launch__function_pcs" : "smsp__pcsamp_interval_cycles") == 0)
                without[i].name = "x__other.sum";
        add_launch(&report, "_Z5relaxi", "relax", "relax(int)", without, COUNT(without));
        end_block(&report, 4711, true);
        struct bench bench = read_files(&report, 1);
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(bench.capture->pc_sampling_count, 0);
        bench_done(&bench);
    }
}

/* A module that is cut anywhere loses lines, not samples. */
static void damaged_modules(void **state)
{
    struct rl_buf whole = cubin_of(2, false);

    (void)state;
    for (size_t len = 1; len < whole.len; len += 7) {
        struct report report = begin_report(7);
        struct rl_buf cut = RL_BUF_INIT;
        rl_buf_add(&cut, whole.data, len);
        put_module(&report, cut);
        add_launch(&report, "_Z5relaxi", "relax", "relax(int)", sampled, COUNT(sampled));
        end_block(&report, 4711, true);
        struct bench bench = read_files(&report, 1);
        assert_int_equal(bench.capture->pc_samplings[0].samples, 15);
        assert_false(bench.capture->pc_functions[0].lines);
        bench_done(&bench);
    }
    rl_buf_release(&whole);
}

/* ---- a real one ---- */

static void published(void **state)
{
    static const char *const file = "ncu-rep/CudaCode__gemm__reps__naive.ncu-rep";
    struct rl_capture *capture = bench_there(RL_PROFILES, "RL_PROFILES", 1, &file);
    uint64_t executed = 0, barrier = 0;

    (void)state;
    assert_int_equal(capture->pc_sampling_count, 1);
    assert_int_equal(capture->pc_samplings[0].samples, 113653 + 113486); /* smsp__pcsamp_sample_count of both launches */
    assert_int_equal(capture->pc_samplings[0].unkept, 0);
    assert_string_equal(capture->pc_functions[0].name, "_Z10naive_gemmPKfS0_Pfiiiff");
    assert_false(capture->pc_functions[0].lines); /* built without -lineinfo */
    for (size_t i = 0; i < capture->pc_counted_count; i++)
        executed += capture->pc_counts[i].counter == RL_PC_executed ? capture->pc_counts[i].count : 0;
    for (size_t i = 0; i < capture->pc_stall_count; i++)
        barrier += capture->pc_stalls[i].reason == RL_STALL_barrier ? capture->pc_stalls[i].samples : 0;
    assert_int_equal(executed, 2 * UINT64_C(154632192)); /* inst_executed */
    assert_int_equal(barrier, 0);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_reasons), cmocka_unit_test(launches_are_added), cmocka_unit_test(other_periods_are_left_out),
        cmocka_unit_test(what_is_not_known), cmocka_unit_test(damaged_modules),    cmocka_unit_test(published),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Command lines: what of them a capture keeps (arguments.def says it). */
#include <pthread.h>
#include <regex.h>

#include "capture/capture.h"
#include "redact.h"

enum { LONGEST_HARMLESS = 64, LONGEST_NAME = 40 };

static const char *const harmless[] = {
#define HARMLESS(what, expression) "^(" expression ")$",
#include "arguments.def"
    "^[A-Za-z0-9_+][A-Za-z0-9_.+-]*$", /* the last one: a program's name */
};
enum { PROGRAM_NAME = RL_COUNT(harmless) - 1 };
static const char *const untold[] = {
#define UNTOLD(option) option,
#include "arguments.def"
};

static regex_t expressions[RL_COUNT(harmless)];
static pthread_once_t compiled = PTHREAD_ONCE_INIT;
static void compile(void)
{
    for (size_t i = 0; i < RL_COUNT(harmless); i++) {
        int code = regcomp(&expressions[i], harmless[i], REG_EXTENDED | REG_NOSUB);
        assert(code == 0);
        (void)code;
    }
}

static bool matches(size_t row, const char *text)
{
    assert(row < RL_COUNT(expressions));
    return strlen(text) <= LONGEST_HARMLESS && regexec(&expressions[row], text, 0, NULL, 0) == 0;
}

#define MARK "<sha256:"

bool rl_capture_is_untold(const char *word)
{
    return strncmp(word, MARK, strlen(MARK)) == 0 || strncmp(word, RL_SECRET_SIGN, strlen(RL_SECRET_SIGN)) == 0;
}

/* The part of a value that is kept. */
static void add_value(const char *text, struct rl_buf *out)
{
    size_t row = 0;
    while (row < PROGRAM_NAME && !matches(row, text))
        row++;
    if (rl_has_secret(text))
        rl_buf_adds(out, RL_SECRET_SIGN);
    else if (row < PROGRAM_NAME || !*text)
        rl_buf_adds(out, text);
    else
        rl_buf_addf(out, MARK "%.8s:%zu>", rl_sha256_of(text, strlen(text)).hex, strlen(text));
}

/* The option of `untold` that an argument is or begins with; NULL: none. */
static const char *untold_option(const char *text)
{
    for (size_t i = 0; i < RL_COUNT(untold); i++) {
        const size_t len = strlen(untold[i]);
        const bool is_short = untold[i][1] != '-';
        if (strncmp(text, untold[i], len) == 0 && (text[len] == 0 || text[len] == '=' || is_short))
            return untold[i];
    }
    return NULL;
}

static bool is_option(const char *text)
{
    return text[0] == '-' && strcmp(text, "--") != 0;
}

bool rl_capture_is_interpreter(const char *word, size_t length)
{
    static const char *const names[] = {"python", "bash", "sh", "perl", "ruby", "node", "julia", "env"};
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        const size_t len = strlen(names[i]);
        if (length >= len && memcmp(word, names[i], len) == 0 && strspn(word + len, "0123456789.") >= length - len)
            return true;
    }
    return false;
}

/* An option of an interpreter behind which its script may stand. */
static bool is_flag(const char *text)
{
    static const char flags[] = "uOBsSEIxlib";
    return text[0] == '-' && text[1] && !text[2] && strchr(flags, text[1]);
}

/* "gpu/train.py" of "python3 -u gpu/train.py": a program, too. */
static bool is_script(const char *const *arguments, size_t i)
{
    if (is_option(arguments[i]) || strchr(arguments[i], '='))
        return false;
    while (i > 0 && is_flag(arguments[i - 1]))
        i--;
    if (i == 0 || (i > 1 && strcmp(arguments[i - 2], "--") != 0))
        return false;
    const char *slash = strrchr(arguments[i - 1], '/'), *name = slash ? slash + 1 : arguments[i - 1];
    return rl_capture_is_interpreter(name, strlen(name));
}

/* Argument `i` as it is kept. */
static void keep_argument(const char *const *arguments, size_t i, struct rl_buf *out)
{
    const char *before = i > 0 ? arguments[i - 1] : "--";
    const bool is_value = is_option(before) && !is_option(arguments[i]);
    if (strcmp(before, "--") == 0 || is_script(arguments, i)) {
        /* The name of a program without its folder. */
        const char *text = arguments[i];
        const char *slash = strrchr(text, '/');
        const char *name = slash ? slash + 1 : text;
        if (matches(PROGRAM_NAME, name) && !rl_has_secret(name))
            rl_buf_adds(out, name);
        else
            add_value(text, out);
    } else if (is_option(before) && (rl_is_secret_name(before, strlen(before)) ||
                                     (is_value && untold_option(before) && strcmp(untold_option(before), before) == 0)))
        rl_buf_adds(out, RL_SECRET_SIGN);
    else {
        const char *text = arguments[i];
        const char *option = untold_option(text);
        /* Length of the name in front of '='; 0: none that may be kept. */
        const size_t dashes = strspn(text, "-");
        const size_t len = strspn(text + dashes, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
        const size_t name = dashes <= 2 && len > 0 && len <= LONGEST_NAME && text[dashes + len] == '=' ? dashes + len : 0;
        if (option)
            rl_buf_addf(out, "%s%s%s", option, text[strlen(option)] == '=' ? "=" : "", text[strlen(option)] ? RL_SECRET_SIGN : "");
        else if (name) {
            /* "--lr=0.1", "RANK=3": name and value apart. */
            rl_buf_add(out, text, name + 1);
            if (rl_is_secret_name(text, name))
                rl_buf_adds(out, text[name + 1] ? RL_SECRET_SIGN : "");
            else
                add_value(text + name + 1, out);
        } else
            add_value(text, out);
    }
}

void rl_capture_set_command(struct rl_capture *capture, const char *const *arguments, size_t count, bool keep_all)
{
    assert(arguments || count == 0);
    struct rl_session *session = &capture->session;
    session->command = rl_arena_alloc(&capture->arena, (count + 1) * sizeof *session->command);
    session->command_count = count;
    pthread_once(&compiled, compile);
    for (size_t i = 0; i < count; i++) {
        RL_SCRATCH kept = RL_BUF_INIT;
        if (!keep_all)
            keep_argument(arguments, i, &kept);
        session->command[i] = rl_capture_text(capture, keep_all ? arguments[i] : kept.data);
    }
}

char *rl_capture_command_line(struct rl_capture *capture, const char *const *arguments, size_t count, bool keep_all)
{
    assert(arguments || count == 0);
    RL_SCRATCH line = RL_BUF_INIT;
    pthread_once(&compiled, compile);
    for (size_t i = 0; i < count; i++) {
        rl_buf_adds(&line, i ? " " : "");
        if (keep_all)
            rl_buf_adds(&line, arguments[i]);
        else
            keep_argument(arguments, i, &line);
    }
    return rl_capture_text(capture, line.data);
}

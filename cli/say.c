/* say.c - messages of a command: lines on standard error. */
#include <unistd.h>

#include "command.h"

void cli_line(const char *text)
{
    enum { HANGING = 2 };
    const struct cli_terminal terminal = cli_terminal_of(STDERR_FILENO);
    RL_SCRATCH line = RL_BUF_INIT, lines = RL_BUF_INIT;
    rl_utf8_printable(&line, text, strlen(text));
    if (terminal.interactive && rl_utf8_width(line.data, line.len) > terminal.width)
        cli_wrap_whole(&lines, line.data, 0, HANGING, terminal.width);
    fprintf(stderr, "%s\n", lines.len ? lines.data : line.data);
}

void cli_usage_error(const char *text)
{
    RL_SCRATCH line = RL_BUF_INIT;
    rl_buf_addf(&line, "rooflight: %s", text);
    cli_line(line.data);
}

static void __attribute__((format(printf, 1, 0))) say(const char *format, va_list args)
{
    RL_SCRATCH text = RL_BUF_INIT;
    rl_buf_vaddf(&text, format, args);
    cli_usage_error(text.data);
}

void cli_say(const struct cli_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!call->quiet)
        say(format, args);
    va_end(args);
}

void cli_detail(const struct cli_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (call->verbose && !call->quiet)
        say(format, args);
    va_end(args);
}

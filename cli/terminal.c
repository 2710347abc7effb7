#include "terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "options.h"

enum { DEFAULT_WIDTH = 100, LEAST_WIDTH = 20, MOST_WIDTH = 1000 };

static size_t terminal_width(int descriptor)
{
    const char *columns = getenv("COLUMNS");
    uint64_t width;
    if (columns && cli_parse_number(columns, LEAST_WIDTH, MOST_WIDTH, &width))
        return (size_t)width;
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST_WIDTH)
        return size.ws_col;
    return DEFAULT_WIDTH;
}

struct cli_terminal cli_terminal_of(int descriptor)
{
    const char *no_color = getenv("NO_COLOR"), *kind = getenv("TERM");
    bool interactive = isatty(descriptor);
    const bool dumb = !kind || strcmp(kind, "dumb") == 0, colorless = no_color && *no_color;
    return (struct cli_terminal){.interactive = interactive,
                                 .bold = interactive && !dumb && !colorless,
                                 .moves = interactive && !dumb,
                                 .width = terminal_width(descriptor)};
}

/* Ends with -1. */
static int closed[4] = {-1, -1, -1, -1};

void cli_guard_streams(void)
{
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    size_t count = 0;
    for (int i = 0; i < 3; i++) {
        if (fcntl(i, F_GETFD) != -1 || errno != EBADF)
            continue;
        /* Descriptors below i are open, so the lowest free one is i. */
        if (open("/dev/null", modes[i]) != i)
            abort();
        closed[count++] = i;
    }
}

const int *cli_closed_streams(void)
{
    return closed;
}

static void ignore_signal(int number)
{
    (void)number;
}

/* By number. */
static struct sigaction before_ending[_NSIG];

/* Signals whose instruction is tried again when the handler returns, and fails again. */
static bool is_repeated(int number, const siginfo_t *info)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const bool found = RL_ANY(i, RL_COUNT(faults), faults[i] == number && info->si_code > 0); /* else it was sent by a process */
    return found;
}

/* Removes what must not stay, then lets the signal do what it would have done. */
static void end_cleanly(int number, siginfo_t *info, void *context)
{
    (void)context;
    rl_temporaries_remove();
    sigaction(number, &before_ending[number], NULL);
    if (!is_repeated(number, info))
        raise(number);
}

/* Whether a process that has made no other arrangements is ended by it. */
static bool ends(int number)
{
    static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH, SIGPIPE, SIGXFSZ};
    const bool found = RL_ANY(i, RL_COUNT(others), others[i] == number);
    return !found;
}

/* Ends with 0. */
static int inherited[4];

void cli_guard_signals(void)
{
    /* A handler instead of SIG_IGN: it does not outlive exec. Who ignores SIGCHLD never learns how its children end. */
    static const struct {
        int number;
        struct sigaction action;
    } rows[] = {{SIGPIPE, {.sa_handler = ignore_signal, .sa_flags = SA_RESTART}},
                {SIGXFSZ, {.sa_handler = ignore_signal, .sa_flags = SA_RESTART}},
                {SIGCHLD, {.sa_handler = SIG_DFL}}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sigaction before;
        int failed = sigaction(rows[i].number, &rows[i].action, &before);
        assert(failed == 0);
        if (failed == 0 && before.sa_handler == SIG_IGN)
            inherited[count++] = rows[i].number;
    }
    /* A signal that is ignored, as below nohup, stays so. */
    static char stack[1 << 17]; /* where the usual one is used up */
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = end_cleanly, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    (void)sigaltstack(&other, NULL);
    for (int i = 1; i < _NSIG; i++)
        if (ends(i) && sigaction(i, NULL, &before_ending[i]) == 0 && before_ending[i].sa_handler != SIG_IGN)
            sigaction(i, &action, NULL);
}

const int *cli_ignored_signals(void)
{
    return inherited;
}

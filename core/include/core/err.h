/* err.h - status codes and error texts.
 *
 * Every library function that can fail returns an `enum rl_status` and, unless it is RL_OK, leaves one line in `struct rl_err`:
 * object, cause, remedy. Libraries never print and never exit; the command prints the line and exits with rl_status_exit_code.
 *
 *     struct rl_err err = RL_ERR_INIT;
 *     if (rl_capture_open(path, &capture, &err) != RL_OK)
 *         fprintf(stderr, "rooflight: %s\n", err.text);
 */
#pragma once

#include <stdarg.h>

enum rl_status {
    RL_OK = 0,
    RL_FAILED,      /* any other failure; the text has the reason */
    RL_USAGE,       /* wrong usage: unknown option, experiment, variant, metric or GPU */
    RL_REGRESSION,  /* a gate of `compare` found a regression */
    RL_OPEN,        /* a gate of `compare` cannot decide: not enough evidence */
    RL_IO,          /* a file could not be read or written */
    RL_FORMAT,      /* input has another format, or is damaged */
    RL_VERSION,     /* input has a version that cannot be read */
    RL_UNSUPPORTED, /* by the device, the driver or the library */
    RL_PERMISSION,  /* the driver refuses access to the counters, or to the clocks */
    RL_BUSY,        /* another tool holds the counters */
    RL_ABSENT,      /* a device, library, program or file does not exist */
    RL_TIMEOUT,     /* a time limit ran out */
};

/* One line of at most 1023 bytes, always terminated; longer texts are cut at a UTF-8 boundary and end in "...". Words of more than
 * 256 bytes (names that a user typed) are shortened in the middle first. */
struct rl_err {
    char text[1024];
};

#define RL_ERR_INIT {{0}}

/* Writes the formatted text into `err` (may be NULL) and returns `status`:
 * `return rl_err_set(err, RL_IO, "cannot open '%s': %s", path, strerror(errno));`.
 * Line breaks and other control characters in the result are replaced by '?'. */
enum rl_status rl_err_set(struct rl_err *err, enum rl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with the arguments of a caller; `args` is used up. */
enum rl_status rl_err_vset(struct rl_err *err, enum rl_status status, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Puts the formatted text and ": " in front of the existing text and returns `status`. */
enum rl_status rl_err_context(struct rl_err *err, enum rl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Runs the next step if all previous ones succeeded: `status` gets its status. */
#define RL_THEN(status, ...)                                                                                                       \
    do {                                                                                                                           \
        if ((status) == RL_OK)                                                                                                     \
            (status) = (__VA_ARGS__);                                                                                              \
    } while (0)
/* Returns from the function with the status of `expression` unless it is RL_OK. */
#define RL_TRY(expression)                                                                                                         \
    do {                                                                                                                           \
        const enum rl_status status_ = (expression);                                                                               \
        if (status_ != RL_OK)                                                                                                      \
            return status_;                                                                                                        \
    } while (0)

/* Exit status of the command: 0 for RL_OK, 2 for RL_USAGE, 3 for RL_REGRESSION, 4 for RL_OPEN, 1 for everything else. */
int rl_status_exit_code(enum rl_status status);

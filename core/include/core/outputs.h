/* outputs.h - declares the files that a command reads and writes, before it begins.
 *
 * It guarantees that no input is ever overwritten, even through a link or another spelling of its name, and that no work begins
 * whose result cannot be written.
 */
#pragma once

#include <stddef.h>

#include "core/err.h"

enum rl_file_role {
    RL_FILE_READ,
    RL_FILE_WRITTEN,   /* by rl_write_file_atomic and its like */
    RL_FILE_OPEN,      /* written, and already open, such as standard output */
    RL_FOLDER_WRITTEN, /* files are written into it; it is made if missing */
};

struct rl_file_use {
    enum rl_file_role role;
    const char *path;
    const char *who;     /* for messages: "--notes"; "the input" */
    const char *endings; /* of a folder: endings of the names written there, each after a blank: " .svg .png" */
};

/* RL_USAGE if an output is an input, or another output, or is in a folder into which names with its ending are written; otherwise
 * RL_IO if an output cannot be written. Only files with content are compared: /dev/null may occur any number of times. Names of
 * outputs that do not exist yet are compared without case, as some file systems do. From RL_OK on no function of core/fs.h replaces
 * an input. Temporary files of killed processes in the outputs' folders are removed. */
enum rl_status rl_outputs_declare(const struct rl_file_use *uses, size_t count, struct rl_err *err);

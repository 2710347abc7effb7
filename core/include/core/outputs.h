/* outputs.h - what a command reads and writes, said before it begins.
 *
 * Two promises rest on it: no input is ever overwritten, under whatever name it goes (links of both kinds, another spelling), and
 * no work is begun whose result cannot be written.
 */
#ifndef RL_CORE_OUTPUTS_H
#define RL_CORE_OUTPUTS_H

#include <stddef.h>

#include "core/err.h"

enum rl_file_role {
    RL_FILE_READ,
    RL_FILE_WRITTEN,   /* by rl_write_file_atomic and its like */
    RL_FILE_OPEN,      /* written, too, and open already, as standard output is */
    RL_FOLDER_WRITTEN, /* files are written into it; it is made when it is missing */
};

struct rl_file_use {
    enum rl_file_role role;
    const char *path;
    const char *who;     /* for messages: "--notes"; "the input" */
    const char *endings; /* of a folder: how the names end that are written there, each behind a blank: " .svg .png" */
};

/* RL_USAGE when an output is an input, or another output, or lies in a folder where names of its ending are written; then RL_IO
 * when an output cannot be written. Only files with content are compared: /dev/null may be named any number of times. Names of
 * outputs that do not exist yet are compared ignoring case, as some file systems do. On RL_OK the inputs are noted: no function of
 * core/fs.h replaces one from then on. Files that killed processes have left in the outputs' folders are removed. */
enum rl_status rl_outputs_declare(const struct rl_file_use *uses, size_t count, struct rl_err *err);

#endif

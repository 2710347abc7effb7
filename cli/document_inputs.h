/* document_inputs.h - what users give for a document besides captures: their notes, a picture. */
#ifndef RL_CLI_DOCUMENT_INPUTS_H
#define RL_CLI_DOCUMENT_INPUTS_H

#include "core/buf.h"
#include "core/err.h"
#include "media/report.h"

struct cli_document_inputs {
    struct rl_buf logo, notes;
    const char *logo_path, *notes_path; /* NULL: not given */
};

/* Reads the files that are given. Release `inputs` in every case. */
enum rl_status cli_document_read(struct cli_document_inputs *inputs, const char *logo, const char *notes, struct rl_err *err);
/* Hands them over to a document, which borrows them. */
void cli_document_give(const struct cli_document_inputs *inputs, struct rl_report_options *options);
/* Adds to an error of a document which file is at fault, when it is the picture. */
enum rl_status cli_document_blame(const struct cli_document_inputs *inputs, enum rl_status status, struct rl_err *err);
/* Frees them. */
void cli_document_release(struct cli_document_inputs *inputs);

#endif

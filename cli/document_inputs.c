/* document_inputs.c - see document_inputs.h. */
#include "document_inputs.h"

#include "core/fs.h"
#include "output.h"

enum { LOGO_MOST = 8 << 20, NOTES_MOST = 1 << 20 };

enum rl_status cli_document_read(struct cli_document_inputs *inputs, const char *logo, const char *notes, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    *inputs = (struct cli_document_inputs){RL_BUF_INIT, RL_BUF_INIT, logo, notes};
    if (logo)
        status = rl_read_input(logo, LOGO_MOST, &inputs->logo, err);
    if (status == RL_OK && notes)
        status = rl_read_input(notes, NOTES_MOST, &inputs->notes, err);
    return status;
}

void cli_document_give(const struct cli_document_inputs *inputs, struct rl_report_options *options)
{
    options->logo = inputs->logo_path ? inputs->logo.data : NULL;
    options->logo_len = inputs->logo.len;
    options->notes = inputs->notes_path ? inputs->notes.data : NULL;
    options->notes_len = inputs->notes.len;
}

enum rl_status cli_document_blame(const struct cli_document_inputs *inputs, enum rl_status status, struct rl_err *err)
{
    if (status == RL_FORMAT && inputs->logo_path)
        return rl_err_context(err, status, "'%s'", rl_input_name(inputs->logo_path));
    return status;
}

void cli_document_release(struct cli_document_inputs *inputs)
{
    rl_buf_release(&inputs->logo);
    rl_buf_release(&inputs->notes);
}

/* compare_document.h - the document of `rooflight compare`: what users say of it, and how it is written. */
#ifndef RL_CLI_COMPARE_DOCUMENT_H
#define RL_CLI_COMPARE_DOCUMENT_H

#include "command.h"
#include "compare.h"
#include "document_inputs.h"
#include "options.h"

struct compare_document_options {
    const char *title, *author, *logo, *notes, *only; /* as `report` has them */
    bool full;
};
/* clang-format off */
#define COMPARE_DOCUMENT_OPTIONS(options, member)                                                                                  \
    {0, "title", CLI_TEXT, offsetof(struct options, member.title), "TEXT",                                                         \
     .help = "title of the document, above every page"},                                                                           \
    {0, "author", CLI_TEXT, offsetof(struct options, member.author), "TEXT",                                                       \
     .help = "who made it: above the first page and in the document's properties"},                                                \
    {0, "logo", CLI_INPUT, offsetof(struct options, member.logo), "PNG",                                                           \
     .help = "a picture for the upper right corner of the document's first page"},                                                 \
    {0, "notes", CLI_INPUT, offsetof(struct options, member.notes), "FILE",                                                        \
     .help = "your own text on a page of the document: Markdown if FILE ends in .md or .markdown, plain otherwise"},               \
    {0, "full", CLI_FLAG, offsetof(struct options, member.full),                                                                   \
     .help = "with what the document leaves out otherwise: every kernel with its interval, what was matched how, the method in "   \
             "full"},                                                                                                              \
    {0, "only", CLI_TEXT, offsetof(struct options, member.only), "SECTION,...",                                                    \
     .help = "only these sections of the document, including those that it leaves out otherwise; a wrong name makes the "          \
             "command list the right ones"}
/* clang-format on */

/* The option that needs more than one GPU's captures to mean something, without its dashes; NULL: none was given. */
const char *compare_document_option(const struct compare_document_options *options);
/* Reads notes and picture, before any capture is read or measured. */
enum rl_status compare_document_prepare(const struct compare_document_options *options, struct compare *compare,
                                        struct rl_err *err);
/* Makes the document and writes it to `output`. */
enum rl_status compare_document_write(const struct cli_call *call, const struct compare *compare, const char *output,
                                      struct rl_err *err);
/* Frees what compare_document_prepare allocated. */
void compare_document_release(struct compare *compare);

#endif

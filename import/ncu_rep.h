/* ncu_rep.h - Nsight Compute's report (.ncu-rep) as it is, without ncu (private to import/).
 *
 * A report is "NVR\0", a header with the version of the format, and blocks: a header, then as many bytes of messages as it says,
 * each behind its length in 4 bytes. All are protocol buffers; NVIDIA ships their definitions with Nsight Compute, in
 * extras/FileFormat. The names of all metrics stand in headers, some behind the launches that refer to them, so that headers are
 * read first. Then one launch at a time is in memory. Its values go where those of a row of ncu --csv --page raw go, which prints
 * the same ones.
 */
#ifndef RL_IMPORT_NCU_REP_H
#define RL_IMPORT_NCU_REP_H

#include "reader.h"

/* Whether a file that begins like this (rl_lines_head) is a report. */
bool rl_ncu_rep_begins(struct rl_text head);
/* Reads all launches. RL_FORMAT when there is none, or when its format is older than those that were tried. */
enum rl_status rl_ncu_rep_read(struct rl_reader *reader, struct rl_lines *lines, struct rl_err *err);

#endif

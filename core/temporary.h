/* temporary.h - files and folders that must not outlive their process. Private to core/.
 *
 * Each is noted in a table before it is made, so that a signal's handler can remove it (rl_temporaries_remove), and holds a lock
 * (flock) as long as its process lives. Files that SIGKILL has left are known by that: its name is one of ours, its owner is this
 * user, and its lock is free. Where that cannot be seen it is left alone: where a file system has no locks, and what another
 * machine, or this one before it was started anew, has written.
 */
#pragma once

#include <sys/types.h>

struct rl_temporary;

/* Makes ".BASE.rooflight-HEX" in `folder` with `mode` less the umask and returns it open for writing; -1 with errno. */
int rl_temporary_file(const char *folder, const char *base, mode_t mode, struct rl_temporary **temporary);
/* Makes the private folder "rooflight-HEX" in `folder`. Returns errno or 0. */
int rl_temporary_folder(const char *folder, struct rl_temporary **temporary);

/* The path of a file or folder that was made; it lives as long as that. */
const char *rl_temporary_path(const struct rl_temporary *temporary);
/* It has its final name now. Returns errno or 0. */
int rl_temporary_rename(struct rl_temporary *temporary, const char *path);
/* Removes it. What cannot be removed stays noted, so that the end of the process tries again. */
void rl_temporary_remove(struct rl_temporary *temporary);

/* Removes what killed processes of this user have left in `folder`. */
void rl_temporaries_sweep(const char *folder);

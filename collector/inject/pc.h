/* pc.h - samples of instructions in the observed program, and the modules that say which lines they are of. Private to
 * collector/inject. */
#pragma once

#include "inject.h"

/* ---- modules.c ---- */

/* A module was loaded: it is kept when it has a table of lines, and there is room. */
void module_loaded(const void *cubin, size_t size);
/* Whether a module has a table of lines; false also for what is none. For the tests, too. */
bool module_has_lines(const char *bytes, size_t size);
/* An instruction of the module with this checksum was sampled: the parent is to have it. Under `lock`, as the next ones. */
void module_want(uint64_t crc);
/* Puts what is wanted into the stream, as far as there is room. */
void modules_flush(void);

/* ---- pc.c; nothing unless the settings ask for it ---- */

/* A context was made: its GPU is sampled from now on. Says why not where it cannot be. */
void pc_context_made(CUcontext context);
/* It is about to be destroyed. */
void pc_context_gone(CUcontext context);
/* The program has loaded a module, which is in memory at `cubin`. */
void pc_module_loaded(const void *cubin, size_t size);
/* It is about to unload one: what was sampled is taken before long. */
void pc_module_gone(void);
/* By the worker: takes what was sampled, if that has not been done for a while. */
void pc_gather(void);
/* By the worker, when the process ends: the last of it. */
void pc_end(void);

/* pc.h - PC sampling in the profiled program, and the modules that map instructions to source lines. Private to collector/inject.
 */
#pragma once

#include "inject.h"

/* ---- modules.c ---- */

/* A module was loaded: keeps a copy if it has a line table and there is room. */
void module_loaded(const void *cubin, size_t size);
/* Whether the bytes are a module with a line table. For tests, too. */
bool module_has_lines(const char *bytes, size_t size);
/* An instruction of the module with this checksum was sampled, so the parent needs the module. Under `lock`, as the next one. */
void module_want(uint64_t crc);
/* Writes needed modules into the stream as room permits. */
void modules_flush(void);

/* ---- pc.c; inactive unless the settings ask for PC sampling ---- */

/* A context was created: samples its GPU from now on, or reports why it cannot. */
void pc_context_made(CUcontext context);
/* The context is about to be destroyed. */
void pc_context_gone(CUcontext context);
/* The program loaded a module, which is at `cubin`. */
void pc_module_loaded(const void *cubin, size_t size);
/* The program is about to unload a module: its samples are read soon. */
void pc_module_gone(void);
/* Called by the worker: reads the samples, unless that was done recently. */
void pc_gather(void);
/* Called by the worker when the process ends: reads the last samples. */
void pc_end(void);

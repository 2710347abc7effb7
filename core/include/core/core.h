/* core.h - what most files start from: the headers of the C library and of core/ that nearly all of them need. A file names itself
 * only what is rarer. Headers that kernels in CUDA include name what they need.
 */
#pragma once

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/sort.h"
#include "core/stats.h"
#include "core/units.h"
#include "core/utf8.h"
#include "core/value.h"

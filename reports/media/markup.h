/* markup.h - texts and numbers for XML and HTML. */
#pragma once

#include "core/buf.h"

/* Appends a text that may hold any bytes: nothing of it is markup, neither between tags nor in a quoted attribute, and every
 * character is one that XML allows. */
void rl_markup_text(struct rl_buf *out, const char *text, size_t len);
/* A number to hundredths, without trailing zeros, the same in every locale. */
void rl_markup_number(struct rl_buf *out, double value);

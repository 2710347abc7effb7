/* extract.h - the capture that a report carries, back out of the document.
 *
 * A PDF is hostile input, and a report may have been saved by other programs since it was made: annotated, signed, repaired,
 * compressed anew. All of them leave an embedded file as a separate object (ISO 32000-1, 7.3.8 and 7.11.4: a stream is never
 * inside another one), so that is what is looked for, wherever it stands. The document's own tables are not trusted, and not
 * needed.
 */
#ifndef RL_MEDIA_EXTRACT_H
#define RL_MEDIA_EXTRACT_H

#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/fs.h"

struct rl_extracted {
    struct rl_sha256 sha256; /* of the bytes */
    size_t others;           /* further, different captures that it carries */
};

/* Appends the first capture in the PDF at `pdf` (`len` bytes) that has the hash that stands next to it to `out`, byte for byte what
 * was attached, and describes it. RL_FORMAT: not a PDF, encrypted, or what is attached is damaged, or has another hash; RL_ABSENT:
 * no capture with a hash is attached. `out` is then as it was. No input makes more than RL_CAPTURE_MAX_BYTES of it. */
enum rl_status rl_report_extract(const void *pdf, size_t len, struct rl_buf *out, struct rl_extracted *extracted,
                                 struct rl_err *err);

#endif

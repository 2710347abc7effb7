/* extract.h - extracts the capture that is embedded in a report.
 *
 * A PDF is untrusted, and other programs may have saved the report since (annotated, signed, repaired, recompressed). They all keep
 * an embedded file as a separate object (ISO 32000-1, 7.3.8 and 7.11.4: a stream is never inside another one), so all objects are
 * searched; the document's cross-reference tables are not used.
 */
#pragma once

#include "core/core.h"

struct rl_extracted {
    struct rl_sha256 sha256; /* of the bytes */
    size_t others;           /* number of further, different captures in the document */
};

/* Appends the first attached capture of the PDF at `pdf` (`len` bytes) that matches its recorded hash to `out`, byte for byte, and
 * fills `extracted`. RL_FORMAT: not a PDF, encrypted, or the attachment is damaged or has another hash; RL_ABSENT: no capture with
 * a hash is attached; `out` is then unchanged. It appends at most RL_CAPTURE_MAX_BYTES. */
enum rl_status rl_report_extract(const void *pdf, size_t len, struct rl_buf *out, struct rl_extracted *extracted,
                                 struct rl_err *err);

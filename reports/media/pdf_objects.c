/* pdf_objects.c - what all files pdf*.c write with: errors, numbers and texts of PDF, packed streams (see pdf_private.h). */
#include "pdf_private.h"

#include <zlib.h>

void rl_pdf_note_error(HPDF_STATUS error, HPDF_STATUS detail, void *user)
{
    struct rl_pdf *pdf = user;
    if (!pdf->error) {
        pdf->error = error;
        pdf->detail = detail;
    }
}

bool rl_pdf_ready(const struct rl_pdf *pdf)
{
    return !pdf->error && pdf->page;
}

bool rl_pdf_drawable(double x, double y)
{
    return fabs(x) <= RL_PDF_FAR && fabs(y) <= RL_PDF_FAR;
} /* false for NaN */

HPDF_REAL rl_pdf_real(double v)
{
    return (HPDF_REAL)v;
}

/* ---- operators, numbers and texts ---- */

/* Writes operators that libharu has no function for. */
void rl_pdf_raw(struct rl_pdf *pdf, const char *operators)
{
    if (pdf->contents)
        HPDF_Stream_WriteStr(pdf->contents, operators);
}

/* Texts here are mostly numbers, a hundred thousand of them: printf would take a tenth of the document's time. */
void rl_pdf_add_number(struct rl_buf *out, const char *before, size_t number, const char *after)
{
    char digits[24], *at = digits + sizeof digits;
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    rl_buf_adds(out, before);
    rl_buf_add(out, at, (size_t)(digits + sizeof digits - at));
    rl_buf_adds(out, after);
}

/* A string of PDF as UTF-16 in hexadecimal: no byte of it can end the string. */
void rl_pdf_add_utf16(struct rl_buf *out, const char *text)
{
    size_t len = strlen(text);
    rl_buf_adds(out, "<FEFF");
    for (uint32_t c; len > 0;) {
        size_t used = rl_utf8_decode(text, len, &c);
        if (c > 0xFFFF)
            rl_buf_addf(out, "%04X%04X", 0xD800 + (unsigned)((c - 0x10000) >> 10), 0xDC00 + (unsigned)((c - 0x10000) & 0x3FF));
        else
            rl_buf_addf(out, "%04X", (unsigned)c);
        text += used;
        len -= used;
    }
    rl_buf_addch(out, '>');
}

/* ---- objects ---- */

uint32_t rl_pdf_object(HPDF_Dict dict)
{
    return dict->header.obj_id & 0x00FFFFFF; /* the rest are libharu's flags */
}

/* Adds the bytes to the stream, packed. A capture may have a hundred megabytes: the quickest level takes a third of the time of the
 * usual one, and the result is a twelfth larger. */
void rl_pdf_write_packed(struct rl_pdf *pdf, HPDF_Stream out, const void *bytes, size_t len)
{
    enum { CHUNK = 1 << 16, LARGE = 8 << 20 };
    assert(len <= UINT32_MAX);
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)len}; /* zlib reads what it takes a plain pointer to */
    Bytef *chunk = rl_calloc(1, CHUNK);
    int status = deflateInit(&z, len < LARGE ? Z_DEFAULT_COMPRESSION : Z_BEST_SPEED);
    while (status == Z_OK && !pdf->error) {
        z.next_out = chunk;
        z.avail_out = CHUNK;
        status = deflate(&z, Z_FINISH);
        HPDF_Stream_Write(out, chunk, CHUNK - z.avail_out);
    }
    deflateEnd(&z);
    free(chunk);
    if (status != Z_STREAM_END)
        rl_pdf_note_error(HPDF_ZLIB_ERROR, (HPDF_STATUS)status, pdf);
}

/* libharu names a filter only where it has packed the stream itself. */
HPDF_STATUS rl_pdf_name_filter(HPDF_Dict dict, HPDF_Stream document)
{
    return HPDF_Stream_WriteStr(document, "/Filter [ /FlateDecode ]\n");
}

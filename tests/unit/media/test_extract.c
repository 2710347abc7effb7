/* Getting a capture back out of a document: of our own, of other writers' forms, and of no document at all. */
#include "rl_test.h"

#include <stdlib.h>
#include <zlib.h>

#include "capture/capture.h"
#include "core/mem.h"
#include "media/extract.h"
#include "media/pdf_tools.h"
#include "pdf.h"

/* The bytes of a small capture. */
static struct rl_buf small_capture(const char *tool_version)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    struct rl_capture *capture = rl_capture_new();
    capture->session.tool_version = rl_capture_text(capture, tool_version);
    capture->session.complete = true;
    assert_int_equal(rl_capture_write_bytes(capture, &bytes, &err), RL_OK);
    rl_capture_free(capture);
    return bytes;
}

/* A document that carries `bytes`, as the report makes it. */
static struct rl_buf document_with(const struct rl_buf *bytes)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    struct rl_fonts *fonts = NULL;
    struct rl_pdf *pdf = NULL;
    assert_int_equal(rl_fonts_open(NULL, &fonts, &err), RL_OK);
    assert_int_equal(rl_pdf_new(fonts, 300, 300, &pdf, &err), RL_OK);
    rl_pdf_page_add(pdf);
    if (bytes)
        rl_pdf_attach(pdf, "a.rlcap", "The capture", "application/vnd.sqlite3", bytes->data, bytes->len);
    assert_int_equal(rl_pdf_finish(pdf, &out, &err), RL_OK);
    rl_pdf_free(pdf);
    rl_fonts_free(fonts);
    return out;
}

static struct rl_buf deflated(const struct rl_buf *bytes)
{
    struct rl_buf out = RL_BUF_INIT;
    uLongf len = compressBound(bytes->len);
    Bytef *packed = malloc(len);
    assert_non_null(packed);
    assert_int_equal(compress(packed, &len, (const Bytef *)bytes->data, bytes->len), Z_OK);
    rl_buf_add(&out, packed, len);
    free(packed);
    return out;
}

/* A document with one object: `dictionary`, then `data` as its stream. */
static struct rl_buf document_of(const char *dictionary, const struct rl_buf *data)
{
    struct rl_buf out = RL_BUF_INIT;
    rl_buf_addf(&out, "%%PDF-1.7\n7 0 obj\n%s\nstream\n", dictionary);
    rl_buf_add(&out, data->data, data->len);
    rl_buf_adds(&out, "\nendstream\nendobj\n%%EOF\n");
    return out;
}

/* The same with the hash of `bytes` at the end of the dictionary: what `data` is when it is unpacked. */
static struct rl_buf hashed_document_of(const char *dictionary, const struct rl_buf *data, const struct rl_buf *bytes)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_add(&text, dictionary, strlen(dictionary) - 2);
    rl_buf_addf(&text, " /" RL_PDF_HASH_KEY " (%s) >>", rl_sha256_of(bytes->data, bytes->len).hex);
    struct rl_buf out = document_of(text.data, data);
    rl_buf_release(&text);
    return out;
}

static void assert_gives(const struct rl_buf *pdf, const struct rl_buf *bytes)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    struct rl_extracted extracted;
    rl_buf_adds(&out, "before");
    if (rl_report_extract(pdf->data, pdf->len, &out, &extracted, &err) != RL_OK)
        fail_msg("%s", err.text);
    assert_int_equal(out.len, bytes->len + 6);
    assert_memory_equal(out.data, "before", 6);
    assert_memory_equal(out.data + 6, bytes->data, bytes->len);
    assert_string_equal(extracted.sha256.hex, rl_sha256_of(bytes->data, bytes->len).hex);
    assert_int_equal(extracted.others, 0);
    rl_buf_release(&out);
}

static void assert_refused(const void *pdf, size_t len, enum rl_status status, const char *says)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf out = RL_BUF_INIT;
    struct rl_extracted extracted;
    assert_int_equal(rl_report_extract(pdf, len, &out, &extracted, &err), status);
    if (!strstr(err.text, says))
        fail_msg("'%s' does not say '%s'", err.text, says);
    assert_int_equal(out.len, 0);
    rl_buf_release(&out);
}

static void our_own_documents_give_it_back(void **state)
{
    (void)state;
    struct rl_buf bytes = small_capture("1"), pdf = document_with(&bytes);
    assert_gives(&pdf, &bytes);
    rl_buf_release(&pdf);
    rl_buf_release(&bytes);
}

/* Whoever makes a document can make its hash fit. */
static void a_hash_makes_no_capture(void **state)
{
    (void)state;
    struct rl_buf bytes = RL_BUF_INIT;
    rl_buf_adds(&bytes, "#!/bin/sh\necho what has no header of a capture is none, in spite of its hash, which fits all the same\n");
    struct rl_buf pdf = document_with(&bytes);
    assert_refused(pdf.data, pdf.len, RL_FORMAT, "damaged");
    rl_buf_release(&pdf);
    rl_buf_release(&bytes);
}

static void other_programs_may_have_saved_it(void **state)
{
    const char *const how[] = {"--object-streams=generate", "--linearize", "--qdf", "--stream-data=uncompress"};
    (void)state;
    struct rl_buf bytes = small_capture("1"), pdf = document_with(&bytes);
    for (size_t i = 0; i < RL_COUNT(how); i++) {
        struct rl_buf saved = RL_BUF_INIT;
        if (pdf_tool(&pdf, &saved, "qpdf", how[i], "@", "-") == 0)
            assert_gives(&saved, &bytes);
        rl_buf_release(&saved);
    }
    rl_buf_release(&pdf);
    rl_buf_release(&bytes);
}

static void forms_of_other_writers_are_read(void **state)
{
    const char *const packed[] = {
        "<</Type/EmbeddedFile/Filter/FlateDecode/Length 12 0 R>>",
        "<< /Type /EmbeddedFile /Filter [ /FlateDecode ] /Length 99 >>",
        "<< /Params << /Size 5 /Desc (ob\\)j (in) >>) /Sum <00ff> >> /Type\r/EmbeddedFile /Filter[/FlateDecode] >>",
    };
    const char *const plain[] = {"<< /Type /EmbeddedFile >>", "<</Length 3 0 R/Type/EmbeddedFile>>"};
    (void)state;
    struct rl_buf bytes = small_capture("1"), small = deflated(&bytes);
    for (size_t i = 0; i < RL_COUNT(packed); i++) {
        struct rl_buf pdf = hashed_document_of(packed[i], &small, &bytes);
        assert_gives(&pdf, &bytes);
        rl_buf_release(&pdf);
    }
    for (size_t i = 0; i < RL_COUNT(plain); i++) {
        struct rl_buf pdf = hashed_document_of(plain[i], &bytes, &bytes);
        assert_gives(&pdf, &bytes);
        rl_buf_release(&pdf);
    }
    rl_buf_release(&small);
    rl_buf_release(&bytes);
}

static void a_hash_may_be_written_either_way(void **state)
{
    (void)state;
    struct rl_buf bytes = small_capture("1"), dictionary = RL_BUF_INIT;
    const struct rl_sha256 said = rl_sha256_of(bytes.data, bytes.len);
    const char *hash = said.hex;
    rl_buf_addf(&dictionary, "<< /Type /EmbeddedFile /Length %zu /" RL_PDF_HASH_KEY " (%s) >>", bytes.len, hash);
    struct rl_buf pdf = document_of(dictionary.data, &bytes);
    assert_gives(&pdf, &bytes);
    rl_buf_release(&pdf);
    rl_buf_reset(&dictionary);
    rl_buf_addf(&dictionary, "<< /Type /EmbeddedFile /Length %zu /" RL_PDF_HASH_KEY " <", bytes.len);
    for (const char *p = hash; *p; p++)
        rl_buf_addf(&dictionary, "%02X", (unsigned char)*p);
    rl_buf_adds(&dictionary, "> >>");
    pdf = document_of(dictionary.data, &bytes);
    assert_gives(&pdf, &bytes);
    ((char *)memmem(pdf.data, pdf.len, "SQLite format 3", 15))[bytes.len - 1] ^= 1;
    assert_refused(pdf.data, pdf.len, RL_FORMAT, "not the capture that the report was made from");
    rl_buf_release(&pdf);
    rl_buf_release(&dictionary);
    rl_buf_release(&bytes);
}

static void among_several_files_the_first_capture_with_its_hash_is_taken(void **state)
{
    (void)state;
    struct rl_buf first = small_capture("1"), second = small_capture("2"), note = RL_BUF_INIT, out = RL_BUF_INIT;
    rl_buf_adds(&note, "a reviewer's file");
    struct rl_buf pdf = document_of("<< /Type /EmbeddedFile >>", &note);
    struct rl_buf parts[] = {document_of("<< /Type /EmbeddedFile >>", &second),
                             hashed_document_of("<< /Type /EmbeddedFile >>", &first, &first),
                             hashed_document_of("<< /Type /EmbeddedFile >>", &second, &second),
                             hashed_document_of("<< /Type /EmbeddedFile >>", &first, &first)};
    for (size_t i = 0; i < RL_COUNT(parts); i++) {
        rl_buf_add(&pdf, parts[i].data, parts[i].len);
        rl_buf_release(&parts[i]);
    }
    struct rl_err err = RL_ERR_INIT;
    struct rl_extracted extracted;
    assert_int_equal(rl_report_extract(pdf.data, pdf.len, &out, &extracted, &err), RL_OK);
    assert_int_equal(out.len, first.len);
    assert_memory_equal(out.data, first.data, first.len);
    assert_int_equal(extracted.others, 1); /* the same one again is not another one */
    rl_buf_release(&out);
    rl_buf_release(&pdf);
    rl_buf_release(&note);
    rl_buf_release(&first);
    rl_buf_release(&second);
}

/* More bytes than any capture has, in few: the first of them are looked at, and what stands behind them is found. */
static void what_unpacks_to_very_much_costs_little(void **state)
{
    (void)state;
    enum { BLOCK = 1 << 20 };
    struct rl_buf bomb = RL_BUF_INIT, capture = small_capture("1"), packed = deflated(&capture);
    char *block = rl_calloc(1, BLOCK), *to = rl_calloc(1, BLOCK);
    z_stream z = {0};
    assert_int_equal(deflateInit(&z, 9), Z_OK);
    for (size_t left = (size_t)RL_CAPTURE_MAX_BYTES / BLOCK + 2; left > 0; left--) {
        z.next_in = (Bytef *)block;
        z.avail_in = BLOCK;
        do {
            z.next_out = (Bytef *)to;
            z.avail_out = BLOCK;
            assert_int_equal(deflate(&z, left == 1 ? Z_FINISH : Z_NO_FLUSH), left == 1 ? Z_STREAM_END : Z_OK);
            rl_buf_add(&bomb, to, BLOCK - z.avail_out);
        } while (z.avail_out == 0);
    }
    deflateEnd(&z);
    free(block);
    free(to);
    struct rl_buf pdf = hashed_document_of("<< /Type /EmbeddedFile /Filter /FlateDecode >>", &bomb, &capture);
    assert_refused(pdf.data, pdf.len, RL_FORMAT, "damaged");
    struct rl_buf behind = hashed_document_of("<< /Type /EmbeddedFile /Filter /FlateDecode >>", &packed, &capture);
    rl_buf_add(&pdf, behind.data, behind.len);
    assert_gives(&pdf, &capture);
    rl_buf_release(&behind);
    rl_buf_release(&pdf);
    rl_buf_release(&packed);
    rl_buf_release(&capture);
    rl_buf_release(&bomb);
}

/* What the report says of the capture is compared, or it is not taken. */
static void a_hash_that_is_none_proves_nothing(void **state)
{
    static const char *const hashes[] = {"()", "(12)", "<>", "/Name", "[(a)]", "12 0 R", "(0123456789abcdef)"};
    (void)state;
    struct rl_buf capture = small_capture("1");
    for (size_t i = 0; i < RL_COUNT(hashes); i++) {
        struct rl_buf dictionary = RL_BUF_INIT;
        rl_buf_addf(&dictionary, "<< /Type /EmbeddedFile /" RL_PDF_HASH_KEY " %s >>", hashes[i]);
        struct rl_buf pdf = document_of(dictionary.data, &capture);
        assert_refused(pdf.data, pdf.len, RL_ABSENT, "no capture");
        rl_buf_release(&pdf);
        rl_buf_release(&dictionary);
    }
    rl_buf_release(&capture);
}

/* Nothing shows whether a capture without a hash is that of the report. */
static void without_a_hash_nothing_is_taken(void **state)
{
    (void)state;
    struct rl_buf capture = small_capture("1"), pdf = document_of("<< /Type /EmbeddedFile >>", &capture);
    assert_refused(pdf.data, pdf.len, RL_ABSENT, "no capture");
    rl_buf_release(&pdf);
    rl_buf_release(&capture);
}

/* Where the dictionary of the attachment says what it is. */
static size_t attachment_at(const struct rl_buf *pdf)
{
    size_t found = 0;
    for (size_t i = 0; i + 13 < pdf->len; i++)
        if (memcmp(pdf->data + i, "/EmbeddedFile", 13) == 0 && pdf->data[i + 13] != 's')
            found = i;
    assert_true(found > 0);
    return found;
}

/* Whatever is changed in a document, what comes out is what was attached, or nothing does: every byte around the dictionary, and
 * some of all others. */
static void every_changed_byte_is_noticed(void **state)
{
    (void)state;
    struct rl_buf bytes = small_capture("1"), pdf = document_with(&bytes);
    const size_t dictionary = attachment_at(&pdf);
    size_t taken = 0;
    for (size_t i = 0; i<pdf.len; i += i + 200> dictionary && i < dictionary + 300 ? 1 : 199) {
        struct rl_buf out = RL_BUF_INIT;
        struct rl_extracted extracted;
        pdf.data[i] ^= 1 << i % 8;
        if (rl_report_extract(pdf.data, pdf.len, &out, &extracted, NULL) == RL_OK) {
            taken++;
            assert_int_equal(out.len, bytes.len);
            assert_memory_equal(out.data, bytes.data, bytes.len);
        }
        rl_buf_release(&out);
        pdf.data[i] ^= 1 << i % 8;
    }
    assert_true(taken > 0);
    rl_buf_release(&pdf);
    rl_buf_release(&bytes);
}

static void what_is_no_report_says_so(void **state)
{
    (void)state;
    struct rl_buf bytes = small_capture("1"), bare = document_with(NULL), note = RL_BUF_INIT;
    assert_refused("", 0, RL_FORMAT, "the file is empty");
    assert_refused(bytes.data, bytes.len, RL_FORMAT, "not a PDF");
    assert_refused(bare.data, bare.len, RL_ABSENT, "carries no capture");
    rl_buf_adds(&note, "a reviewer's file");
    struct rl_buf pdf = document_of("<< /Type /EmbeddedFile >>", &note);
    assert_refused(pdf.data, pdf.len, RL_ABSENT, "carries no capture");
    rl_buf_adds(&pdf, "trailer << /Encrypt 3 0 R >>");
    assert_refused(pdf.data, pdf.len, RL_FORMAT, "encrypted");
    rl_buf_release(&pdf);
    rl_buf_release(&note);
    rl_buf_release(&bare);
    rl_buf_release(&bytes);
}

/* Readers look for the header in the first 1024 bytes; without it nothing else makes a document of it. */
static void the_header_stands_near_the_beginning(void **state)
{
    static const struct {
        size_t before;
        bool accepted;
    } rows[] = {{0, true}, {1, true}, {1019, true}, {1020, false}, {1024, false}};
    (void)state;
    struct rl_buf bytes = small_capture("1"), pdf = hashed_document_of("<< /Type /EmbeddedFile >>", &bytes, &bytes);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf moved = RL_BUF_INIT;
        rl_buf_fill(&moved, 'x', rows[i].before);
        rl_buf_add(&moved, pdf.data, pdf.len);
        if (rows[i].accepted)
            assert_gives(&moved, &bytes);
        else
            assert_refused(moved.data, moved.len, RL_FORMAT, "not a PDF: it does not begin like one");
        rl_buf_release(&moved);
    }
    for (size_t i = 0; i < 5; i++) { /* %PDF- */
        pdf.data[i] ^= 1;
        assert_refused(pdf.data, pdf.len, RL_FORMAT, "not a PDF: it does not begin like one");
        pdf.data[i] ^= 1;
    }
    assert_gives(&pdf, &bytes);
    rl_buf_release(&pdf);
    rl_buf_release(&bytes);
}

static void every_cut_is_noticed(void **state)
{
    (void)state;
    struct rl_buf bytes = small_capture("1"), pdf = document_with(&bytes);
    const size_t stream = attachment_at(&pdf);
    for (size_t len = 0; len < stream + 1024; len++) {
        struct rl_err err = RL_ERR_INIT;
        struct rl_buf out = RL_BUF_INIT;
        struct rl_extracted extracted;
        char *exact = malloc(len + 1); /* reading behind the end is noticed */
        assert_non_null(exact);
        memcpy(exact, pdf.data, len);
        assert_int_not_equal(rl_report_extract(exact, len, &out, &extracted, &err), RL_OK);
        assert_true(err.text[0]);
        free(exact);
        rl_buf_release(&out);
    }
    rl_buf_release(&pdf);
    rl_buf_release(&bytes);
}

static void damaged_objects_are_no_candidates(void **state)
{
    const char *const bad[] = {
        "<< /Type /EmbeddedFile /Filter /LZWDecode >>", "<< /Type /EmbeddedFile /Filter [ /ASCIIHexDecode /FlateDecode ] >>",
        "<< /Type /EmbeddedFile /Filter /FlateDecode >>", /* it is not */
    };
    (void)state;
    struct rl_buf note = RL_BUF_INIT, short_of = small_capture("1"), capture = small_capture("1");
    rl_buf_adds(&note, "plain");
    rl_buf_truncate(&short_of, short_of.len / 2);
    for (size_t i = 0; i < RL_COUNT(bad); i++) {
        struct rl_buf pdf = hashed_document_of(bad[i], &note, &capture);
        assert_refused(pdf.data, pdf.len, RL_FORMAT, "damaged");
        rl_buf_release(&pdf);
    }
    struct rl_buf pdf = hashed_document_of("<< /Type /EmbeddedFile >>", &short_of, &capture);
    assert_refused(pdf.data, pdf.len, RL_FORMAT, "damaged"); /* as many bytes as its header says are not there */
    rl_buf_release(&pdf);
    rl_buf_release(&capture);
    rl_buf_release(&short_of);
    rl_buf_release(&note);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_own_documents_give_it_back),
        cmocka_unit_test(a_hash_makes_no_capture),
        cmocka_unit_test(other_programs_may_have_saved_it),
        cmocka_unit_test(forms_of_other_writers_are_read),
        cmocka_unit_test(a_hash_may_be_written_either_way),
        cmocka_unit_test(among_several_files_the_first_capture_with_its_hash_is_taken),
        cmocka_unit_test(what_unpacks_to_very_much_costs_little),
        cmocka_unit_test(a_hash_that_is_none_proves_nothing),
        cmocka_unit_test(without_a_hash_nothing_is_taken),
        cmocka_unit_test(every_changed_byte_is_noticed),
        cmocka_unit_test(what_is_no_report_says_so),
        cmocka_unit_test(the_header_stands_near_the_beginning),
        cmocka_unit_test(every_cut_is_noticed),
        cmocka_unit_test(damaged_objects_are_no_candidates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

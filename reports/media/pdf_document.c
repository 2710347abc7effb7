/* pdf_document.c - links, bookmarks, properties, attachments and the bytes of a document (see pdf.h). */
#include "pdf_private.h"

enum { RANGES_A_BLOCK = 100 }; /* most entries of one block of a CMap (Adobe Technical Note 5014) */

/* ---- links and bookmarks ---- */

/* The place as a destination that leaves the zoom as it is: libharu's own function does not take the 0 that says so. */
static HPDF_Destination destination(struct rl_pdf *pdf, struct rl_pdf_place to)
{
    HPDF_Destination d = HPDF_Page_CreateDestination(pdf->pages[to.page]);
    double top = fmin(fmax(to.y, 0), pdf->height);
    if (!d || HPDF_Destination_SetXYZ(d, 0, rl_pdf_real(top), 1) != HPDF_OK)
        return NULL;
    HPDF_Real zoom = HPDF_Array_GetItem(d, 4, HPDF_OCLASS_REAL);
    if (zoom)
        HPDF_Real_SetValue(zoom, 0);
    return d;
}

void rl_pdf_link(struct rl_pdf *pdf, size_t page, struct rl_rect r, struct rl_pdf_place to, size_t element)
{
    assert(page < pdf->page_count);
    if (pdf->error || !rl_pdf_drawable(r.x, r.y) || !rl_pdf_drawable(r.x + r.width, r.y + r.height))
        return;
    HPDF_Rect rect = {rl_pdf_real(r.x), rl_pdf_real(r.y), rl_pdf_real(r.x + r.width), rl_pdf_real(r.y + r.height)};
    HPDF_Destination d = destination(pdf, to);
    HPDF_Annotation link = d ? HPDF_Page_CreateLinkAnnot(pdf->pages[page], rect, d) : NULL;
    if (!link)
        return;
    HPDF_LinkAnnot_SetBorderStyle(link, 0, 0, 0);
    /* The link's text for screen readers, and its place in the structure. */
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "Page %zu", to.page + 1);
    HPDF_Dict_Add(link, "Contents", HPDF_String_New(pdf->doc->mmgr, text.data, NULL));
    HPDF_Dict_AddNumber(link, "StructParent", (HPDF_INT32)rl_pdf_tags_link(pdf, element, page, link));
    rl_buf_release(&text);
}

size_t rl_pdf_bookmark(struct rl_pdf *pdf, size_t parent, const char *title, struct rl_pdf_place to)
{
    assert(parent == RL_PDF_NO_PARENT || parent < pdf->bookmark_count);
    RL_GROW(pdf->bookmarks, pdf->bookmark_count + 1, pdf->bookmark_cap);
    struct rl_buf shown = RL_BUF_INIT;
    rl_utf8_abbreviate(&shown, title, 100);
    HPDF_Outline above = parent == RL_PDF_NO_PARENT ? NULL : pdf->bookmarks[parent], mark = NULL;
    if (!pdf->error)
        mark = HPDF_CreateOutline(pdf->doc, above, shown.data, HPDF_GetEncoder(pdf->doc, "UTF-8"));
    HPDF_Destination d = mark ? destination(pdf, to) : NULL;
    if (d)
        HPDF_Outline_SetDestination(mark, d);
    if (mark)
        HPDF_Outline_SetOpened(mark, parent == RL_PDF_NO_PARENT);
    pdf->bookmarks[pdf->bookmark_count++] = mark;
    rl_buf_release(&shown);
    return pdf->bookmark_count - 1;
}

/* ---- properties ---- */

static bool is_within(int value, int least, int most)
{
    return value >= least && value <= most;
}

static bool valid_date(const HPDF_Date *d)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (!is_within(d->year, 1900, 9999) || !is_within(d->month, 1, 12))
        return false;
    const bool leap = d->month == 2 && d->year % 4 == 0 && (d->year % 100 != 0 || d->year % 400 == 0);
    return is_within(d->day, 1, days[d->month - 1] + leap) && is_within(d->hour, 0, 23) && is_within(d->minutes, 0, 59) &&
           is_within(d->seconds, 0, 59);
}

/* The number of `digits` digits at a place of a time; -1: there are others. */
static int number_at(const char *text, size_t at, size_t digits)
{
    int number = 0;
    for (size_t i = at; i < at + digits; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = 10 * number + (text[i] - '0');
    }
    return number;
}

/* "2026-11-21T10:30:40Z"; nothing else is set. */
static void set_date(struct rl_pdf *pdf, const char *created)
{
    static const char shape[] = "0000-00-00T00:00:00Z";
    if (strlen(created) != strlen(shape))
        return;
    for (size_t i = 0; shape[i]; i++)
        if (shape[i] != '0' && created[i] != shape[i])
            return;
    HPDF_Date d = {.year = number_at(created, 0, 4),
                   .month = number_at(created, 5, 2),
                   .day = number_at(created, 8, 2),
                   .hour = number_at(created, 11, 2),
                   .minutes = number_at(created, 14, 2),
                   .seconds = number_at(created, 17, 2),
                   .ind = 'Z'};
    if (valid_date(&d))
        HPDF_SetInfoDateAttr(pdf->doc, HPDF_INFO_CREATION_DATE, d);
}

void rl_pdf_set_info(struct rl_pdf *pdf, const struct rl_pdf_info *info)
{
    const struct {
        HPDF_InfoType type;
        const char *text;
    } rows[] = {
        {HPDF_INFO_TITLE, info->title},       {HPDF_INFO_AUTHOR, info->author},   {HPDF_INFO_SUBJECT, info->subject},
        {HPDF_INFO_KEYWORDS, info->keywords}, {HPDF_INFO_CREATOR, info->creator},
    };
    for (size_t i = 0; i < RL_COUNT(rows) && !pdf->error; i++) {
        if (!rows[i].text)
            continue;
        struct rl_buf shown = RL_BUF_INIT;
        rl_utf8_abbreviate(&shown, rows[i].text, 500);
        HPDF_SetInfoAttr(pdf->doc, rows[i].type, shown.data);
        if (rows[i].type == HPDF_INFO_TITLE) {
            free(pdf->title);
            pdf->title = rl_strdup(shown.data);
        }
        rl_buf_release(&shown);
    }
    if (info->created && !pdf->error)
        set_date(pdf, info->created);
}

/* ---- attachment ---- */

static HPDF_String utf16_string(struct rl_pdf *pdf, const char *text)
{
    return HPDF_String_New(pdf->doc->mmgr, text, HPDF_GetEncoder(pdf->doc, "UTF-8"));
}

static HPDF_Dict embedded_stream(struct rl_pdf *pdf, const char *media_type, const void *bytes, size_t len)
{
    HPDF_Dict stream = HPDF_DictStream_New(pdf->doc->mmgr, pdf->doc->xref), params = HPDF_Dict_New(pdf->doc->mmgr);
    if (!stream || !params)
        return NULL;
    HPDF_Dict_AddName(stream, "Type", "EmbeddedFile");
    HPDF_Dict_AddName(stream, "Subtype", media_type);
    HPDF_Dict_AddNumber(params, "Size", (HPDF_INT32)len);
    HPDF_Dict_Add(stream, "Params", params);
    HPDF_Dict_Add(stream, RL_PDF_HASH_KEY, HPDF_String_New(pdf->doc->mmgr, rl_sha256_of(bytes, len).hex, NULL));
    stream->write_fn = rl_pdf_name_filter;
    rl_pdf_write_packed(pdf, stream->stream, bytes, len);
    return stream;
}

/* The dictionary that names the file (ISO 32000-1, 7.11.3). */
static HPDF_Dict file_specification(struct rl_pdf *pdf, const char *name, const char *description, HPDF_Dict stream)
{
    HPDF_Dict file = HPDF_Dict_New(pdf->doc->mmgr), embedded = HPDF_Dict_New(pdf->doc->mmgr);
    if (!file || !embedded || HPDF_Xref_Add(pdf->doc->xref, file) != HPDF_OK)
        return NULL;
    HPDF_Dict_AddName(file, "Type", "Filespec");
    HPDF_Dict_Add(file, "F", utf16_string(pdf, name));
    HPDF_Dict_Add(file, "UF", utf16_string(pdf, name));
    HPDF_Dict_Add(file, "Desc", utf16_string(pdf, description));
    HPDF_Dict_AddName(file, "AFRelationship", "Data");
    HPDF_Dict_Add(embedded, "F", stream);
    HPDF_Dict_Add(file, "EF", embedded);
    return file;
}

/* The list of attachments in the catalog, made when it is needed; NULL: no memory. */
static HPDF_Array attachments(struct rl_pdf *pdf)
{
    HPDF_MMgr memory = pdf->doc->mmgr;
    if (pdf->attached)
        return pdf->attached;
    HPDF_Dict names = HPDF_Dict_New(memory), tree = HPDF_Dict_New(memory);
    HPDF_Array list = HPDF_Array_New(memory);
    if (!names || !tree || !list)
        return NULL;
    HPDF_Dict_Add(tree, "Names", list);
    HPDF_Dict_Add(names, "EmbeddedFiles", tree);
    HPDF_Dict_Add(pdf->doc->catalog, "Names", names);
    return pdf->attached = list;
}

/* libharu's HPDF_AttachFile takes a path only, and writes it into the document. */
void rl_pdf_attach(struct rl_pdf *pdf, const char *name, const char *description, const char *media_type, const void *bytes,
                   size_t len)
{
    assert(len <= INT32_MAX);
    if (pdf->error)
        return;
    HPDF_Dict stream = embedded_stream(pdf, media_type, bytes, len);
    HPDF_Dict file = stream ? file_specification(pdf, name, description, stream) : NULL;
    HPDF_Array list = attachments(pdf);
    if (!file || !list) {
        rl_pdf_note_error(HPDF_FAILD_TO_ALLOC_MEM, 0, pdf);
        return;
    }
    HPDF_Array_Add(list, utf16_string(pdf, name));
    HPDF_Array_Add(list, file);
}

/* ---- the end ---- */

static bool is_used(const struct rl_pdf_font *font, uint32_t c)
{
    return c < RL_PDF_CODEPOINTS && (font->used[c / 8] >> (c % 8) & 1);
}

/* Last code of the stretch of used characters that begins at `first` and stays within one value of the high byte. */
static uint32_t stretch_end(const struct rl_pdf_font *font, uint32_t first)
{
    uint32_t last = first;
    while ((last & 0xFF) != 0xFF && is_used(font, last + 1))
        last++;
    return last;
}

static void replace_unicode_table(const struct rl_pdf_font *font)
{
    HPDF_Dict table = HPDF_Dict_GetItem(font->handle, "ToUnicode", HPDF_OCLASS_DICT);
    if (!table)
        return;
    struct rl_buf text = RL_BUF_INIT;
    /* The "ToUnicode" table: which character each code of the text means. libharu's own is not of the form that the standard asks
     * for (ISO 32000-1, 9.10.3), and poppler complains about it. */
    struct rl_buf ranges = RL_BUF_INIT;
    int count = 0;
    rl_buf_adds(&text, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
                       "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
                       "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
                       "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n");
    for (uint32_t c = 0; c < RL_PDF_CODEPOINTS; c++) {
        uint32_t last = is_used(font, c) ? stretch_end(font, c) : c;
        if (is_used(font, c)) {
            rl_buf_addf(&ranges, "<%04X> <%04X> <%04X>\n", (unsigned)c, (unsigned)last, (unsigned)c);
            count++;
        }
        c = last;
        if (count == RANGES_A_BLOCK || (c == RL_PDF_CODEPOINTS - 1 && count > 0)) {
            rl_buf_addf(&text, "%d beginbfrange\n%sendbfrange\n", count, ranges.data);
            rl_buf_reset(&ranges);
            count = 0;
        }
    }
    rl_buf_adds(&text, "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
    rl_buf_release(&ranges);
    HPDF_MemStream_FreeData(table->stream);
    HPDF_Stream_Write(table->stream, (HPDF_BYTE *)text.data, (HPDF_UINT)text.len);
    rl_buf_release(&text);
}

/* libharu lists the widths of every character of the font: 10 kB of text for each. Those on the pages are enough. */
static void shorten_widths(const struct rl_pdf_font *font, HPDF_Dict descendant)
{
    HPDF_Array widths = HPDF_Dict_GetItem(descendant, "W", HPDF_OCLASS_ARRAY);
    if (!widths)
        return;
    HPDF_Array_Clear(widths);
    HPDF_Array stretch = NULL;
    for (uint32_t c = 0; c < RL_PDF_CODEPOINTS; c++) {
        if (!is_used(font, c)) {
            stretch = NULL;
            continue;
        }
        if (!stretch) {
            stretch = HPDF_Array_New(descendant->mmgr);
            if (!stretch || HPDF_Array_AddNumber(widths, (HPDF_INT32)c) || HPDF_Array_Add(widths, stretch))
                return; /* out of memory: the handler knows */
        }
        HPDF_Array_AddNumber(stretch, HPDF_Font_GetUnicodeWidth(font->handle, (HPDF_UNICODE)c));
    }
}

/* The map from characters to glyphs, two bytes each, needs to reach the last character that is used. */
static void shorten_glyph_map(const struct rl_pdf_font *font, HPDF_Dict descendant)
{
    HPDF_Dict map = HPDF_Dict_GetItem(descendant, "CIDToGIDMap", HPDF_OCLASS_DICT);
    uint32_t last = RL_PDF_CODEPOINTS - 1;
    while (last > 0 && !is_used(font, last))
        last--;
    if (!map)
        return;
    struct rl_buf bytes = RL_BUF_INIT;
    for (HPDF_UINT i = 0; i < HPDF_MemStream_GetBufCount(map->stream); i++) {
        HPDF_UINT len = 0;
        HPDF_BYTE *part = HPDF_MemStream_GetBufPtr(map->stream, i, &len);
        if (part)
            rl_buf_add(&bytes, part, len);
    }
    rl_buf_truncate(&bytes, (last + 1) * 2);
    HPDF_MemStream_FreeData(map->stream);
    HPDF_Stream_Write(map->stream, (HPDF_BYTE *)bytes.data, (HPDF_UINT)bytes.len);
    rl_buf_release(&bytes);
}

static void shorten_fonts(struct rl_pdf *pdf)
{
    for (size_t i = 0; i < RL_FONT_COUNT; i++) {
        const struct rl_pdf_font *font = &pdf->font[i];
        if (!font->handle || pdf->error)
            continue;
        replace_unicode_table(font);
        HPDF_Array descendants = HPDF_Dict_GetItem(font->handle, "DescendantFonts", HPDF_OCLASS_ARRAY);
        HPDF_Dict descendant = descendants ? HPDF_Array_GetItem(descendants, 0, HPDF_OCLASS_DICT) : NULL;
        if (descendant) {
            shorten_widths(font, descendant);
            shorten_glyph_map(font, descendant);
        }
    }
}

/* Entries that libharu has no function for: the language, and the title in the window instead of the file's name. */
static void complete_catalog(struct rl_pdf *pdf)
{
    HPDF_Dict preferences = HPDF_Dict_New(pdf->doc->mmgr);
    HPDF_Dict_Add(pdf->doc->catalog, "Lang", HPDF_String_New(pdf->doc->mmgr, "en", NULL));
    if (preferences) {
        HPDF_Dict_AddBoolean(preferences, "DisplayDocTitle", HPDF_TRUE);
        HPDF_Dict_Add(pdf->doc->catalog, "ViewerPreferences", preferences);
    }
    HPDF_AddPageLabel(pdf->doc, 0, HPDF_PAGE_NUM_STYLE_DECIMAL, 1, NULL);
    pdf->doc->pdf_version = HPDF_VER_17;
}

/* Copies what libharu wrote. */
static void copy_stream(struct rl_pdf *pdf, struct rl_buf *out)
{
    enum { CHUNK = 1 << 16 };
    HPDF_BYTE *chunk = rl_calloc(1, CHUNK);
    HPDF_UINT32 left = HPDF_GetStreamSize(pdf->doc);
    HPDF_ResetStream(pdf->doc);
    while (left > 0 && !pdf->error) {
        HPDF_UINT32 len = left < CHUNK ? left : CHUNK;
        HPDF_STATUS status = HPDF_ReadFromStream(pdf->doc, chunk, &len);
        if ((status != HPDF_OK && status != HPDF_STREAM_EOF) || len == 0)
            rl_pdf_note_error(status ? status : HPDF_STREAM_EOF, 0, pdf);
        rl_buf_add(out, chunk, len);
        left -= len;
    }
    free(chunk);
}

enum rl_status rl_pdf_finish(struct rl_pdf *pdf, struct rl_buf *out, struct rl_err *err)
{
    size_t start = out->len;
    assert(pdf->page_count > 0);
    if (!pdf->error)
        shorten_fonts(pdf);
    if (!pdf->error)
        complete_catalog(pdf);
    if (!pdf->error)
        rl_pdf_tags_finish(pdf);
    if (!pdf->error)
        HPDF_SaveToStream(pdf->doc);
    if (!pdf->error)
        copy_stream(pdf, out);
    if (!pdf->error)
        return RL_OK;
    rl_buf_truncate(out, start);
    return rl_err_set(err, RL_FAILED, "libharu %s cannot make the document: error 0x%04lX, detail %lu", HPDF_GetVersion(),
                      (unsigned long)pdf->error, (unsigned long)pdf->detail);
}

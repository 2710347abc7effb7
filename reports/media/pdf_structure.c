/* pdf_structure.c - the objects that describe a document's structure (see pdf.h).
 *
 * The elements are many and small, ten thousand of them in a long report, so they are not objects of libharu's: their text is
 * written here, packed into one object stream (ISO 32000-1, 7.5.7). Where its objects are stands in a cross-reference stream, which
 * the trailer names (7.5.8.4): readers older than PDF 1.5 see the document without them.
 */
#include "pdf_private.h"

#include "markup.h"

/* ---- the objects ---- */

enum {
    ROOT, /* of our own objects: the structure's root, the list of owners, then the elements */
    OWNERS,
    FIRST_ELEMENT,
    SPARE = 64, /* numbers left to libharu, which adds objects of fonts while it writes */
};

/* The objects' text and where each begins. */
struct objects {
    const struct rl_pdf *pdf;
    struct rl_buf text, places;
    size_t count;
    bool *kept; /* per element: it holds something */
};

static uint32_t element_object(const struct rl_pdf *pdf, size_t element)
{
    return pdf->tags.first_object + FIRST_ELEMENT + (uint32_t)element;
}

static void begin_object(struct objects *objects)
{
    rl_pdf_add_number(&objects->places, "", objects->pdf->tags.first_object + objects->count++, " ");
    rl_pdf_add_number(&objects->places, "", objects->text.len, " ");
}

/* Cells are part of their row whether they hold something or not; nothing else is worth an element without. */
static bool *find_kept(const struct rl_pdf_tags *tags)
{
    bool *kept = rl_calloc(tags->count, sizeof *kept);
    for (size_t i = tags->count; i-- > 0;) {
        const struct rl_pdf_element *e = &tags->elements[i];
        kept[i] |= e->role == RL_PDF_HEAD || e->role == RL_PDF_STUB || e->role == RL_PDF_CELL;
        for (uint32_t k = e->first; k; k = tags->kids[k].next)
            kept[i] |= tags->kids[k].kind != RL_PDF_KID_ELEMENT;
        if (kept[i] && e->role != RL_PDF_ARTIFACT)
            kept[e->parent] = true;
    }
    return kept;
}

/* The page of the first content of an element; false: it has none. */
static bool first_page(const struct rl_pdf_tags *tags, const struct rl_pdf_element *element, uint32_t *page)
{
    for (uint32_t k = element->first; k; k = tags->kids[k].next) {
        if (tags->kids[k].kind != RL_PDF_KID_CONTENT)
            continue;
        *page = tags->kids[k].page;
        return true;
    }
    return false;
}

/* Attributes of some roles. */
static void put_attributes(struct objects *objects, const struct rl_pdf_element *element)
{
    struct rl_buf *out = &objects->text;
    const struct rl_rect *box = &element->box;
    if (element->role == RL_PDF_HEAD || element->role == RL_PDF_STUB)
        rl_buf_addf(out, "/A<</O/Table/Scope/%s>>", element->role == RL_PDF_HEAD ? "Column" : "Row");
    if (element->role != RL_PDF_FIGURE)
        return;
    rl_buf_adds(out, "/Alt");
    rl_pdf_add_utf16(out, element->alternative);
    rl_buf_adds(out, "/A<</O/Layout/Placement/Block/BBox[");
    const double sides[] = {box->x, box->y, box->x + box->width, box->y + box->height};
    for (size_t i = 0; i < RL_COUNT(sides); i++) {
        rl_markup_number(out, sides[i]);
        rl_buf_addch(out, ' ');
    }
    rl_buf_adds(out, "]>>");
}

/* An element without what it was to hold (a link to a place that is not shown) is plain text. */
static const char *role_name(const struct rl_pdf_tags *tags, const struct rl_pdf_element *element)
{
    bool leads = false;
    for (uint32_t k = element->first; k; k = tags->kids[k].next)
        leads |= tags->kids[k].kind == RL_PDF_KID_ANNOTATION;
    return element->role == RL_PDF_LINK && !leads ? "Span" : rl_pdf_role_names[element->role];
}

static void put_element(struct objects *objects, size_t number)
{
    const struct rl_pdf_tags *tags = &objects->pdf->tags;
    const struct rl_pdf_element *element = &tags->elements[number];
    uint32_t page = 0;
    begin_object(objects);
    if (!objects->kept[number] || element->role == RL_PDF_ARTIFACT) {
        rl_buf_adds(&objects->text, "null ");
        return;
    }
    const uint32_t above = number == RL_PDF_WHOLE ? tags->first_object + ROOT : element_object(objects->pdf, element->parent);
    rl_buf_adds(&objects->text, "<</S/");
    rl_buf_adds(&objects->text, role_name(tags, element));
    rl_pdf_add_number(&objects->text, "/P ", above, " 0 R");
    if (first_page(tags, element, &page))
        rl_pdf_add_number(&objects->text, "/Pg ", rl_pdf_object(objects->pdf->pages[page]), " 0 R");
    put_attributes(objects, element);
    rl_buf_adds(&objects->text, "/K[");
    for (uint32_t k = element->first; k; k = tags->kids[k].next) {
        const struct rl_pdf_kid *kid = &tags->kids[k];
        const struct rl_pdf *pdf = objects->pdf;
        const unsigned on = rl_pdf_object(pdf->pages[kid->page]);
        if (kid->kind == RL_PDF_KID_ELEMENT && objects->kept[kid->value])
            rl_pdf_add_number(&objects->text, "", element_object(pdf, kid->value), " 0 R ");
        else if (kid->kind == RL_PDF_KID_ANNOTATION)
            rl_buf_addf(&objects->text, "<</Type/OBJR/Obj %u 0 R/Pg %u 0 R>>", (unsigned)kid->value, on);
        else if (kid->kind == RL_PDF_KID_CONTENT && kid->page == page)
            rl_pdf_add_number(&objects->text, "", kid->value, " ");
        else if (kid->kind == RL_PDF_KID_CONTENT)
            rl_buf_addf(&objects->text, "<</Type/MCR/Pg %u 0 R/MCID %u>>", on, (unsigned)kid->value);
    }
    rl_buf_adds(&objects->text, "]>>");
}

/* To which elements the contents of each page and the annotations belong (14.7.4.4). */
static void put_owners(struct objects *objects)
{
    const struct rl_pdf *pdf = objects->pdf;
    const struct rl_pdf_tags *tags = &pdf->tags;
    begin_object(objects);
    rl_buf_adds(&objects->text, "<</Nums[");
    for (size_t page = 0; page < pdf->page_count; page++) {
        rl_buf_addf(&objects->text, "%zu[", page);
        for (size_t i = 0; i < tags->pages[page].count; i++)
            rl_pdf_add_number(&objects->text, "", element_object(pdf, tags->pages[page].at[i]), " 0 R ");
        rl_buf_addch(&objects->text, ']');
    }
    for (size_t i = 0; i < tags->links.count; i++) {
        rl_pdf_add_number(&objects->text, "", pdf->page_count + i, "");
        rl_pdf_add_number(&objects->text, " ", element_object(pdf, tags->links.at[i]), " 0 R ");
    }
    rl_buf_adds(&objects->text, "]>>");
}

/* ---- where they are ---- */

/* The stream of the objects: their numbers and places, then themselves. */
static void fill_objects(struct rl_pdf *pdf, HPDF_Dict stream, size_t *count)
{
    struct objects objects = {.pdf = pdf, .text = RL_BUF_INIT, .places = RL_BUF_INIT, .kept = find_kept(&pdf->tags)};
    const uint32_t first = objects.pdf->tags.first_object;
    begin_object(&objects);
    rl_buf_addf(&objects.text, "<</Type/StructTreeRoot/K[%u 0 R]/ParentTree %u 0 R/ParentTreeNextKey %zu>>",
                (unsigned)(first + FIRST_ELEMENT), (unsigned)(first + OWNERS),
                objects.pdf->page_count + objects.pdf->tags.links.count);
    put_owners(&objects);
    for (size_t i = 0; i < pdf->tags.count; i++)
        put_element(&objects, i);
    *count = objects.count;
    HPDF_Dict_AddName(stream, "Type", "ObjStm");
    HPDF_Dict_AddNumber(stream, "N", (HPDF_INT32)objects.count);
    HPDF_Dict_AddNumber(stream, "First", (HPDF_INT32)objects.places.len);
    rl_buf_add(&objects.places, objects.text.data, objects.text.len);
    rl_buf_release(&objects.text);
    rl_pdf_write_packed(pdf, stream->stream, objects.places.data, objects.places.len);
    rl_buf_release(&objects.places);
    free(objects.kept);
}

/* Writes the length of the stream where it is: readers need it before they know where other objects are. */
static HPDF_STATUS write_length(HPDF_Dict table, HPDF_Stream document)
{
    HPDF_Stream_WriteStr(document, "/Length ");
    HPDF_Stream_WriteUInt(document, table->stream->size);
    HPDF_Stream_WriteStr(document, "\n/DecodeParms [ <</Predictor 12 /Columns 7>> ]\n");
    return rl_pdf_name_filter(table, document);
}

/* Appends the entries "in that stream, as its object i" (7.5.8.3): type in one byte, stream and index in three each. Every row says
 * what differs from the one before (predictor 12, 7.4.4.4), of which there is nearly nothing left once it is packed. */
static void put_entries(struct rl_buf *out, uint32_t stream, size_t count)
{
    enum { ENTRY = 7, UP = 2 };
    unsigned char before[ENTRY] = {0};
    for (size_t i = 0; i < count; i++) {
        const unsigned char entry[ENTRY] = {2,
                                            (unsigned char)(stream >> 16),
                                            (unsigned char)(stream >> 8),
                                            (unsigned char)stream,
                                            (unsigned char)(i >> 16),
                                            (unsigned char)(i >> 8),
                                            (unsigned char)i};
        rl_buf_addch(out, UP);
        for (size_t k = 0; k < ENTRY; k++)
            rl_buf_addch(out, (char)(unsigned char)(entry[k] - before[k]));
        memcpy(before, entry, sizeof before);
    }
}

static void fill_table(struct rl_pdf *pdf, HPDF_Dict table, HPDF_Dict stream, size_t count)
{
    struct rl_buf bytes = RL_BUF_INIT;
    put_entries(&bytes, rl_pdf_object(stream), count);
    HPDF_Array widths = HPDF_Array_New(pdf->doc->mmgr), index = HPDF_Array_New(pdf->doc->mmgr);
    if (!widths || !index)
        return; /* the handler knows */
    HPDF_Array_AddNumber(widths, 1);
    HPDF_Array_AddNumber(widths, 3);
    HPDF_Array_AddNumber(widths, 3);
    HPDF_Array_AddNumber(index, (HPDF_INT32)pdf->tags.first_object);
    HPDF_Array_AddNumber(index, (HPDF_INT32)count);
    HPDF_Dict_AddName(table, "Type", "XRef");
    HPDF_Dict_AddNumber(table, "Size", (HPDF_INT32)(pdf->tags.first_object + count));
    HPDF_Dict_Add(table, "W", widths);
    HPDF_Dict_Add(table, "Index", index);
    rl_pdf_write_packed(pdf, table->stream, bytes.data, bytes.len);
    /* libharu makes the length a separate object and insists on having it; it is not written. */
    for (HPDF_UINT i = 0; i < table->list->count; i++) {
        const struct _HPDF_DictElement_Rec *element = HPDF_List_ItemAt(table->list, i);
        HPDF_Obj_Header *value = element ? element->value : NULL;
        if (value && strcmp(element->key, "Length") == 0)
            value->obj_id |= HPDF_OTYPE_HIDDEN;
    }
    table->write_fn = write_length;
    rl_buf_release(&bytes);
}

/* The trailer is written last: it counts our objects, too, and names their table, whose place is known by then. */
static HPDF_STATUS count_objects(HPDF_Dict trailer)
{
    const struct rl_pdf *pdf = trailer->attr;
    if (pdf->doc->xref->entries->count > pdf->tags.first_object)
        return HPDF_SetError(trailer->error, HPDF_XREF_COUNT_ERR, 0);
    return HPDF_Dict_AddNumber(trailer, "Size", (HPDF_INT32)(pdf->tags.first_object + FIRST_ELEMENT + pdf->tags.count));
}

static HPDF_STATUS name_table(HPDF_Dict trailer, HPDF_Stream document)
{
    const struct rl_pdf *pdf = trailer->attr;
    const HPDF_XrefEntry table = HPDF_Xref_GetEntry(pdf->doc->xref, rl_pdf_object(pdf->tags.table));
    if (!table)
        return HPDF_SetError(trailer->error, HPDF_XREF_COUNT_ERR, 1);
    HPDF_Stream_WriteStr(document, "/XRefStm ");
    HPDF_Stream_WriteUInt(document, table->byte_offset);
    return HPDF_Stream_WriteStr(document, "\n");
}

/* The catalog's words about the structure: libharu cannot name an object that is not its own. */
static HPDF_STATUS name_root(HPDF_Dict catalog, HPDF_Stream document)
{
    const struct rl_pdf *pdf = catalog->attr;
    HPDF_Stream_WriteStr(document, "/MarkInfo <</Marked true>>\n/StructTreeRoot ");
    HPDF_Stream_WriteUInt(document, pdf->tags.first_object + ROOT);
    return HPDF_Stream_WriteStr(document, " 0 R\n");
}

/* The claim of being accessible, where readers look for it (ISO 14289-1, 5), and the title. */
static void add_metadata(struct rl_pdf *pdf)
{
    HPDF_Dict stream = HPDF_DictStream_New(pdf->doc->mmgr, pdf->doc->xref);
    if (!stream)
        return;
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_adds(&text,
                "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
                "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n<rdf:Description rdf:about=\"\" "
                "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\">\n"
                "<pdfuaid:part>1</pdfuaid:part>\n<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">");
    rl_markup_text(&text, pdf->title, strlen(pdf->title));
    rl_buf_adds(&text, "</rdf:li></rdf:Alt></dc:title>\n</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"r\"?>\n");
    HPDF_Dict_AddName(stream, "Type", "Metadata");
    HPDF_Dict_AddName(stream, "Subtype", "XML");
    HPDF_Stream_Write(stream->stream, (HPDF_BYTE *)text.data, (HPDF_UINT)text.len);
    HPDF_Dict_Add(pdf->doc->catalog, "Metadata", stream);
    rl_buf_release(&text);
}

void rl_pdf_tags_finish(struct rl_pdf *pdf)
{
    rl_pdf_unmark(pdf);
    for (size_t page = 0; page < pdf->page_count; page++) {
        HPDF_Dict_AddNumber(pdf->pages[page], "StructParents", (HPDF_INT32)page);
        HPDF_Dict_AddName(pdf->pages[page], "Tabs", "S");
    }
    if (pdf->title)
        add_metadata(pdf);
    HPDF_Dict objects = HPDF_DictStream_New(pdf->doc->mmgr, pdf->doc->xref);
    HPDF_Dict table = HPDF_DictStream_New(pdf->doc->mmgr, pdf->doc->xref);
    HPDF_Dict catalog = pdf->doc->catalog, trailer = pdf->doc->xref->trailer;
    if (!objects || !table)
        return;
    size_t count = 0;
    pdf->tags.first_object = pdf->doc->xref->entries->count + SPARE;
    objects->write_fn = rl_pdf_name_filter;
    fill_objects(pdf, objects, &count);
    fill_table(pdf, table, objects, count);
    pdf->tags.table = table;
    catalog->attr = trailer->attr = pdf;
    catalog->write_fn = name_root;
    trailer->before_write_fn = count_objects;
    trailer->write_fn = name_table;
}

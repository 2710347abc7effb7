/* pdf_tags.c - the structure of a document: what its parts are (see pdf.h).
 *
 * libharu knows nothing of it. Content of a page is marked by operators in its stream ("/P <</MCID 7>>BDC ... EMC"); the elements
 * that it belongs to become objects in pdf_structure.c.
 */
#include "pdf_private.h"

const char *const rl_pdf_role_names[RL_PDF_ROLES] = {
#define ROLE(id, name) [RL_PDF_##id] = (name),
#include "pdf_roles.def"
};

#define DECORATION UINT32_MAX /* as the element whose content is being written */

/* ---- elements ---- */

/* Appends what an element holds. */
static void add_kid(struct rl_pdf_tags *tags, size_t element, struct rl_pdf_kid kid)
{
    RL_GROW(tags->kids, tags->kid_count + 1, tags->kid_cap);
    const uint32_t number = (uint32_t)tags->kid_count++;
    tags->kids[number] = kid;
    struct rl_pdf_element *e = &tags->elements[element];
    if (e->last)
        tags->kids[e->last].next = number;
    else
        e->first = number;
    e->last = number;
}

static size_t add_element(struct rl_pdf_tags *tags, enum rl_pdf_role role, size_t parent)
{
    assert(role < RL_PDF_ROLES && tags->count < UINT32_MAX);
    RL_GROW(tags->elements, tags->count + 1, tags->cap);
    const size_t number = tags->count++;
    tags->elements[number] = (struct rl_pdf_element){.role = role, .parent = (uint32_t)parent};
    if (number != RL_PDF_WHOLE && role != RL_PDF_ARTIFACT)
        add_kid(tags, parent, (struct rl_pdf_kid){.value = (uint32_t)number, .kind = RL_PDF_KID_ELEMENT});
    return number;
}

void rl_pdf_tags_init(struct rl_pdf *pdf)
{
    struct rl_pdf_tags *tags = &pdf->tags;
    RL_GROW(tags->kids, 1, tags->kid_cap);
    tags->kids[tags->kid_count++] = (struct rl_pdf_kid){0};
    add_element(tags, RL_PDF_DOCUMENT, RL_PDF_WHOLE);
}

void rl_pdf_tags_release(struct rl_pdf *pdf)
{
    struct rl_pdf_tags *tags = &pdf->tags;
    for (size_t i = 0; i < tags->count; i++)
        free(tags->elements[i].alternative);
    for (size_t i = 0; i < tags->page_cap; i++)
        free(tags->pages[i].at);
    free(tags->elements);
    free(tags->kids);
    free(tags->pages);
    free(tags->links.at);
    free(tags->outer);
}

size_t rl_pdf_begin(struct rl_pdf *pdf, enum rl_pdf_role role)
{
    const size_t number = add_element(&pdf->tags, role, pdf->tags.open);
    rl_pdf_resume(pdf, number);
    return number;
}

void rl_pdf_resume(struct rl_pdf *pdf, size_t element)
{
    struct rl_pdf_tags *tags = &pdf->tags;
    assert(element < tags->count);
    RL_APPEND(tags->outer, tags->depth, tags->outer_cap, tags->open);
    tags->open = (uint32_t)element;
}

void rl_pdf_end(struct rl_pdf *pdf)
{
    assert(pdf->tags.depth > 0);
    pdf->tags.open = pdf->tags.outer[--pdf->tags.depth];
}

size_t rl_pdf_element(const struct rl_pdf *pdf)
{
    return pdf->tags.open;
}

enum rl_pdf_role rl_pdf_role_of(const struct rl_pdf *pdf, size_t element)
{
    assert(element < pdf->tags.count);
    return pdf->tags.elements[element].role;
}

size_t rl_pdf_last_inside(const struct rl_pdf *pdf, enum rl_pdf_role role)
{
    const struct rl_pdf_tags *tags = &pdf->tags;
    const struct rl_pdf_kid *last = &tags->kids[tags->elements[tags->open].last];
    return last != tags->kids && last->kind == RL_PDF_KID_ELEMENT && tags->elements[last->value].role == role ? last->value
                                                                                                              : RL_PDF_WHOLE;
}

/* ---- marking content ---- */

static uint32_t add_owner(struct rl_pdf_owners *owners, size_t element)
{
    RL_GROW(owners->at, owners->count + 1, owners->cap);
    owners->at[owners->count] = (uint32_t)element;
    return (uint32_t)owners->count++;
}

void rl_pdf_tags_page(struct rl_pdf *pdf, size_t page)
{
    struct rl_pdf_tags *tags = &pdf->tags;
    const size_t before = tags->page_cap;
    RL_GROW(tags->pages, page + 1, tags->page_cap);
    for (size_t i = before; i < tags->page_cap; i++)
        tags->pages[i] = (struct rl_pdf_owners){0};
}

void rl_pdf_unmark(struct rl_pdf *pdf)
{
    if (pdf->tags.marking && rl_pdf_ready(pdf))
        rl_pdf_raw(pdf, "EMC\n");
    pdf->tags.marking = false;
}

void rl_pdf_mark(struct rl_pdf *pdf, bool decoration)
{
    struct rl_pdf_tags *tags = &pdf->tags;
    decoration |= tags->open == RL_PDF_WHOLE || tags->elements[tags->open].role == RL_PDF_ARTIFACT;
    const uint32_t owner = decoration ? DECORATION : tags->open;
    if (tags->marking && tags->marked == owner)
        return;
    rl_pdf_unmark(pdf);
    struct rl_buf op = RL_BUF_INIT;
    if (owner == DECORATION) {
        rl_buf_adds(&op, "/Artifact BMC\n");
    } else {
        const uint32_t number = add_owner(&tags->pages[pdf->page_index], owner);
        add_kid(tags, owner, (struct rl_pdf_kid){.value = number, .page = (uint32_t)pdf->page_index, .kind = RL_PDF_KID_CONTENT});
        rl_buf_addch(&op, '/');
        rl_buf_adds(&op, rl_pdf_role_names[tags->elements[owner].role]);
        rl_pdf_add_number(&op, "<</MCID ", number, ">>BDC\n");
    }
    rl_pdf_raw(pdf, op.data);
    rl_buf_release(&op);
    tags->marked = owner;
    tags->marking = true;
}

/* ---- links ---- */

uint32_t rl_pdf_tags_link(struct rl_pdf *pdf, size_t element, size_t page, HPDF_Dict annotation)
{
    struct rl_pdf_tags *tags = &pdf->tags;
    assert(element < tags->count);
    if (tags->elements[element].role == RL_PDF_ARTIFACT)
        element = RL_PDF_WHOLE;
    if (tags->elements[element].role != RL_PDF_LINK)
        element = add_element(tags, RL_PDF_LINK, element);
    add_kid(tags, element,
            (struct rl_pdf_kid){.value = rl_pdf_object(annotation), .page = (uint32_t)page, .kind = RL_PDF_KID_ANNOTATION});
    return (uint32_t)pdf->page_count + add_owner(&tags->links, element);
}

#include "views/signature.h"

#include "capture/capture.h"

enum { WORTH, SIGNER, NAME, DIGEST };

static struct view_cell signer_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_signature *signature = row;
    struct rl_buf signer = RL_BUF_INIT;
    rl_signature_signer(signature, &signer);
    const char *const texts[] = {[WORTH] = signature->holds ? "valid" : "broken",
                                 [SIGNER] = rl_arena_strdup(view->arena, signer.data),
                                 [NAME] = signature->name,
                                 [DIGEST] = signature->digest};
    rl_buf_release(&signer);
    return view_cell_text(texts[field->key]);
}

static struct view_cell known_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const enum rl_key_trust trust = ((const struct rl_signature *)row)->trust;
    (void)view;
    (void)field;
    return trust == RL_KEY_NOT_LOOKED_UP ? view_cell_absent("no list of keys was given (--trusted-keys)")
                                         : view_cell_boolean(trust == RL_KEY_KNOWN);
}

static const struct view_field signer_fields[] = {
    {.id = "state", .type = VIEW_TYPE_TEXT, .get = signer_text, .key = WORTH, .help = "valid, or broken: not over this content"},
    {.id = "signer", .type = VIEW_TYPE_TEXT, .get = signer_text, .key = SIGNER, .help = "fingerprint of the key"},
    {.id = "known", .type = VIEW_TYPE_BOOLEAN, .get = known_cell, .help = "whether the key is in the user's list"},
    {.id = "name", .type = VIEW_TYPE_TEXT, .get = signer_text, .key = NAME, .help = "whose it is by that list"},
    {.id = "digest", .type = VIEW_TYPE_TEXT, .get = signer_text, .key = DIGEST, .help = "what was signed: the hash of the content"},
};
static const struct view_record signer_record = {.id = "signer", .title = "", .help = "a signature", VIEW_FIELDS(signer_fields)};

static struct view_cell state_cell(const struct view *view, const struct view_field *field, const void *row)
{
    static const char *const states[] = {[RL_UNSIGNED] = "unsigned", [RL_SIGNED] = "valid", [RL_BROKEN] = "broken"};
    (void)view;
    (void)field;
    return view_cell_text(states[rl_capture_signed(row)]);
}

static const struct view_field signature_fields[] = {
    {.id = "state", .type = VIEW_TYPE_TEXT, .get = state_cell, .help = "unsigned, valid, or broken where one signature is"},
    {.id = "signers",
     VIEW_AT_ROWS(struct rl_capture, signatures, signature_count, &signer_record),
     .help = "signatures of this capture"},
    {.id = "made_from",
     VIEW_AT_ROWS(struct rl_capture, origins, origin_count, &signer_record),
     .help = "signatures of captures that this one was made from"},
};
const struct view_record view_record_signature = {
    .id = "signature", .title = "", .help = "who signed the capture", VIEW_FIELDS(signature_fields)};

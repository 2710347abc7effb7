/* links_measure.c - the process that copies. */
#include "kernels/link.h"
#include "links.h"
#include "nvml_api.h"
#include "session.h"

enum {
    MOST_LINKS = 64, /* GPUs have 18 at present */
    NVML_P2P_READ = 0,
    NVML_P2P_NVLINK = 2,
    NVML_REMOTE_GPU = 0,
    NVML_REMOTE_SWITCH = 2,
    NVML_CAP_P2P = 0,
    NVML_FIELD_NVLINK_SPEED_MBPS = 90, /* of each link of the GPU; NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON */
};

/* By nvmlNvlinkVersion_t: 1.0, 2.0, 2.2, 3.0, 3.1, 4.0, 5.0. */
static const double nvlink_versions[] = {0, 1, 2, 2.2, 3, 3.1, 4, 5};

/* nvmlGpuTopologyLevel_t, with the words of `nvidia-smi topo -m`. */
static const struct {
    int level;
    const char *word;
} topologies[] = {{0, "PIX"}, {10, "PIX"}, {20, "PXB"}, {30, "PHB"}, {40, "NODE"}, {50, "SYS"}};

/* nvmlGpuP2PStatus_t. */
static const char *const refusals[] = {
    "yes",
    "the chipset does not support it",
    "the GPU does not support it",
    "the topology of the I/O hubs does not support it",
    "the driver's settings forbid it",
    "it is not supported",
    "the driver does not say why",
};

/* The other ends of a GPU's active links. */
struct links {
    unsigned direct, to_switch, other;
    double version;
    bool versioned;
};

static bool is_active(rl_nvml_device device, unsigned link)
{
    int state = 0;
    unsigned peer = 1;
    if (!rl_nvml.nvmlDeviceGetNvLinkState || rl_nvml.nvmlDeviceGetNvLinkState(device, link, &state) != 0 || !state)
        return false;
    if (rl_nvml.nvmlDeviceGetNvLinkCapability && rl_nvml.nvmlDeviceGetNvLinkCapability(device, link, NVML_CAP_P2P, &peer) != 0)
        peer = 1; /* not reported */
    return peer != 0;
}

static struct links links_of(rl_nvml_device device, const struct rl_nvml_pci *peer)
{
    struct links links = {.direct = 0};
    for (unsigned link = 0; link < MOST_LINKS; link++) {
        unsigned version = 0;
        if (!is_active(device, link))
            continue;
        /* Virtual machines hide what is at the other end: then the link is of the third kind. */
        struct rl_nvml_pci remote = {.domain = 0};
        int type = -1;
        if (!rl_nvml.nvmlDeviceGetNvLinkRemoteDeviceType || rl_nvml.nvmlDeviceGetNvLinkRemoteDeviceType(device, link, &type) != 0)
            type = -1;
        bool known = peer && rl_nvml.nvmlDeviceGetNvLinkRemotePciInfo_v2 &&
                     rl_nvml.nvmlDeviceGetNvLinkRemotePciInfo_v2(device, link, &remote) == 0;
        if (known && remote.domain == peer->domain && remote.bus == peer->bus && remote.device == peer->device)
            links.direct++;
        else if (type == NVML_REMOTE_SWITCH)
            links.to_switch++;
        else if (type != NVML_REMOTE_GPU || !known)
            links.other++;
        if (rl_nvml.nvmlDeviceGetNvLinkVersion && rl_nvml.nvmlDeviceGetNvLinkVersion(device, link, &version) == 0 && version > 0 &&
            version < RL_COUNT(nvlink_versions)) {
            links.version = nvlink_versions[version];
            links.versioned = true;
        }
    }
    return links;
}

/* 0: it works; -1: unknown. */
static int p2p_status(rl_nvml_device from, rl_nvml_device to, int what)
{
    int status = 0;
    if (!rl_nvml.nvmlDeviceGetP2PStatus || rl_nvml.nvmlDeviceGetP2PStatus(from, to, what, &status) != 0)
        return -1;
    return status;
}

static struct rl_value rate_of(rl_nvml_device device)
{
    struct rl_nvml_field field = {.id = NVML_FIELD_NVLINK_SPEED_MBPS};
    if (!rl_nvml.nvmlDeviceGetFieldValues || rl_nvml.nvmlDeviceGetFieldValues(device, 1, &field) != 0 || field.result != 0 ||
        field.value.number == 0)
        return rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");
    return rl_value_of(field.value.number * 1e6);
}

static void fill_nvlink(struct rl_capture *capture, struct rl_link *link, rl_nvml_device from, rl_nvml_device to)
{
    struct rl_nvml_pci peer = {.domain = 0};
    bool known = rl_nvml.nvmlDeviceGetPciInfo_v3 && rl_nvml.nvmlDeviceGetPciInfo_v3(to, &peer) == 0;
    const struct links mine = links_of(from, known ? &peer : NULL), theirs = links_of(to, NULL);
    unsigned back = theirs.to_switch + theirs.other + theirs.direct, out = mine.to_switch + mine.other;
    bool straight = mine.direct > 0;
    unsigned count = straight ? mine.direct : out < back ? out : back;
    int status = p2p_status(from, to, NVML_P2P_NVLINK);
    if (count == 0 || status > 0)
        return;
    link->via = rl_capture_text(capture, straight ? "nvlink" : "nvswitch");
    link->nvlinks = rl_value_of(count);
    link->nvlink_version =
        mine.versioned ? rl_value_of(mine.version) : rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");
    link->nvlink_rate = rate_of(from);
}

static void fill_pcie(struct rl_link *link, rl_nvml_device device)
{
    struct rl_value generation, width;
    unsigned number = 0;
    RL_NVML_QUERY(generation, nvmlDeviceGetMaxPcieLinkGeneration, (device, &number), number);
    RL_NVML_QUERY(width, nvmlDeviceGetMaxPcieLinkWidth, (device, &number), number);
    if (!rl_present(link->pcie_generation) || (rl_present(generation) && generation.v < link->pcie_generation.v))
        link->pcie_generation = generation;
    if (!rl_present(link->pcie_width) || (rl_present(width) && width.v < link->pcie_width.v))
        link->pcie_width = width;
}

/* PCIe generation and lanes that the GPU uses now; a GPU at rest may use fewer than under load. */
static void nvml_pcie_now(const char *uuid, struct rl_value *generation, struct rl_value *width)
{
    rl_nvml_device device;
    unsigned number = 0;
    *generation = *width = rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");
    if (!rl_nvml_find(uuid, &device))
        return;
    RL_NVML_QUERY(*generation, nvmlDeviceGetCurrPcieLinkGeneration, (device, &number), number);
    RL_NVML_QUERY(*width, nvmlDeviceGetCurrPcieLinkWidth, (device, &number), number);
}

enum { MOST_AT_ONCE = 128, CHECK_BYTES = 4 << 20 };

static enum rl_status find_gpus(const int *gpus, size_t count, int **found, size_t *found_count, struct rl_err *err)
{
    int present = 0;
    enum rl_status status = rl_device_count(&present, err);
    for (size_t i = 0; i < count && status == RL_OK; i++)
        if (gpus[i] < 0 || gpus[i] >= present)
            status = rl_err_set(err, RL_USAGE, "there is no GPU %d: this machine has %d (0 to %d)", gpus[i], present, present - 1);
    if (status != RL_OK)
        return status;
    *found_count = gpus ? count : (size_t)present;
    if (*found_count > MOST_AT_ONCE)
        return rl_err_set(err, RL_UNSUPPORTED, "%zu GPUs: the links between more than %d cannot be measured", *found_count,
                          MOST_AT_ONCE);
    if (*found_count < 2)
        return rl_err_set(
            err, RL_UNSUPPORTED,
            "there is only one GPU, so no link between GPUs: its link to the host is among the roofs that collect measures");
    *found = rl_calloc(*found_count, sizeof **found);
    for (size_t i = 0; i < *found_count; i++)
        (*found)[i] = gpus ? gpus[i] : (int)i;
    return RL_OK;
}

static const char *uuid_of(const struct rl_capture *capture, size_t gpu)
{
    return gpu == RL_NONE ? NULL : capture->gpus[gpu].uuid;
}

static enum rl_status describe_link(struct rl_capture *capture, struct rl_link *link, struct rl_err *err)
{
    bool yes = false, host = link->from_gpu == RL_NONE || link->to_gpu == RL_NONE;
    size_t gpu = link->from_gpu == RL_NONE ? link->to_gpu : link->from_gpu;
    RL_TRY(host ? rl_link_is_coherent(capture->gpus[gpu].index, &yes, err)
                : rl_link_can_reach(capture->gpus[gpu].index, capture->gpus[link->to_gpu].index, &yes, err));
    link->via = rl_capture_text(capture, host ? (yes ? "c2c" : "pcie") : yes ? "pcie" : "host");
    link->access = rl_capture_text(capture, host ? NULL : yes ? "yes" : "the driver does not allow it, and does not say why");
    /* Fills what NVML knows of a link whose ends are the GPUs of these UUIDs (NULL: the host): `via` if it is not "host", topology,
     * NVLinks, the best that PCIe can do, and where `access` is not "yes" the reason for it. Texts belong to the capture. */
    const char *from_uuid = uuid_of(capture, link->from_gpu);
    const char *to_uuid = uuid_of(capture, link->to_gpu);
    rl_nvml_device from, to;
    bool has_from = rl_nvml_find(from_uuid, &from), has_to = rl_nvml_find(to_uuid, &to);
    if (has_from)
        fill_pcie(link, from);
    if (has_to)
        fill_pcie(link, to);
    if (has_from && has_to) {
        assert(link->from_gpu != link->to_gpu);
        int level = -1, status = p2p_status(from, to, NVML_P2P_READ);
        if (rl_nvml.nvmlDeviceGetTopologyCommonAncestor && rl_nvml.nvmlDeviceGetTopologyCommonAncestor(from, to, &level) == 0)
            for (size_t i = 0; i < RL_COUNT(topologies); i++)
                if (topologies[i].level == level)
                    link->topology = rl_capture_text(capture, topologies[i].word);
        if (strcmp(link->via, "host") != 0)
            fill_nvlink(capture, link, from, to);
        else if (status > 0 && status < (int)RL_COUNT(refusals))
            link->access = rl_capture_text(capture, refusals[status]);
    }
    return RL_OK;
}

enum rl_status rl_links_describe(const char *path, const int *gpus, size_t gpu_count, struct rl_err *err)
{
    struct rl_capture *capture = rl_capture_new();
    RL_FREED int *found = NULL;
    size_t count = 0;
    enum rl_status status = find_gpus(gpus, gpu_count, &found, &count, err);
    if (status == RL_OK)
        rl_facts_session(capture);
    for (size_t i = 0; i < count && status == RL_OK; i++)
        status = rl_facts_gpu(capture, rl_capture_add_gpu(capture), found[i], err);
    if (status == RL_OK)
        rl_links_add(capture);
    for (size_t i = 0; i < capture->link_count && status == RL_OK; i++)
        status = describe_link(capture, &capture->links[i], err);
    for (size_t i = 0; i < count && status == RL_OK; i++)
        rl_facts_moment(capture, i, "before", 0);
    RL_THEN(status, rl_capture_write(capture, path, err));
    rl_capture_free(capture);
    return status;
}

struct measuring {
    const struct rl_capture *capture;
    const struct rl_link_plan *plan;
    const struct rl_link_limits *limits;
    struct rl_link_space *space;
    rl_link_tell tell;
    void *context;
};

/* GPUs of the capture are in the order in which the space has them. */
static struct rl_link_copy copy_of(const struct measuring *m, size_t link)
{
    const struct rl_link *row = &m->capture->links[link];
    return (struct rl_link_copy){.from = row->from_gpu == RL_NONE ? RL_LINK_HOST : (int)row->from_gpu,
                                 .to = row->to_gpu == RL_NONE ? RL_LINK_HOST : (int)row->to_gpu};
}

static enum rl_status measure_size(struct measuring *m, const struct rl_link_task *task, const struct rl_link_copy *copies,
                                   uint64_t bytes, struct rl_err *err)
{
    RL_FREED struct rl_link_message *runs = rl_calloc(task->link_count, sizeof *runs);
    /* Samples of one size: `ns` of all links sample by sample. */
    const size_t count = task->link_count;
    assert(count > 0 && count <= MOST_AT_ONCE && m->limits->samples <= RL_COUNT(runs->duration_ns));
    uint64_t ns[MOST_AT_ONCE] = {0}, slowest = 0;
    enum rl_status status = RL_OK;
    for (int pilot = 0; pilot < 2 && status == RL_OK; pilot++) /* the first one warms up */
        status = rl_link_time(m->space, copies, count, bytes, 1, ns, err);
    for (size_t i = 0; i < count; i++)
        slowest = ns[i] > slowest ? ns[i] : slowest;
    unsigned repeat = rl_link_copies(m->limits, bytes, slowest);
    for (size_t k = 0; k < m->limits->samples && status == RL_OK; k++) {
        status = rl_link_time(m->space, copies, count, bytes, repeat, ns, err);
        for (size_t i = 0; i < count; i++) {
            runs[i].duration_ns[k] = ns[i];
            runs[i].sample_count = k + 1;
            runs[i].copies = repeat;
        }
    }
    if (status == RL_OK && task->traffic == RL_LINK_BOTH_WAYS) {
        /* Both directions of a pair are one measurement: it lasts as long as the slower one, and is the first one's. */
        assert(runs[0].sample_count == runs[1].sample_count);
        for (size_t k = 0; k < runs[0].sample_count; k++)
            if (runs[1].duration_ns[k] > runs[0].duration_ns[k])
                runs[0].duration_ns[k] = runs[1].duration_ns[k];
    }
    for (size_t i = 0; i < (task->traffic == RL_LINK_BOTH_WAYS ? 1 : task->link_count) && status == RL_OK; i++) {
        runs[i].kind = RL_LINK_RUN;
        runs[i].task = (size_t)(task - m->plan->tasks);
        runs[i].link = task->links[i];
        runs[i].bytes = bytes;
        m->tell(m->context, &runs[i]);
    }
    return status;
}

/* A link that changes what it carries has no speed. */
static enum rl_status check(struct measuring *m, struct rl_link_copy copy, struct rl_err *err)
{
    struct rl_suite_check found = {0};
    enum rl_status status = rl_link_check(m->space, copy, CHECK_BYTES, &found, err);
    if (status == RL_OK && !found.correct)
        return rl_err_set(err, RL_FAILED, "data does not arrive as it was sent: %s", found.text);
    return status;
}

/* A GPU at rest may run its link slower: this is just after a load. */
static void tell_pcie(struct measuring *m, size_t link)
{
    const struct rl_link *row = &m->capture->links[link];
    size_t gpu = row->from_gpu == RL_NONE ? row->to_gpu : row->from_gpu;
    struct rl_link_message message = {.kind = RL_LINK_PCIE, .link = link};
    nvml_pcie_now(m->capture->gpus[gpu].uuid, &message.generation, &message.width);
    m->tell(m->context, &message);
}

/* Whether one end can reach the other's memory by itself. */
static bool has_access(const struct measuring *m, size_t link)
{
    const char *access = m->capture->links[link].access;
    return access && strcmp(access, "yes") == 0;
}

static void tell_status(struct measuring *m, int kind, size_t task, enum rl_status status, const struct rl_err *err)
{
    struct rl_link_message message = {.task = task, .status = (int)status};
    message.kind = (__typeof__(message.kind))kind;
    if (status != RL_OK)
        snprintf(message.text, sizeof message.text, "%.500s", err->text);
    m->tell(m->context, &message);
}

static enum rl_status take_task(struct measuring *m, size_t task, bool *failed)
{
    struct rl_err err = RL_ERR_INIT;
    const struct rl_link_task *row = &m->plan->tasks[task];
    if (RL_ANY(i, row->link_count, failed[row->links[i]])) /* what hangs once is not tried again */
        return RL_OK;
    tell_status(m, RL_LINK_BEGINS, task, RL_OK, NULL);
    struct rl_link_copy copies[MOST_AT_ONCE];
    uint64_t sizes[RL_LINK_SIZES];
    const size_t link = row->links[0];
    struct rl_link_copy copy = copy_of(m, link);
    const bool host = copy.from == RL_LINK_HOST || copy.to == RL_LINK_HOST, reach = has_access(m, row->links[0]);
    assert(row->link_count <= MOST_AT_ONCE);
    for (size_t i = 0; i < row->link_count; i++)
        copies[i] = copy_of(m, row->links[i]);
    enum rl_status status = reach ? rl_link_reach(m->space, copies[0], true, &err) : RL_OK;
    if (status == RL_OK && row->traffic == RL_LINK_ALONE)
        status = check(m, copies[0], &err);
    size_t count = rl_link_sizes(row, host, m->limits, sizes);
    for (size_t i = 0; i < count && status == RL_OK; i++)
        status = measure_size(m, row, copies, sizes[i], &err);
    if (status == RL_OK && host && row->traffic == RL_LINK_ALONE)
        tell_pcie(m, row->links[0]);
    if (reach && status == RL_OK)
        status = rl_link_reach(m->space, copies[0], false, &err);
    if (status != RL_OK)
        tell_status(m, RL_LINK_FAILED, task, status, &err);
    for (size_t i = 0; i < row->link_count && status != RL_OK; i++)
        failed[row->links[i]] = true;
    return status;
}

/* A device that cannot be used any more ends this process: the next one goes on with the task behind. */
void rl_links_measure(const struct rl_capture *capture, const struct rl_link_plan *plan, size_t first,
                      const struct rl_link_limits *limits, rl_link_tell tell, void *context)
{
    assert(tell && first <= plan->task_count);
    struct measuring m = {.capture = capture, .plan = plan, .limits = limits, .tell = tell, .context = context};
    RL_FREED int *gpus = rl_calloc(capture->gpu_count, sizeof *gpus);
    bool *failed = rl_calloc(capture->link_count, sizeof *failed), usable = true;
    for (size_t i = 0; i < capture->gpu_count; i++)
        gpus[i] = capture->gpus[i].index;
    for (size_t i = 0; i < capture->link_count; i++)
        failed[i] = capture->links[i].failure;
    m.space = rl_link_open(gpus, capture->gpu_count, limits->peer_bytes, limits->host_bytes);
    for (size_t i = first; i < plan->task_count && usable; i++)
        usable = take_task(&m, i, failed) == RL_OK || rl_link_usable(m.space);
    if (usable) {
        tell_status(&m, RL_LINK_FINISHED, 0, RL_OK, NULL);
        rl_link_close(m.space);
    }
    free(failed);
}

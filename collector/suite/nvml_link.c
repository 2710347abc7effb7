/* nvml_link.c - what NVML says of the ways between cards. */
#include <assert.h>
#include <string.h>

#include "core/mem.h"
#include "nvml.h"
#include "nvml_api.h"

enum {
    MOST_LINKS = 64, /* cards have 18 at present */
    NVML_P2P_READ = 0,
    NVML_P2P_NVLINK = 2,
    NVML_REMOTE_GPU = 0,
    NVML_REMOTE_SWITCH = 2,
    NVML_CAP_P2P = 0,
    NVML_FIELD_NVLINK_SPEED_MBPS = 90, /* of each link of the card; NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON */
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

/* What the active links of a card lead to. */
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
        peer = 1; /* not told */
    return peer != 0;
}

/* Virtual machines hide what is at the other end: then the link is of the third kind. */
static void sort_link(rl_nvml_device device, unsigned link, const struct rl_nvml_pci *peer, struct links *links)
{
    struct rl_nvml_pci remote = {.domain = 0};
    int type = -1;
    if (!rl_nvml.nvmlDeviceGetNvLinkRemoteDeviceType || rl_nvml.nvmlDeviceGetNvLinkRemoteDeviceType(device, link, &type) != 0)
        type = -1;
    bool known = peer && rl_nvml.nvmlDeviceGetNvLinkRemotePciInfo_v2 &&
                 rl_nvml.nvmlDeviceGetNvLinkRemotePciInfo_v2(device, link, &remote) == 0;
    if (known && remote.domain == peer->domain && remote.bus == peer->bus && remote.device == peer->device)
        links->direct++;
    else if (type == NVML_REMOTE_SWITCH)
        links->to_switch++;
    else if (type != NVML_REMOTE_GPU || !known)
        links->other++;
}

static struct links links_of(rl_nvml_device device, const struct rl_nvml_pci *peer)
{
    struct links links = {.direct = 0};
    for (unsigned link = 0; link < MOST_LINKS; link++) {
        unsigned version = 0;
        if (!is_active(device, link))
            continue;
        sort_link(device, link, peer, &links);
        if (rl_nvml.nvmlDeviceGetNvLinkVersion && rl_nvml.nvmlDeviceGetNvLinkVersion(device, link, &version) == 0 && version > 0 &&
            version < RL_COUNT(nvlink_versions)) {
            links.version = nvlink_versions[version];
            links.versioned = true;
        }
    }
    return links;
}

/* 0: it works; -1: not told. */
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

void rl_nvml_link(struct rl_capture *capture, struct rl_link *link, const char *from_uuid, const char *to_uuid)
{
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
}

void rl_nvml_pcie_now(const char *uuid, struct rl_value *generation, struct rl_value *width)
{
    rl_nvml_device device;
    unsigned number = 0;
    *generation = *width = rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");
    if (!rl_nvml_find(uuid, &device))
        return;
    RL_NVML_QUERY(*generation, nvmlDeviceGetCurrPcieLinkGeneration, (device, &number), number);
    RL_NVML_QUERY(*width, nvmlDeviceGetCurrPcieLinkWidth, (device, &number), number);
}

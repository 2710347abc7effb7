/* cublas.cu - finding and opening libcublas, and the one product that is asked of it. */
#include "cublas.cuh"

#include <dlfcn.h>
#include <glob.h>
#include <library_types.h>
#include <stdio.h>
#include <stdlib.h>

extern "C" {
#include "core/fs.h"
}

/* Declarations of cublas_api.h (cuBLAS library documentation): the headers need not be there when this is compiled. */
typedef struct cublasContext *cublasHandle_t;
typedef int cublasStatus_t;
enum { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_COMPUTE_32F = 68, CUBLAS_GEMM_DEFAULT = -1 };

static struct {
    bool tried;
    const char *problem; /* why it cannot be used; NULL: it can */
    cublasStatus_t (*create)(cublasHandle_t *);
    cublasStatus_t (*destroy)(cublasHandle_t);
    cublasStatus_t (*set_stream)(cublasHandle_t, cudaStream_t);
    cublasStatus_t (*gemm)(cublasHandle_t, int, int, int, int, int, const void *, const void *, cudaDataType, int, const void *,
                           cudaDataType, int, const void *, void *, cudaDataType, int, int, int);
    const char *(*status_name)(cublasStatus_t);
} api;

static const struct {
    const char *name;
    void *function; /* pointer to a member of api */
} functions[] = {
    {"cublasCreate_v2", &api.create}, {"cublasDestroy_v2", &api.destroy},        {"cublasSetStream_v2", &api.set_stream},
    {"cublasGemmEx", &api.gemm},      {"cublasGetStatusName", &api.status_name},
};

/* ---- finding it ---- */

/* Best first. The second library is the first one's helper, which it opens by bare name. */
static const char *const names[][2] = {{"libcublas.so.13", "libcublasLt.so.13"}, {"libcublas.so.12", "libcublasLt.so.12"}};
/* Folders in which toolkits put it, best first; patterns of glob(7). */
static const char *const folders[] = {
    RL_CUDA_LIB_DIR, /* where the toolkit of the build has it */
    "/usr/local/cuda/lib64",   "/usr/local/cuda-1[2-9]*/lib64", "/usr/local/cuda-1[2-9]*/targets/x86_64-linux/lib",
    "/opt/nvidia/cuda*/lib64", "/usr/lib/x86_64-linux-gnu",
};

static void *open_in(const char *folder, const char *const name[2])
{
    char *library = rl_path_join(folder, name[0]), *helper = rl_path_join(folder, name[1]);
    void *file = NULL;
    if (rl_path_exists(library)) {
        (void)dlopen(helper, RTLD_NOW | RTLD_GLOBAL); /* when it fails, so does the next */
        file = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    }
    free(library);
    free(helper);
    return file;
}

static void *open_in_folders(const char *pattern)
{
    glob_t found = {};
    void *file = NULL;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = found.gl_pathc; i-- > 0 && !file;) /* the newest first */
            for (size_t k = 0; k < RL_COUNT(names) && !file; k++)
                file = open_in(found.gl_pathv[i], names[k]);
    globfree(&found);
    return file;
}

static void *open_file()
{
    void *file = NULL;
    for (size_t k = 0; k < RL_COUNT(names) && !file; k++)
        file = dlopen(names[k][0], RTLD_NOW | RTLD_LOCAL); /* where the loader looks */
    for (size_t i = 0; i < RL_COUNT(folders) && !file; i++)
        file = open_in_folders(folders[i]);
    return file;
}

/* It is never closed: its device code cannot be taken out of a process that uses the device. */
static const char *load()
{
    void *file = open_file();
    if (!file)
        return "libcublas is not installed";
    for (size_t i = 0; i < RL_COUNT(functions); i++) {
        void *address = dlsym(file, functions[i].name);
        if (!address)
            return "libcublas is too old: version 12 is needed";
        memcpy(functions[i].function, &address, sizeof address);
    }
    return NULL;
}

/* ---- using it ---- */

struct rl_cublas {
    cublasHandle_t handle;
};

static enum rl_status check(cublasStatus_t status, const char *what, struct rl_err *err)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return RL_OK;
    return rl_err_set(err, RL_UNSUPPORTED, "%s: %s", what, api.status_name(status));
}

enum rl_status rl_cublas_open(const struct rl_suite_run *run, struct rl_cublas **library, struct rl_err *err)
{
    *library = NULL;
    if (!api.tried)
        api.problem = load();
    api.tried = true;
    if (api.problem)
        return rl_err_set(err, RL_UNSUPPORTED, "%s", api.problem);
    struct rl_cublas *made = (struct rl_cublas *)rl_calloc(1, sizeof *made);
    enum rl_status status = check(api.create(&made->handle), "cublasCreate", err);
    RL_THEN(status, check(api.set_stream(made->handle, (cudaStream_t)run->stream), "cublasSetStream", err));
    if (status == RL_OK)
        *library = made;
    else
        rl_cublas_close(made);
    return status;
}

/* The library stores matrices by columns. To it, C by rows is C', which is B' x A': B as it lies must be transposed, A by rows is
 * A' already. */
enum rl_status rl_cublas_product(struct rl_cublas *library, unsigned n, unsigned pitch, const __nv_bfloat16 *a,
                                 const __nv_bfloat16 *b, float *c, struct rl_err *err)
{
    static const float one = 1, zero = 0;
    const int side = (int)n, leading = (int)pitch;
    return check(api.gemm(library->handle, CUBLAS_OP_T, CUBLAS_OP_N, side, side, side, &one, b, CUDA_R_16BF, leading, a,
                          CUDA_R_16BF, leading, &zero, c, CUDA_R_32F, side, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                 "cublasGemmEx", err);
}

void rl_cublas_close(struct rl_cublas *library)
{
    if (library && library->handle)
        (void)api.destroy(library->handle); /* after a fault this fails too, and the fault has been reported */
    free(library);
}

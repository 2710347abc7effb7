/* show_program_json.c - the member "program" of `show --json`; there is none where the suite was measured. */
#include "analysis/program.h"
#include "core/mem.h"
#include "show.h"

static void write_process(struct rl_json *json, const struct rl_process *process)
{
    rl_json_object(json, NULL);
    rl_json_uint(json, "pid", process->pid);
    rl_json_uint(json, "parent_pid", process->parent_pid);
    rl_json_string(json, "host", process->host);
    rl_json_string(json, "rank", process->rank);
    rl_json_string(json, "command", process->command);
    rl_json_string(json, "end", process->end);
    rl_json_int(json, "status", process->status);
    rl_json_string(json, "phases", process->phases);
    rl_json_uint(json, "launches", process->launches);
    rl_json_uint(json, "untimed", process->untimed);
    rl_json_uint(json, "lost", process->lost);
    rl_json_uint(json, "unselected", process->unselected);
    rl_json_end(json);
}

static void write_gpu(struct rl_json *json, const struct rl_program *program, size_t gpu)
{
    rl_json_object(json, NULL);
    rl_json_int(json, "gpu", program->capture->gpus[gpu].index);
    rl_json_double(json, "span_s", program->gpus[gpu].span_s);
    rl_json_double(json, "busy_s", program->gpus[gpu].busy_s);
    rl_json_double(json, "kernel_s", program->gpus[gpu].kernel_s);
    rl_json_value(json, "idle", program->gpus[gpu].idle);
    rl_json_end(json);
}

static void write_class(struct rl_json *json, const struct rl_program *program, const struct rl_program_class *class)
{
    const struct rl_kernel *kernel = &program->capture->kernels[class->kernel];
    rl_json_object(json, NULL);
    rl_json_string(json, "id", class->id);
    rl_json_uint(json, "kernel", class->kernel);
    rl_json_string(json, "name", kernel->name);
    rl_json_uint(json, "launches", class->launches);
    rl_json_value(json, "gpu_s", rl_class_gpu_s(class));
    rl_json_string(json, "gpu_s_is", rl_time_state_name(class->time.state));
    rl_json_double(json, "gpu_s_error", class->time.error_ns * 1e-9);
    rl_json_value(json, "share", rl_class_share(class));
    if (class->use) {
        rl_json_uint(json, "timed", class->use->timed);
        rl_json_uint(json, "graph", class->use->graph);
        rl_json_uint(json, "min_ns", class->use->min_ns);
        rl_json_uint(json, "max_ns", class->use->max_ns);
        rl_json_double(json, "deviation_ns", class->use->deviation_ns);
        rl_json_uint(json, "counted", class->use->counted);
        rl_json_string(json, "uncounted", class->use->uncounted);
    }
    rl_json_end(json);
}

static void write_range(struct rl_json *json, const struct rl_program *program, const struct rl_program_range *of)
{
    const struct rl_range *range = &program->capture->ranges[of->range];
    rl_json_object(json, NULL);
    rl_json_string(json, "domain", range->domain);
    rl_json_string(json, "name", range->name);
    rl_json_uint(json, "process", program->capture->processes[range->process].pid);
    rl_json_uint(json, "depth", of->depth);
    rl_json_uint(json, "instances", range->instances);
    rl_json_uint(json, "launches", of->launches);
    rl_json_double(json, "gpu_s", of->gpu_s);
    rl_json_double(json, "share", of->share);
    rl_json_double(json, "host_s", of->host_s);
    rl_json_end(json);
}

static void write_transfer(struct rl_json *json, const struct rl_capture *capture, const struct rl_transfer *transfer)
{
    rl_json_object(json, NULL);
    rl_json_uint(json, "process", capture->processes[transfer->process].pid);
    rl_json_int(json, "gpu", capture->gpus[transfer->gpu].index);
    rl_json_string(json, "direction", transfer->direction);
    rl_json_string(json, "memory", transfer->memory);
    rl_json_uint(json, "count", transfer->count);
    rl_json_uint(json, "bytes", transfer->bytes);
    rl_json_uint(json, "total_ns", transfer->total_ns);
    rl_json_value(json, "slowest", transfer->slowest);
    rl_json_value(json, "fastest", transfer->fastest);
    rl_json_end(json);
}

void show_program_json(const struct show *show, struct rl_json *json)
{
    const struct rl_capture *capture = show->capture;
    if (!rl_is_program(capture))
        return;
    struct rl_program *program = rl_program_new(capture);
    const struct rl_coverage *coverage = &program->coverage;
    rl_json_object(json, "program");
    rl_json_double(json, "gpu_s", program->gpu_s);
    rl_json_string(json, "gpu_s_is", rl_time_state_name(coverage->time.state));
    rl_json_double(json, "gpu_s_error", coverage->time.error_ns * 1e-9);
    rl_json_double(json, "covered_s", coverage->covered_s);
    rl_json_value(json, "coverage", coverage->share);
    rl_json_uint(json, "launches", program->launches);
    rl_json_uint(json, "timed_launches", coverage->time.timed);
    rl_json_uint(json, "estimated_launches", coverage->estimated);
    rl_json_uint(json, "bounded_launches", coverage->bounded);
    rl_json_uint(json, "timeless_launches", coverage->timeless);
    rl_json_uint(json, "timeless_classes", coverage->timeless_classes);
    rl_json_uint(json, "counted_launches", coverage->counted);
    rl_json_array(json, "processes");
    for (size_t i = 0; i < capture->process_count; i++)
        write_process(json, &capture->processes[i]);
    rl_json_end(json);
    rl_json_array(json, "gpus");
    for (size_t i = 0; i < capture->gpu_count; i++)
        write_gpu(json, program, i);
    rl_json_end(json);
    rl_json_array(json, "classes");
    for (size_t i = 0; i < program->class_count; i++)
        write_class(json, program, &program->classes[i]);
    rl_json_end(json);
    rl_json_array(json, "ranges");
    for (size_t i = 0; i < program->range_count; i++)
        write_range(json, program, &program->ranges[i]);
    rl_json_end(json);
    rl_json_array(json, "transfers");
    for (size_t i = 0; i < capture->transfer_count; i++)
        write_transfer(json, capture, &capture->transfers[i]);
    rl_json_end(json);
    rl_json_end(json);
    rl_program_free(program);
}

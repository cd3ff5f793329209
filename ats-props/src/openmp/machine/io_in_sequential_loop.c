#include <ats.h>
#include <omp.h>

static void writes(int calls, int bytes) {
    ats_enter(__func__);
    do_writes(calls, bytes);
    ats_cause("syscw", calls);
    ats_cause("wchar", (int64_t)calls * bytes);
    ats_leave(__func__);
}

static void write_often(int of_master, int of_others, int bytes, int r) {
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        writes(omp_get_thread_num() == 0 ? of_master : of_others, bytes);
    }
}

void io_in_sequential_loop(int k, int bytes, int r) {
    ats_enter(__func__);
    write_often(k * omp_get_max_threads(), 0, bytes, r);
    ats_leave(__func__);
}

void io_in_sequential_loop_balanced(int k, int bytes, int r) {
    ats_enter(__func__);
    write_often(k, k, bytes, r);
    ats_leave(__func__);
}

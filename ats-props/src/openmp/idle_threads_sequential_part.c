#include <ats.h>
#include <omp.h>

static void alternate(double serialwork, double parallelwork, int r) {
    for (int i = 0; i < r; ++i) {
        do_work(serialwork);
        #pragma omp parallel
        do_work(parallelwork);
    }
}

void idle_threads_sequential_part(double serialwork, double parallelwork, int r) {
    ats_enter(__func__);
    alternate(serialwork, parallelwork, r);
    ats_leave(__func__);
}

void idle_threads_sequential_part_balanced(double serialwork, double parallelwork, int r) {
    ats_enter(__func__);
    alternate(0.0, parallelwork + serialwork / omp_get_max_threads(), r);
    ats_leave(__func__);
}

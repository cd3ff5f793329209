#include <ats.h>

static void regions(double work, int more, int r) {
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        do_work(work);
        for (int region = 0; region < more; ++region) {
            #pragma omp parallel
            do_work(0.0);
        }
    }
}

void parallel_region_startup_overhead(double work, int k, int r) {
    ats_enter(__func__);
    regions(work, k, r);
    ats_leave(__func__);
}

void parallel_region_startup_overhead_balanced(double work, int k, int r) {
    (void)k;
    ats_enter(__func__);
    regions(work, 0, r);
    ats_leave(__func__);
}

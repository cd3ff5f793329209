#include <ats.h>
#include <omp.h>

static void singles(double before, double singlework, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(before);
        #pragma omp single
        do_work(singlework);
    }
}

void unparallelized_in_single_region(double singlework, int r) {
    ats_enter(__func__);
    singles(0.0, singlework, r);
    ats_leave(__func__);
}

void unparallelized_in_single_region_balanced(double singlework, int r) {
    ats_enter(__func__);
    singles(singlework / omp_get_max_threads(), 0.0, r);
    ats_leave(__func__);
}

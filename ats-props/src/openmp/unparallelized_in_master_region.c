#include <ats.h>
#include <omp.h>

static void masters(double before, double masterwork, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(before);
        #pragma omp master
        do_work(masterwork);
        #pragma omp barrier
    }
}

void unparallelized_in_master_region(double masterwork, int r) {
    ats_enter(__func__);
    masters(0.0, masterwork, r);
    ats_leave(__func__);
}

void unparallelized_in_master_region_balanced(double masterwork, int r) {
    ats_enter(__func__);
    masters(masterwork / omp_get_max_threads(), 0.0, r);
    ats_leave(__func__);
}

#include <ats.h>

static void work_and_meet(double work, int barriers, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(work);
        for (int barrier = 0; barrier < barriers; ++barrier) {
            #pragma omp barrier
        }
    }
}

void frequent_explicit_barrier(double work, int k, int r) {
    ats_enter(__func__);
    work_and_meet(work, k, r);
    ats_leave(__func__);
}

void frequent_explicit_barrier_balanced(double work, int k, int r) {
    ats_enter(__func__);
    work_and_meet(work, k < 1 ? k : 1, r);
    ats_leave(__func__);
}

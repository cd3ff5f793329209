#include <ats.h>
#include <omp.h>

static void take_turns(double basework, double lockedwork, int r) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(basework);
        omp_set_lock(&lock);
        do_work(lockedwork);
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
}

void all_threads_lock_contention(double basework, double lockedwork, int r) {
    ats_enter(__func__);
    take_turns(basework, lockedwork, r);
    ats_leave(__func__);
}

void all_threads_lock_contention_balanced(double basework, double lockedwork, int r) {
    ats_enter(__func__);
    take_turns(basework + lockedwork, 0.0, r);
    ats_leave(__func__);
}

#include <ats.h>
#include <omp.h>
#include <stdlib.h>

static void take_turns(double basework, double lockedwork, int r) {
    const int pairs = (omp_get_max_threads() + 1) / 2;
    omp_lock_t* locks = malloc(pairs * sizeof *locks);
    if (!locks) abort();
    for (int pair = 0; pair < pairs; ++pair) omp_init_lock(&locks[pair]);
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        omp_lock_t* lock = &locks[omp_get_thread_num() / 2];
        do_work(basework);
        omp_set_lock(lock);
        do_work(lockedwork);
        omp_unset_lock(lock);
    }
    for (int pair = 0; pair < pairs; ++pair) omp_destroy_lock(&locks[pair]);
    free(locks);
}

void pairwise_lock_contention(double basework, double lockedwork, int r) {
    ats_enter(__func__);
    take_turns(basework, lockedwork, r);
    ats_leave(__func__);
}

void pairwise_lock_contention_balanced(double basework, double lockedwork, int r) {
    ats_enter(__func__);
    take_turns(basework + lockedwork, 0.0, r);
    ats_leave(__func__);
}

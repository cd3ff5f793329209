#include <ats.h>
#include <omp.h>

static void reduce(int additions, int updates, int r) {
    for (int i = 0; i < r; ++i) {
        do_additions(additions);
        do_updates(updates, 0, omp_get_num_threads(), 0, 1);
    }
}

static void array(int additions, int updates, int r) {
    ats_enter(__func__);
    reduce(additions, updates, r);
    ats_leave(__func__);
}

static void scalar(int n, int r) {
    ats_enter(__func__);
    reduce(n, n < 1 ? n : 1, r);
    ats_leave(__func__);
}

static void both(int additions, int updates, int n, int r) {
    #pragma omp parallel
    {
        #pragma omp barrier
        array(additions, updates, r);
        #pragma omp barrier
        scalar(n, r);
    }
}

void reduction_overhead(int n, int r) {
    ats_enter(__func__);
    both(0, n, n, r);
    ats_leave(__func__);
}

void reduction_overhead_balanced(int n, int r) {
    ats_enter(__func__);
    both(n, n < 1 ? n : 1, n, r);
    ats_leave(__func__);
}

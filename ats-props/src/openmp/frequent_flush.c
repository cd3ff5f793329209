#include <ats.h>

static void flushes(double work, int k, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(work);
        for (int flush = 0; flush < k; ++flush) {
            #pragma omp flush
        }
    }
}

void frequent_flush(double work, int k, int r) {
    ats_enter(__func__);
    flushes(work, k, r);
    ats_leave(__func__);
}

void frequent_flush_balanced(double work, int k, int r) {
    ats_enter(__func__);
    flushes(work, k < 1 ? k : 1, r);
    ats_leave(__func__);
}

#include <ats.h>

static void copied(int bytes, int is_copied, int r) {
    ats_enter(__func__);
    for (int i = 0; i < r; ++i) {
        do_readings(bytes, is_copied);
    }
    ats_leave(__func__);
}

static void shared(int bytes, int r) {
    ats_enter(__func__);
    for (int i = 0; i < r; ++i) {
        do_readings(bytes, 0);
    }
    ats_leave(__func__);
}

static void both(int bytes, int is_copied, int r) {
    #pragma omp parallel
    {
        #pragma omp barrier
        copied(bytes, is_copied, r);
        #pragma omp barrier
        shared(bytes, r);
    }
}

void firstprivate_copy_overhead(int bytes, int r) {
    ats_enter(__func__);
    both(bytes, 1, r);
    ats_leave(__func__);
}

void firstprivate_copy_overhead_balanced(int bytes, int r) {
    ats_enter(__func__);
    both(bytes, 0, r);
    ats_leave(__func__);
}

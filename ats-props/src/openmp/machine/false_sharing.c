#include <ats.h>
#include <omp.h>

static void update(int is_padded, int k, int r) {
    for (int i = 0; i < r; ++i) {
        do_updates(k, omp_get_thread_num(), omp_get_num_threads(), is_padded, 0);
    }
}

static void shared(int is_padded, int k, int r) {
    ats_enter(__func__);
    update(is_padded, k, r);
    ats_leave(__func__);
}

static void padded(int k, int r) {
    ats_enter(__func__);
    update(1, k, r);
    ats_leave(__func__);
}

static void both(int is_padded, int k, int r) {
    #pragma omp parallel
    {
        #pragma omp barrier
        shared(is_padded, k, r);
        #pragma omp barrier
        padded(k, r);
    }
}

void false_sharing(int k, int r) {
    ats_enter(__func__);
    both(0, k, r);
    ats_leave(__func__);
}

void false_sharing_balanced(int k, int r) {
    ats_enter(__func__);
    both(1, k, r);
    ats_leave(__func__);
}

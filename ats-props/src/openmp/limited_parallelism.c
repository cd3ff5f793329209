#include <ats.h>
#include <omp.h>

/* At least one thread, and no more than there are. */
static int clamped(int members) {
    const int threads = omp_get_max_threads();
    if (members < 1) return 1;
    return members < threads ? members : threads;
}

static void regions(double work, int threads, int r) {
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel num_threads(threads)
        do_work(work);
    }
}

void limited_parallelism(double work, int members, int r) {
    ats_enter(__func__);
    regions(work, clamped(members), r);
    ats_leave(__func__);
}

void limited_parallelism_balanced(double work, int members, int r) {
    ats_enter(__func__);
    regions(work * clamped(members) / omp_get_max_threads(), omp_get_max_threads(), r);
    ats_leave(__func__);
}

#include <ats.h>

static void criticals(double work, int k, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(work);
        for (int critical = 0; critical < k; ++critical) {
            #pragma omp critical(critical_section_overhead)
            {
            }
        }
    }
}

void critical_section_overhead(double work, int k, int r) {
    ats_enter(__func__);
    criticals(work, k, r);
    ats_leave(__func__);
}

void critical_section_overhead_balanced(double work, int k, int r) {
    ats_enter(__func__);
    criticals(work, k < 1 ? k : 1, r);
    ats_leave(__func__);
}

#include <ats.h>

static void criticals(double basework, double criticalwork, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(basework);
        #pragma omp critical(critical_section_contention)
        do_work(criticalwork);
    }
}

void critical_section_contention(double basework, double criticalwork, int r) {
    ats_enter(__func__);
    criticals(basework, criticalwork, r);
    ats_leave(__func__);
}

void critical_section_contention_balanced(double basework, double criticalwork, int r) {
    ats_enter(__func__);
    criticals(basework + criticalwork, 0.0, r);
    ats_leave(__func__);
}

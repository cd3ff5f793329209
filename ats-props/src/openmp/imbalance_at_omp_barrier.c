#include <ats.h>
#include <omp.h>

static void work_and_meet(distr_func_t df, distr_t* dd, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        par_do_omp_work(df, dd, 1.0);
        #pragma omp barrier
    }
}

void imbalance_at_omp_barrier(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    work_and_meet(df, dd, r);
    ats_leave(__func__);
}

void imbalance_at_omp_barrier_balanced(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    val1_distr_t mean = {distr_mean(df, dd, omp_get_max_threads())};
    work_and_meet(df_same, &mean, r);
    ats_leave(__func__);
}

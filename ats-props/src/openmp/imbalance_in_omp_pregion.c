#include <ats.h>
#include <omp.h>

static void work_in_regions(distr_func_t df, distr_t* dd, int r) {
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        par_do_omp_work(df, dd, 1.0);
    }
}

void imbalance_in_omp_pregion(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    work_in_regions(df, dd, r);
    ats_leave(__func__);
}

void imbalance_in_omp_pregion_balanced(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    val1_distr_t mean = {distr_mean(df, dd, omp_get_max_threads())};
    work_in_regions(df_same, &mean, r);
    ats_leave(__func__);
}

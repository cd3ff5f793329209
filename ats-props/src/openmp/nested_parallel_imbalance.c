#include <ats.h>

static int at_least_one(int inner) {
    return inner < 1 ? 1 : inner;
}

static void nest(distr_func_t df, distr_t* dd, int inner, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel num_threads(inner)
        par_do_omp_work(df, dd, 1.0);
    }
}

void nested_parallel_imbalance(distr_func_t df, distr_t* dd, int inner, int r) {
    ats_enter(__func__);
    nest(df, dd, at_least_one(inner), r);
    ats_leave(__func__);
}

void nested_parallel_imbalance_balanced(distr_func_t df, distr_t* dd, int inner, int r) {
    ats_enter(__func__);
    val1_distr_t mean = {distr_mean(df, dd, at_least_one(inner))};
    nest(df_same, &mean, at_least_one(inner), r);
    ats_leave(__func__);
}

#include <ats.h>
#include <omp.h>

static void writes(int calls, int bytes) {
    ats_enter(__func__);
    do_writes(calls, bytes);
    ats_cause("syscw", calls);
    ats_cause("wchar", (int64_t)calls * bytes);
    ats_leave(__func__);
}

static void write_shares(distr_func_t df, distr_t* dd, int bytes, int r) {
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        writes(df(omp_get_thread_num(), omp_get_num_threads(), 1.0, dd), bytes);
    }
}

void unbalanced_io(distr_func_t df, distr_t* dd, int bytes, int r) {
    ats_enter(__func__);
    write_shares(df, dd, bytes, r);
    ats_leave(__func__);
}

void unbalanced_io_balanced(distr_func_t df, distr_t* dd, int bytes, int r) {
    ats_enter(__func__);
    val1_distr_t mean = {distr_mean(df, dd, omp_get_max_threads())};
    write_shares(df_same, &mean, bytes, r);
    ats_leave(__func__);
}

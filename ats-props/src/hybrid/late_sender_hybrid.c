#include <ats.h>

static void send_up(distr_func_t df, distr_t* dd, int r, MPI_Comm c) {
    mpi_buf_t* buf = alloc_mpi_buf(base_type, base_cnt);
    const double of_rank = mpi_distr_share(df, dd, c);
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        do_work(of_rank);
        mpi_commpattern_sendrecv(buf, DIR_UP, 0, 0, c);
    }
    free_mpi_buf(buf);
}

void late_sender_hybrid(double basework, double extrawork, int r, MPI_Comm c) {
    ats_enter(__func__);
    /* Even ranks send, and have more to do. */
    val2_distr_t work = {basework + extrawork, basework};
    send_up(df_cyclic2, &work, r, c);
    ats_leave(__func__);
}

void late_sender_hybrid_balanced(double basework, double extrawork, int r, MPI_Comm c) {
    ats_enter(__func__);
    val2_distr_t work = {basework + extrawork, basework};
    val1_distr_t mean = {mpi_distr_mean(df_cyclic2, &work, c)};
    send_up(df_same, &mean, r, c);
    ats_leave(__func__);
}

#include <ats.h>
#include <omp.h>

static void compute(int n, int place, int places, int cores) {
    ats_enter(__func__);
    do_bound(n, place, places, cores);
    ats_leave(__func__);
}

static void compute_often(int n, int is_apart, int r, MPI_Comm c) {
    const int threads = omp_get_max_threads();
    int rank, size;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    for (int i = 0; i < r; ++i) {
        MPI_Barrier(c);
        #pragma omp parallel
        compute(n, rank * threads + omp_get_thread_num(), size * threads, is_apart ? size * threads : 1);
    }
}

void oversubscribed_hybrid(int n, int r, MPI_Comm c) {
    ats_enter(__func__);
    compute_often(n, 0, r, c);
    ats_leave(__func__);
}

void oversubscribed_hybrid_balanced(int n, int r, MPI_Comm c) {
    ats_enter(__func__);
    compute_often(n, 1, r, c);
    ats_leave(__func__);
}

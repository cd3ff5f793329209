/* One rank computes longer: all functions are instrumented, and so on the call path once. 2 ranks. Right: rank 1 is late in
   `solve`, and `norm`, which is short, is left out. `relay` is not instrumented, and leads to the second wait. */
#include <mpi.h>
#include <unistd.h>

static volatile double kept;
static int rank;

static void norm(void) { kept += 1; }

static void solve(int step) {
    for (int call = 0; call < 20000; call++)
        norm();
    usleep(rank == 1 ? 60000 : 20000);
    kept += step;
}

static void meet(void) {
    double all, own = rank;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    kept += all;
}

__attribute__((no_instrument_function, noinline)) static void relay(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    kept += 1;
}

static void step(int number) {
    solve(number);
    meet();
    relay();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int number = 0; number < 8; number++)
        step(number);
    MPI_Finalize();
    return 0;
}

/* MPI as Julia's MPI.jl reaches it: by dlsym on the library's handle, never by a linked symbol, so that no preloaded library
   sees the calls. Rank 0 is 100 ms late to a barrier. Right: `ats record` says that nothing was recorded. */
#include <dlfcn.h>
#include <stdio.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank;
  void *mpi = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_GLOBAL);
  if (!mpi) {
    puts(dlerror());
    return 1;
  }
  void *world = dlsym(mpi, "ompi_mpi_comm_world");
  ((int (*)(int *, char ***))dlsym(mpi, "MPI_Init"))(&argc, &argv);
  ((int (*)(void *, int *))dlsym(mpi, "MPI_Comm_rank"))(world, &rank);
  if (rank == 0) spin_ms(100);
  ((int (*)(void *))dlsym(mpi, "MPI_Barrier"))(world);
  ((int (*)(void))dlsym(mpi, "MPI_Finalize"))();
  return 0;
}

/* Two ranks compute for 0.5 s each and meet in one barrier. Right: the program's own computing has the most of the time;
   nobody waits. */
#include <mpi.h>
#include "work.h"
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  spin_ms(500);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

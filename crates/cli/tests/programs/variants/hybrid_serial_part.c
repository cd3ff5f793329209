#include "variant.h"
STEP {
  IN("serial", work(MORE));
  #pragma omp parallel num_threads(THREADS)
  work(USUAL);
  MPI_Allreduce(a,b,1,MPI_DOUBLE,MPI_SUM,comm);
}

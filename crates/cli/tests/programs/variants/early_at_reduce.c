#include "variant.h"
STEP {
  IN("residual", work(me==CULPRIT?USUAL:USUAL+MORE));
  MPI_Reduce(a,b,1,MPI_DOUBLE,MPI_MAX,IN_COMM(CULPRIT),comm); /* waits */
}

#include "variant.h"
STEP {
  IN("compute", work(USUAL));
  MPI_Gather(a,100,MPI_DOUBLE,b,100,MPI_DOUBLE,IN_COMM(CULPRIT),comm);
  if(me==CULPRIT) IN("write", work(MORE));
  MPI_Barrier(comm); /* waits */
}

#include "variant.h"
STEP {
  if(me==CULPRIT) IN("prepare", work(MORE));
  MPI_Bcast(a,512,MPI_DOUBLE,IN_COMM(CULPRIT),comm); /* waits */
  IN("use", work(USUAL));
}

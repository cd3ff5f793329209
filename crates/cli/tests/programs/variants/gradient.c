#include "variant.h"
STEP {
  IN("stencil", work(USUAL+MORE*me));
  MPI_Barrier(comm); /* waits */
}

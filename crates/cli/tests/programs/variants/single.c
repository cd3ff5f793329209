#define NOMPI
#define THREADS_ALONE
#include "variant.h"
STEP {
  #pragma omp parallel num_threads(THREADS)
  {
    #pragma omp single /* waits */
    IN("fill", work(MORE));
    work(USUAL);
  }
}

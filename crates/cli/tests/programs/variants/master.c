#define NOMPI
#define THREADS_ALONE
#include "variant.h"
STEP {
  #pragma omp parallel num_threads(THREADS)
  {
    #pragma omp master
    IN("fill", work(MORE));
    #pragma omp barrier /* waits */
    work(USUAL);
  }
}

#define NOMPI
#define THREADS_ALONE
#include "variant.h"
STEP {
  #pragma omp parallel for num_threads(THREADS)
  FOR(i,4*THREADS) {
    work(MORE/4.0);
    #pragma omp critical(sum) /* waits */
    work(MORE/4.0);
  }
}

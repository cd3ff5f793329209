#define NOMPI
#define THREADS_ALONE
#include "variant.h"
STEP {
  IN("allocate", work(MORE));
  #pragma omp parallel num_threads(THREADS)
  work(USUAL);
}

#define NOMPI
#include "k.h"
int main(){
  FOR(it,4){
    #pragma omp parallel num_threads(4)
    {
      #pragma omp single
      FOR(i,5) {
        #pragma omp task
        work(60);
      }
    }
  }
}

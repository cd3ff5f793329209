#define NOMPI
#include "k.h"
int main(){
  #pragma omp parallel num_threads(4)
  FOR(it,6){
    #pragma omp single
    work(40);
    #pragma omp master
    work(20);
    #pragma omp barrier
    work(10);
    #pragma omp barrier
  }
}

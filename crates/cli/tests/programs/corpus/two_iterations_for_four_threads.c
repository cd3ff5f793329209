#define NOMPI
#include "k.h"
int main(){
  FOR(it,6){
    #pragma omp parallel for num_threads(4)
    FOR(i,2) work(50);
  }
}

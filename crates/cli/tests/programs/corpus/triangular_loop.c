#define NOMPI
#include "k.h"
int main(){
  FOR(it,3){
    #pragma omp parallel for schedule(static) num_threads(4)
    FOR(i,40) work(i*0.5);
  }
}

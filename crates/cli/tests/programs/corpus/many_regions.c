/* Threads alone: argv[1] parallel regions of two threads; thread 0 is 250 ms late to the end of the last. Prints "sum N". */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include "work.h"
int main(int c,char**v){ int n=atoi(v[1]); long s=0;
 for(int i=0;i<n;i++){
  #pragma omp parallel num_threads(2) reduction(+:s)
  s+=1; }
 #pragma omp parallel num_threads(2)
 if(omp_get_thread_num()==0) spin_ms(250);
 printf("sum %ld\n",s); return 0; }

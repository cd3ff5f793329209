/* A program of threads that forks after its first parallel region (as R's mclapply and Python's multiprocessing do); the child uses OpenMP, too, and ends by exit().
   The parent: region A with thread 0 250 ms late, fork, child: three balanced regions, parent waits for it, region B with thread 0 200 ms late.
   Right: 2 locations, wait_at_implicit_omp_barrier 0.25 s (A) and 0.2 s (B) on thread 1; the child left out. Output: "child 6", "parent 4". */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "work.h"
int main(void){ int s=0;
 #pragma omp parallel num_threads(2) reduction(+:s)
 { s++; if(omp_get_thread_num()==0) spin_ms(250); }
 pid_t p=fork();
 if(!p){ s=0; for(int i=0;i<3;i++){
  #pragma omp parallel num_threads(2) reduction(+:s)
  s++; }
  printf("child %d\n",s); exit(0); }
 waitpid(p,0,0);
 #pragma omp parallel num_threads(2) reduction(+:s)
 { s++; if(omp_get_thread_num()==0) spin_ms(200); }
 printf("parent %d\n",s); return 0; }

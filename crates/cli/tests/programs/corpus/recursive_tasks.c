/* Recursive tasks: fib(12) by tasks (about 460 tasks), 4 threads. Right: the result, no complaint about tasks, analysis in seconds. */
#include <stdio.h>
static long fib(int n){ long a,b; if(n<2) return n;
 #pragma omp task shared(a)
 a=fib(n-1);
 #pragma omp task shared(b)
 b=fib(n-2);
 #pragma omp taskwait
 return a+b; }
int main(void){ long r;
 #pragma omp parallel num_threads(4)
 #pragma omp single
 r=fib(12);
 printf("fib %ld\n",r); return 0; }

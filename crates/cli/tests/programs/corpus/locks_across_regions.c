/* Locks across regions: thread 0 sets lock L in region A and keeps it; the lock is unset after the region by the same thread; nested lock N taken twice by thread 0 for 250 ms
   while thread 1 waits for it; test_lock in a loop (20 ms) by thread 1. Right: omp_lock_contention_api 0.25 s on thread 1 (omp_set_nest_lock); polling by omp_test_lock is no wait of the API or said;
   no complaint about locks that are released outside of the region. */
#include <omp.h>
#include <stdio.h>
#include "work.h"
int main(void){ omp_lock_t l,k; omp_nest_lock_t n; omp_init_lock(&l); omp_init_lock(&k); omp_init_nest_lock(&n);
 #pragma omp parallel num_threads(2)
 { if(omp_get_thread_num()==0) omp_set_lock(&l); }
 omp_unset_lock(&l);
 #pragma omp parallel num_threads(2)
 { int t=omp_get_thread_num();
   if(t==0){ omp_set_nest_lock(&n); omp_set_nest_lock(&n); }
   #pragma omp barrier
   if(t==0){ spin_ms(250); omp_unset_nest_lock(&n); omp_unset_nest_lock(&n);} else { omp_set_nest_lock(&n); omp_unset_nest_lock(&n);} 
   #pragma omp barrier
   if(t==0) omp_set_lock(&k);
   #pragma omp barrier
   if(t==0){ spin_ms(20); omp_unset_lock(&k);} else { while(!omp_test_lock(&k)) spin_ms(1); omp_unset_lock(&k);} 
 }
 omp_destroy_lock(&l); omp_destroy_nest_lock(&n); puts("ok"); return 0; }

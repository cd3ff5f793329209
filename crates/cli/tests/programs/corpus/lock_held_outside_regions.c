/* A lock that one thread takes outside of every region and the other waits for: the initial thread holds it for 300 ms while a pthread (with a team of its own) wants it. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include "work.h"
static omp_lock_t l;
static void*run(void*p){
 #pragma omp parallel num_threads(2)
 { if(omp_get_thread_num()==1){ omp_set_lock(&l); omp_unset_lock(&l);} }
 return 0; }
int main(void){ pthread_t t; omp_init_lock(&l); omp_set_lock(&l); pthread_create(&t,0,run,0); spin_ms(300); omp_unset_lock(&l); pthread_join(t,0); puts("ok"); return 0; }

/* Constructs of OpenMP, by the program's argument; each comment says what is right. Times are of threads that sleep. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "work.h"

static int x;
static long sum;

/* A chain of five tasks of 20 ms. All come to the barrier at once and are there for the tasks, which is no wait. */
static void dependences(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 5; i++) {
#pragma omp task depend(inout : x)
    {
      spin_ms(20);
      x++;
    }
  }
}

/* Balanced, to a task: 200 ms of tasks, in the barrier on all threads but one, which is no wait. */
static void taskloop(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 40; i++) spin_ms(5);
}

/* Balanced, until it is cancelled. One warning, since a cancelled barrier is another one on each thread. */
static void cancelled(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 40; i++) {
      spin_ms(2);
#pragma omp cancel for if (i == 7)
#pragma omp cancellation point for
    }
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 4; i++) spin_ms(10);
  }
#pragma omp parallel num_threads(4)
  {
    spin_ms(5);
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp barrier
    spin_ms(5);
  }
}

/* Leagues are not followed: one warning, and no limited parallelism. */
static void teams(void) {
#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp parallel num_threads(2)
  spin_ms(omp_get_team_num() * 20 + omp_get_thread_num() * 20);
}

/* Thread 0 is 60 ms late in teams of 1, 2, 3, 4 and 2 threads: 0.42 s. */
static void resized(void) {
  int threads[] = {1, 2, 3, 4, 2};
  for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(threads[i])
    if (omp_get_thread_num() == 0) spin_ms(60);
  }
}

/* One after another, in `ordered`, whose 360 ms of waits are not judged; 120 ms at the barrier. */
static void doacross(void) {
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(4)
  for (int i = 0; i < 8; i++) {
#pragma omp ordered depend(sink : i - 1)
    spin_ms(20);
#pragma omp ordered depend(source)
  }
}

/* As `taskloop`: three threads are in the barrier while one is in the group, and execute tasks there, which is no wait. */
static void task_reduction(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 40; i++) {
#pragma omp task in_reduction(+ : sum)
      {
        spin_ms(5);
        sum += i;
      }
    }
  }
}

/* Three threads wait 100 ms for the one that copies: 0.3 s. */
static void copyprivate(void) {
  int value = 0;
#pragma omp parallel num_threads(4) private(value)
  {
#pragma omp single copyprivate(value)
    {
      spin_ms(100);
      value = 5;
    }
    if (value != 5) abort();
  }
}

/* One thread waits 100 ms for the other, less 1 ms in the task. */
static void detached(void) {
  omp_event_handle_t event;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task detach(event)
    spin_ms(1);
    spin_ms(100);
    omp_fulfill_event(event);
  }
}

/* A thread ends the program inside a region: the trace is whole. */
static void ended(void) {
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 2) {
      spin_ms(10);
      exit(0);
    }
    spin_ms(100);
  }
}

/* Balanced; the 100 ms between regions are no wait in the barrier before them. */
static void apart(void) {
  for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(4)
    spin_ms(10);
    spin_ms(100);
  }
}

/* In each of four innermost teams, thread 0 waits 100 ms: 0.4 s. */
static void nested(void) {
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  spin_ms(100 * (1 + omp_get_thread_num()));
}

/* On the host, as there is no device. One warning, of the league; no limited parallelism, and none of the threads that the
   runtime has for `nowait`. */
static void target(void) {
#pragma omp target map(tofrom : x)
  x++;
#pragma omp target teams distribute parallel for num_threads(2) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
#pragma omp target nowait map(tofrom : x)
  x++;
#pragma omp taskwait
  if (x != 2 || sum != 4950) abort();
}

int main(int argc, char **argv) {
  struct {
    const char *name;
    void (*run)(void);
  } all[] = {{"dependences", dependences}, {"taskloop", taskloop},   {"cancelled", cancelled},
             {"teams", teams},             {"resized", resized},     {"doacross", doacross},
             {"task_reduction", task_reduction}, {"copyprivate", copyprivate}, {"detached", detached},
             {"ended", ended},             {"apart", apart},         {"nested", nested},     {"target", target}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    if (!strcmp(argv[1], all[i].name)) {
      all[i].run();
      return 0;
    }
  }
  return 1;
}

/* A program that looks for a signal that nobody handles, and handles every real-time signal itself. Ends with 0 if it gets
   those that it sends, and no others. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t got[64 + 1];

static void count(int signal) { got[signal]++; }

__attribute__((noinline)) static void work(void) {
    volatile double x = 1;
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 20000000; i++)
        x = x * 1.0000001 + 1e-9;
}

int main(void) {
    int failures = 0;
    struct sigaction action;
    work();
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
        if (sigaction(signal, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
            failures++;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = count;
    for (int of = SIGRTMIN; of <= SIGRTMAX; of++) {
        if (of % 2 == 0 ? sigaction(of, &action, NULL) != 0 : signal(of, count) != SIG_DFL)
            failures++;
    }
    work();
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
        if (got[signal] != 0 || raise(signal) != 0 || got[signal] != 1)
            failures++;
    }
    return failures;
}

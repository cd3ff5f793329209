/* Stands for an OpenMP runtime that starts its tool again after it has ended, with another worker: so often as the argument
   says. At the end of the program it ends only if there is a second one. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct result {
    int (*initialize)(void *(*lookup)(const char *), int, void *);
    void (*finalize)(void *);
} result;
typedef unsigned long long data;
enum { INITIAL = 1, WORKER = 2, BEGIN = 1, END = 2, IMPLICIT = 2 };

/* The recorder has it. */
__attribute__((weak)) result *ompt_start_tool(unsigned version, const char *runtime);

static void *callbacks[64];
static int set_callback(int number, void *callback) {
    callbacks[number] = callback;
    return 5;
}
static void *lookup(const char *name) { return strcmp(name, "ompt_set_callback") ? NULL : set_callback; }

#define thread_begin ((void (*)(int, data *))callbacks[1])
#define parallel_begin ((void (*)(data *, void *, data *, unsigned, int, void *))callbacks[3])
#define parallel_end ((void (*)(data *, data *, int, void *))callbacks[4])
#define implicit_task ((void (*)(int, data *, data *, unsigned, unsigned, int))callbacks[7])
#define sync_region ((void (*)(int, int, data *, data *, void *))callbacks[23])

static data parallel;
static pthread_barrier_t together;

static void work(int index) {
    data task = 0;
    implicit_task(BEGIN, &parallel, &task, 2, index, 0);
    sync_region(IMPLICIT, BEGIN, &parallel, &task, NULL);
    pthread_barrier_wait(&together);
    sync_region(IMPLICIT, END, &parallel, &task, NULL);
    implicit_task(END, NULL, &task, 2, index, 0);
}

static void *worker(void *argument) {
    data thread = 0;
    thread_begin(WORKER, &thread);
    work(1);
    return NULL;
}

static result *live(void) {
    pthread_t other;
    data thread = 0, task = 0;
    result *tool = ompt_start_tool(0, "one of a test");
    tool->initialize(lookup, 0, NULL);
    thread_begin(INITIAL, &thread);
    parallel_begin(&task, NULL, &parallel, 2, 0, (void *)live);
    pthread_barrier_init(&together, NULL, 2);
    pthread_create(&other, NULL, worker, NULL);
    work(0);
    pthread_join(other, NULL);
    parallel_end(&parallel, &task, 0, NULL);
    return tool;
}

int main(int argc, char **argv) {
    for (int lives = atoi(argv[1]); lives > 1; lives--)
        live()->finalize(NULL);
    result *last = live();
    if (argc > 2)
        last->finalize(NULL);
    return 0;
}

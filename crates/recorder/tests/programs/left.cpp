// Calls of MPI that are left otherwise than by returning: by exceptions, by jumps, and by the end of their thread. 1 rank.
#include <mpi.h>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>
#include <dlfcn.h>

static MPI_Comm own, copy;
static int x, received;
static jmp_buf back, within;
static sigjmp_buf after_signal;
static int left;

static void expect(bool right, int line) {
    if (!right) {
        fprintf(stderr, "left.cpp:%d: the call ended otherwise\n", line);
        exit(1);
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

enum Way { THROW, JUMP, RETURN, NEST, SIGNAL, MARK, END_THREAD };
static Way way;

static void on_signal(int) { siglongjmp(after_signal, 1); }

static void mark(const char *function) {
    auto enter = reinterpret_cast<void (*)(const char *)>(dlsym(RTLD_DEFAULT, function));
    if (enter)
        enter("marked");
}

static void handle(MPI_Comm *, int *code, ...) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(*code, text, &length);
    switch (way) {
    case THROW:
        throw std::runtime_error(text);
    case JUMP:
        longjmp(back, 1);
    case RETURN:
        if (!setjmp(within))
            longjmp(within, 1);
        MPI_Error_class(*code, &length);
        return;
    case NEST:
        way = THROW;
        MPI_Bcast(&x, -1, MPI_INT, 0, own);
        // MPICH calls no error handler within one.
        throw std::runtime_error(text);
    case SIGNAL:
        raise(SIGUSR1);
        return;
    case MARK:
        way = THROW;
        mark("ats_region_enter");
        throw std::runtime_error(text);
    case END_THREAD:
        pthread_exit(nullptr);
    }
}

template <typename Call> static bool throws(Way how, Call call) {
    way = how;
    try {
        call();
    } catch (const std::runtime_error &) {
        return true;
    }
    return false;
}

// Their frames are above and below those of the calls that are left.
__attribute__((noinline)) static void jump_from_below(int depth) {
    volatile char room[256] = {};
    if (depth > 0)
        jump_from_below(depth - 1);
    else
        MPI_Bcast(&x, -1, MPI_INT, 0, own);
    room[0] = room[1];
}

__attribute__((noinline)) static void barrier_from_below(int depth) {
    volatile char room[4096];
    if (depth > 0)
        barrier_from_below(depth - 1);
    else
        MPI_Barrier(own);
    room[0] = 0;
}

static int refuse(MPI_Comm, int, void *, void *) { return left++ ? MPI_SUCCESS : MPI_ERR_OTHER; }

static void *on_thread(void *) {
    way = END_THREAD;
    MPI_Bcast(&x, -1, MPI_INT, 0, own);
    return &x;
}

int main(int argc, char **argv) {
    int provided, key;
    MPI_Errhandler handler;
    // Between threads, MPICH never gives up the lock of a call that does not return.
    bool threads = argc > 1;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    own = MPI_COMM_SELF;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(own, handler);
    signal(SIGUSR1, on_signal);

    EXPECT(throws(THROW, [] { MPI_Bcast(&x, -1, MPI_INT, 0, own); }));
    usleep(20000);
    MPI_Barrier(own);

    EXPECT(throws(THROW, [] { MPI_Send(&x, -1, MPI_INT, 0, 1, own); }));
    EXPECT(throws(NEST, [] { MPI_Bcast(&x, 1, MPI_INT, 99, own); }));
    EXPECT(throws(MARK, [] { MPI_Bcast(&x, -1, MPI_INT, 0, own); }));

    way = JUMP;
    if (!setjmp(back))
        jump_from_below(3);
    usleep(20000);
    barrier_from_below(3);

    way = SIGNAL;
    if (!sigsetjmp(after_signal, 1))
        jump_from_below(0);
    MPI_Barrier(own);

    way = RETURN;
    EXPECT(MPI_Bcast(&x, -1, MPI_INT, 0, own) != MPI_SUCCESS);
    MPI_Barrier(own);

    MPI_Request request;
    MPI_Message message;
    MPI_Isend(&x, 1, MPI_INT, 0, 2, own, &request);
    MPI_Mprobe(0, 2, own, &message, MPI_STATUS_IGNORE);
    EXPECT(throws(THROW, [&] { MPI_Mrecv(&received, -1, MPI_INT, &message, MPI_STATUS_IGNORE); }));
    MPI_Mrecv(&received, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Comm_dup(own, &copy);
    MPI_Comm_set_name(copy, "copy");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &key, nullptr);
    MPI_Comm_set_attr(copy, key, nullptr);
    EXPECT(throws(THROW, [] { MPI_Comm copied = copy; MPI_Comm_free(&copied); }));
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);

    if (threads) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, nullptr, on_thread, nullptr);
        pthread_join(thread, &result);
        EXPECT(result == nullptr);
    }
    MPI_Finalize();
    return 0;
}

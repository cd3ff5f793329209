/* Reads an archive as libotf2 does, and prints how long the fastest of several passes over its events took, in seconds of
 * processor time:
 *
 *     libotf2 TRACES.OTF2 local|global PASSES
 *
 * `local` reads one location after the other, `global` all of them in the order of time. The sums are printed, too: they
 * show that both readers, and ours, have seen the same. */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t in_region, bytes, events;
static uint64_t locations[1 << 16];
static size_t count;

static OTF2_CallbackCode location(void *data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                  uint64_t number, OTF2_LocationGroupRef group) {
    (void)data, (void)name, (void)number, (void)group;
    if (type == OTF2_LOCATION_TYPE_CPU_THREAD && count < sizeof locations / sizeof *locations)
        locations[count++] = self;
    return OTF2_CALLBACK_SUCCESS;
}

static void enters(uint64_t time) { in_region -= time, events++; }
static void leaves(uint64_t time) { in_region += time, events++; }
static void moves(uint64_t length) { bytes += length, events++; }

#define IGNORE (void)self, (void)data, (void)attributes
#define LOCAL(name, ...)                                                                                              \
    static OTF2_CallbackCode name(OTF2_LocationRef self, OTF2_TimeStamp time, uint64_t position, void *data,           \
                                  OTF2_AttributeList *attributes, __VA_ARGS__)
#define GLOBAL(name, ...)                                                                                             \
    static OTF2_CallbackCode name(OTF2_LocationRef self, OTF2_TimeStamp time, void *data,                              \
                                  OTF2_AttributeList *attributes, __VA_ARGS__)

LOCAL(enter, OTF2_RegionRef region) { IGNORE, (void)position, (void)region, enters(time); return OTF2_CALLBACK_SUCCESS; }
LOCAL(leave, OTF2_RegionRef region) { IGNORE, (void)position, (void)region, leaves(time); return OTF2_CALLBACK_SUCCESS; }
LOCAL(message, uint32_t peer, OTF2_CommRef communicator, uint32_t tag, uint64_t length) {
    IGNORE, (void)position, (void)time, (void)peer, (void)communicator, (void)tag, moves(length);
    return OTF2_CALLBACK_SUCCESS;
}
LOCAL(request, uint32_t peer, OTF2_CommRef communicator, uint32_t tag, uint64_t length, uint64_t number) {
    IGNORE, (void)position, (void)time, (void)peer, (void)communicator, (void)tag, (void)number, moves(length);
    return OTF2_CALLBACK_SUCCESS;
}
GLOBAL(enter_in_time, OTF2_RegionRef region) { IGNORE, (void)region, enters(time); return OTF2_CALLBACK_SUCCESS; }
GLOBAL(leave_in_time, OTF2_RegionRef region) { IGNORE, (void)region, leaves(time); return OTF2_CALLBACK_SUCCESS; }
GLOBAL(message_in_time, uint32_t peer, OTF2_CommRef communicator, uint32_t tag, uint64_t length) {
    IGNORE, (void)time, (void)peer, (void)communicator, (void)tag, moves(length);
    return OTF2_CALLBACK_SUCCESS;
}
GLOBAL(request_in_time, uint32_t peer, OTF2_CommRef communicator, uint32_t tag, uint64_t length, uint64_t number) {
    IGNORE, (void)time, (void)peer, (void)communicator, (void)tag, (void)number, moves(length);
    return OTF2_CALLBACK_SUCCESS;
}

static void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS) {
        fprintf(stderr, "libotf2: %s\n", OTF2_Error_GetDescription(code));
        exit(1);
    }
}

static OTF2_Reader *open_archive(const char *anchor) {
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    if (!reader)
        exit(1);
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader));
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    check(OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, location));
    check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, NULL));
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    uint64_t read;
    count = 0;
    check(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read));
    for (size_t i = 0; i < count; i++)
        check(OTF2_Reader_SelectLocation(reader, locations[i]));
    check(OTF2_Reader_OpenDefFiles(reader));
    check(OTF2_Reader_OpenEvtFiles(reader));
    for (size_t i = 0; i < count; i++) {
        OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader, locations[i]);
        if (local) {
            check(OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read));
            check(OTF2_Reader_CloseDefReader(reader, local));
        }
    }
    check(OTF2_Reader_CloseDefFiles(reader));
    return reader;
}

static void read_locally(OTF2_Reader *reader) {
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    check(OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, enter));
    check(OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, leave));
    check(OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, message));
    check(OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, message));
    check(OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, request));
    check(OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, request));
    for (size_t i = 0; i < count; i++) {
        OTF2_EvtReader *local = OTF2_Reader_GetEvtReader(reader, locations[i]);
        check(OTF2_Reader_RegisterEvtCallbacks(reader, local, callbacks, NULL));
        uint64_t read;
        check(OTF2_Reader_ReadAllLocalEvents(reader, local, &read));
        check(OTF2_Reader_CloseEvtReader(reader, local));
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
}

static void read_globally(OTF2_Reader *reader) {
    for (size_t i = 0; i < count; i++)
        OTF2_Reader_GetEvtReader(reader, locations[i]);
    OTF2_GlobalEvtReader *global = OTF2_Reader_GetGlobalEvtReader(reader);
    OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    check(OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, enter_in_time));
    check(OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, leave_in_time));
    check(OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(callbacks, message_in_time));
    check(OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(callbacks, message_in_time));
    check(OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(callbacks, request_in_time));
    check(OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(callbacks, request_in_time));
    check(OTF2_Reader_RegisterGlobalEvtCallbacks(reader, global, callbacks, NULL));
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
    uint64_t read;
    check(OTF2_Reader_ReadAllGlobalEvents(reader, global, &read));
    check(OTF2_Reader_CloseGlobalEvtReader(reader, global));
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    double best = 1e9;
    for (int pass = 0; pass < atoi(argv[3]); pass++) {
        OTF2_Reader *reader = open_archive(argv[1]);
        in_region = bytes = events = 0;
        double begin = now();
        (strcmp(argv[2], "global") ? read_locally : read_globally)(reader);
        double seconds = now() - begin;
        best = seconds < best ? seconds : best;
        OTF2_Reader_CloseEvtFiles(reader);
        OTF2_Reader_Close(reader);
    }
    printf("%.9f %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", best, in_region, bytes, events);
    return 0;
}

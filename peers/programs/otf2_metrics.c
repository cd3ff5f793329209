/* Writes an archive of one location by OTF2's own library: a program, metrics of three kinds in one
 * record, an instance of their class, time without recording. cc otf2_metrics.c -lotf2 */
#include <otf2/otf2.h>

static OTF2_FlushType pre_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                bool is_final) {
    return OTF2_FLUSH;
}

static OTF2_TimeStamp post_flush(void *data, OTF2_FileType type, OTF2_LocationRef location) {
    return 100;
}

static void values(OTF2_EvtWriter *events, OTF2_TimeStamp time, OTF2_MetricRef metric, uint64_t instructions,
                   int64_t steps, double kelvin) {
    const OTF2_Type types[] = { OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE };
    OTF2_MetricValue of[3];
    of[0].unsigned_int = instructions;
    of[1].signed_int = steps;
    of[2].floating_point = kelvin;
    OTF2_EvtWriter_Metric(events, NULL, time, metric, 3, types, of);
}

static void write_events(OTF2_Archive *archive) {
    OTF2_Archive_OpenEvtFiles(archive);
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, 0);
    OTF2_AttributeList *attributes = OTF2_AttributeList_New();
    OTF2_AttributeList_AddUint64(attributes, 0, 777);
    const OTF2_StringRef arguments[] = { 11, 12 };
    OTF2_EvtWriter_ProgramBegin(events, attributes, 1, 7, 2, arguments);
    OTF2_AttributeList_Delete(attributes);
    values(events, 2, 0, 1000, -5, 300.5);
    OTF2_EvtWriter_Enter(events, NULL, 2, 0);
    OTF2_EvtWriter_MeasurementOnOff(events, NULL, 3, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_MeasurementOnOff(events, NULL, 5, OTF2_MEASUREMENT_ON);
    values(events, 6, 1, UINT64_MAX, 1, 250);
    values(events, 8, 0, 1024, 8, 310.25);
    OTF2_EvtWriter_Leave(events, NULL, 8, 0);
    OTF2_EvtWriter_ProgramEnd(events, NULL, 9, 3);
    OTF2_Archive_CloseEvtWriter(archive, events);
    OTF2_Archive_CloseEvtFiles(archive);
}

static void write_definitions(OTF2_Archive *archive) {
    OTF2_Archive_OpenDefFiles(archive);
    OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, 0));
    OTF2_Archive_CloseDefFiles(archive);
    OTF2_GlobalDefWriter *all = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(all, 1, 0, 10, OTF2_UNDEFINED_TIMESTAMP);
    const char *strings[] = { "",        "cluster", "machine",      "n1",    "node", "MPI Rank 0", "Master thread",
                              "/opt/heat", "main",  "heat.c",       "PAPI_TOT_INS", "-n", "10",   "steps",
                              "temperature", "K" };
    for (uint32_t id = 0; id < sizeof strings / sizeof *strings; id++)
        OTF2_GlobalDefWriter_WriteString(all, id, strings[id]);
    /* The node before the machine that it is a part of. */
    OTF2_GlobalDefWriter_WriteSystemTreeNode(all, 1, 3, 4, 0);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(all, 0, 1, 2, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(all, 0, 5, OTF2_LOCATION_GROUP_TYPE_PROCESS, 1,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(all, 0, 6, OTF2_LOCATION_TYPE_CPU_THREAD, 9, 0);
    OTF2_GlobalDefWriter_WriteRegion(all, 0, 8, 8, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 0, 9, 10,
                                     20);
    OTF2_GlobalDefWriter_WriteAttribute(all, 0, 13, 0, OTF2_TYPE_UINT64);
    OTF2_GlobalDefWriter_WriteMetricMember(all, 5, 10, 0, OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START,
                                           OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 3, 0);
    OTF2_GlobalDefWriter_WriteMetricMember(all, 6, 13, 0, OTF2_METRIC_TYPE_USER, OTF2_METRIC_RELATIVE_POINT,
                                           OTF2_TYPE_INT64, OTF2_BASE_BINARY, -2, 0);
    OTF2_GlobalDefWriter_WriteMetricMember(all, 7, 14, 0, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_LAST,
                                           OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, 15);
    const OTF2_MetricMemberRef members[] = { 5, 6, 7 };
    OTF2_GlobalDefWriter_WriteMetricClass(all, 0, 3, members, OTF2_METRIC_SYNCHRONOUS_STRICT,
                                          OTF2_RECORDER_KIND_CPU);
    OTF2_GlobalDefWriter_WriteMetricInstance(all, 1, 0, 0, OTF2_SCOPE_LOCATION_GROUP, 0);
}

int main(void) {
    static OTF2_FlushCallbacks callbacks = { .otf2_pre_flush = pre_flush, .otf2_post_flush = post_flush };
    OTF2_Archive *archive = OTF2_Archive_Open("otf2-metrics", "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    write_events(archive);
    write_definitions(archive);
    return OTF2_Archive_Close(archive);
}

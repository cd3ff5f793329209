/* In the place of Score-P's library of user regions, with its functions as in SCOREP_User_Functions.h: says what begins. */
#include <stdint.h>
#include <stdio.h>

void SCOREP_User_RegionBegin(void** handle, const char** last_file_name, void** last_file, const char* name,
                             uint32_t type, const char* file, uint32_t line) {
    (void)last_file_name, (void)last_file, (void)type, (void)file, (void)line;
    *handle = handle;
    printf("%s\n", name);
}

void SCOREP_User_RegionEnd(void* handle) {
    (void)handle;
}

void SCOREP_User_RewindRegionBegin(void** handle, const char** last_file_name, void** last_file, const char* name,
                                   uint32_t type, const char* file, uint32_t line) {
    (void)handle, (void)last_file_name, (void)last_file, (void)name, (void)type, (void)file, (void)line;
}

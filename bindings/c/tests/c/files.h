/* Whole files in memory. */
#ifndef FILES_H
#define FILES_H

#include "check.h"

static uint8_t *read_all(const char *path, uint64_t *len) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    *len = (uint64_t)ftell(file);
    rewind(file);
    bytes = (uint8_t *)malloc((size_t)*len + 1);
    CHECK(bytes != NULL && fread(bytes, 1, (size_t)*len, file) == *len);
    fclose(file);
    return bytes;
}

static void write_all(const char *path, const uint8_t *bytes, uint64_t len) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, (size_t)len, file) == len && fclose(file) == 0);
}

#endif

/* NULL for every pointer. The calls are made of the declarations of the library. Usage: nulls MESH OUTPUT MAP */
#include <navmap.h>

#include <stdio.h>
#include <stdlib.h>

#define ROOM 400
/* A buffer for each argument. */
#define OUT(at) ((void *)(buffers + (at) * ROOM * 128))

#define HOLDS(what)                                                            \
    do {                                                                       \
        if (!(what)) {                                                         \
            fprintf(stderr, "%s\n", #what);                                    \
            failed = 1;                                                        \
        }                                                                      \
    } while (0)

static int32_t on_finding(const navmap_finding *finding, void *user) {
    (void)user;
    return finding == NULL;
}

static int32_t on_outcome(const navmap_outcome *outcome, void *user) {
    (void)user;
    return outcome == NULL;
}

static int32_t on_progress(const navmap_progress *progress, void *user) {
    (void)user;
    return progress != NULL;
}

int main(int argc, char **argv) {
    int failed = 0;
    if (argc < 4) return 2;
    const char *mesh = argv[1], *saved = argv[2];
    const char *paths[ROOM];
    navmap_world *world = NULL, *new_world = NULL;
    navmap_query *query = NULL, *new_query = NULL;
    navmap_overlay *overlay = NULL, *new_overlay = NULL;
    navmap_mask *mask = NULL, *new_mask = NULL;
    navmap_corridor *corridor = NULL, *new_corridor = NULL;
    navmap_slot *slot = NULL, *new_slot = NULL;
    navmap_editor *editor = NULL, *new_editor = NULL;
    navmap_map *map = NULL, *new_map = NULL;
    navmap_crowd *crowd = NULL, *new_crowd = NULL;
    navmap_findings *findings = NULL, *new_findings = NULL;
    navmap_diff *diff = NULL, *new_diff = NULL;
    navmap_error *an_error = NULL;
    navmap_tile tiles[ROOM];
    navmap_crowd_options crowd_options;
    navmap_body_options body;
    navmap_draw_options draw;
    navmap_analyze_options analyze;
    navmap_generate_options generate;
    navmap_finding_totals finding_totals;
    navmap_diff_totals diff_totals;
    navmap_options options;
    navmap_query_options query_options;
    navmap_scan_options scan_options;
    navmap_filter filter;
    navmap_hiding_options hiding;
    navmap_info info;
    navmap_totals totals;
    navmap_held held;
    static navmap_point points[ROOM];
    static uint32_t numbers[ROOM];
    unsigned char *buffers = (unsigned char *)calloc(12 * ROOM, 128);
    FILE *file = fopen(mesh, "rb");
    uint8_t *bytes = (uint8_t *)malloc(1 << 20);
    uint64_t byte_count = 0;
    int i;
    if (file == NULL || buffers == NULL || bytes == NULL) return 2;
    byte_count = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    for (i = 0; i < ROOM; i++) {
        paths[i] = mesh;
        tiles[i].name = "plain_101_101_nav.nav2";
        tiles[i].bytes = bytes;
        tiles[i].len = 16;
    }
    NAVMAP_INIT(crowd_options);
    NAVMAP_INIT(body);
    NAVMAP_INIT(draw);
    NAVMAP_INIT(analyze);
    NAVMAP_INIT(generate);
    NAVMAP_INIT(finding_totals);
    NAVMAP_INIT(diff_totals);
    NAVMAP_INIT(options);
    options.flags = NAVMAP_TACTICS;
    NAVMAP_INIT(query_options);
    NAVMAP_INIT(scan_options);
    NAVMAP_INIT(filter);
    NAVMAP_INIT(hiding);
    NAVMAP_INIT(info);
    NAVMAP_INIT(totals);
    HOLDS(navmap_world_open(mesh, &options, &world, NULL) == NAVMAP_OK);
    HOLDS(navmap_query_new(world, &query, NULL) == NAVMAP_OK);
    HOLDS(navmap_overlay_new(world, &overlay, NULL) == NAVMAP_OK);
    HOLDS(navmap_mask_new(world, &mask, NULL) == NAVMAP_OK);
    HOLDS(navmap_corridor_new(world, &corridor, NULL) == NAVMAP_OK);
    HOLDS(navmap_corridor_stand(corridor, world, 0, points) == NAVMAP_OK);
    HOLDS(navmap_map_open(argv[3], NULL, &map, NULL) == NAVMAP_OK);
    HOLDS(navmap_slot_new(mesh, NULL, &slot, NULL) == NAVMAP_OK);
    HOLDS(navmap_editor_open(mesh, NULL, 0, &editor, NULL) == NAVMAP_OK);
    HOLDS(navmap_crowd_new(world, NULL, &crowd, NULL) == NAVMAP_OK);
    HOLDS(navmap_findings_open(mesh, NULL, 0, &findings, NULL) == NAVMAP_OK);
    HOLDS(navmap_diff_open(mesh, mesh, NULL, 0, 0, &diff, NULL) == NAVMAP_OK);
    HOLDS(navmap_world_hold(world, 0, &held) == NAVMAP_OK);
    HOLDS(navmap_world_open("no such file", NULL, &new_world, &an_error) == NAVMAP_IO);
    if (failed) return 1;
    /* CALLS */
    free(buffers);
    free(bytes);
    return failed;
}

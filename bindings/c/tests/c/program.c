/* The same program as C99 and as C++17: every status is provoked, and every answer is held against another.
 * Usage: program CORPUS FOLDER [SWAPS]. The folder may be written to; FOLDER/torn is a map whose tiles do not touch. */
#ifndef __cplusplus
#define _POSIX_C_SOURCE 200809L
#endif
#include <navmap.h>

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static uint64_t seen_statuses = 0;
static int debug_library = 0;

static navmap_status seen(navmap_status status) {
    seen_statuses |= (uint64_t)1 << (unsigned)status;
    return status;
}

#define SEEN seen
#include "files.h"

static char path_text[4096];
static const char *at(const char *folder, const char *name) {
    CHECK(snprintf(path_text, sizeof path_text, "%s/%s", folder, name) < (int)sizeof path_text);
    return path_text;
}

static navmap_world *open_world(const char *path) {
    navmap_world *world = NULL;
    navmap_error *error = NULL;
    navmap_status status = seen(navmap_world_open(path, NULL, &world, &error));
    if (status != NAVMAP_OK) {
        fprintf(stderr, "%s\n", navmap_error_message(error));
        exit(1);
    }
    CHECK(error == NULL && world != NULL);
    return world;
}

static void versions(void) {
    CHECK(strcmp(navmap_version(), NAVMAP_VERSION) == 0);
    CHECK(strcmp(navmap_status_name(NAVMAP_NO_SUCH_AREA), "no-such-area") == 0);
    CHECK(navmap_status_name(15)[0] == 0);
}

/* Refusals: which status, which record, which byte. */
static void refusals(const char *corpus) {
    navmap_world *world = NULL;
    navmap_error *error = NULL;
    navmap_options options;
    uint64_t offset = 0, index = 0;
    const char *record = NULL;

    IS(NAVMAP_IO, navmap_world_open(at(corpus, "no-such-file.nav"), NULL, &world, &error));
    CHECK(strstr(navmap_error_message(error), "no-such-file.nav") != NULL);
    CHECK(strstr(navmap_error_file(error), "no-such-file.nav") != NULL);
    CHECK(navmap_error_status(error) == NAVMAP_IO);
    IS(NAVMAP_NOTHING, navmap_error_offset(error, &offset));
    IS(NAVMAP_NOTHING, navmap_error_record(error, &record, &index));
    navmap_error_free(error);

    IS(NAVMAP_NOT_MESH, navmap_world_open(at(corpus, "source/MANIFEST.tsv"), NULL, &world, NULL));
    IS(NAVMAP_UNKNOWN_VERSION, navmap_world_open(at(corpus, "hostile/source/version-17.nav"), NULL, &world, NULL));

    IS(NAVMAP_DAMAGED, navmap_world_open(at(corpus, "hostile/source/cut-in-area.nav"), NULL, &world, &error));
    CHECK(navmap_error_offset(error, &offset) == NAVMAP_OK && offset == 0x453);
    CHECK(navmap_error_record(error, &record, &index) == NAVMAP_OK);
    CHECK(strcmp(record, "area") == 0 && index == 4);
    CHECK(strstr(navmap_error_file(error), "hostile/source/cut-in-area.nav") != NULL);
    navmap_error_free(error);

    NAVMAP_INIT(options);
    options.file_bytes = 1000;
    IS(NAVMAP_LIMIT, navmap_world_open(at(corpus, "source/town.nav"), &options, &world, NULL));
    NAVMAP_INIT(options);
    options.refuse = NAVMAP_REFUSE_WARNINGS;
    IS(NAVMAP_FINDINGS, navmap_world_open(at(corpus, "hostile/source/trailing.nav"), &options, &world, &error));
    navmap_error_free(error);
    options.refuse = 77;
    IS(NAVMAP_INVALID, navmap_world_open(at(corpus, "source/town.nav"), &options, &world, NULL));
    NAVMAP_INIT(options);
    options.kind = "no-such-kind";
    IS(NAVMAP_INVALID, navmap_world_open(at(corpus, "source/town.nav"), &options, &world, NULL));
    options.kind = "source";
    options.size = 3;
    IS(NAVMAP_INVALID, navmap_world_open(at(corpus, "source/town.nav"), &options, &world, NULL));
    IS(NAVMAP_INVALID, navmap_world_open("", NULL, &world, NULL));
    IS(NAVMAP_INVALID, navmap_world_from_bytes("\xff.nav", NULL, 0, NULL, &world, NULL));
    IS(NAVMAP_INVALID, navmap_world_open_order(NULL, 0, NULL, &world, NULL));
    IS(NAVMAP_NULL, navmap_world_open(NULL, NULL, &world, &error));
    CHECK(strcmp(navmap_error_message(error), "path is NULL") == 0);
    navmap_error_free(error);
    IS(NAVMAP_NULL, navmap_world_open(at(corpus, "source/town.nav"), NULL, NULL, NULL));
    CHECK(world == NULL);
    navmap_error_free(NULL);
    CHECK(navmap_error_message(NULL)[0] == 0);
}

/* Options of a newer header: what this library does not know must not be ignored. */
static void growth(const char *corpus) {
    struct { navmap_options known; uint64_t more; } newer;
    navmap_world *world = NULL;
    memset(&newer, 0, sizeof newer);
    newer.known.size = sizeof newer;
    IS(NAVMAP_OK, navmap_world_open(at(corpus, "source/v5.nav"), &newer.known, &world, NULL));
    navmap_world_free(world);
    newer.more = 1;
    IS(NAVMAP_INVALID, navmap_world_open(at(corpus, "source/v5.nav"), &newer.known, &world, NULL));
}

/* The hull whose ways links are. A caller of the first header has options without it. */
static void hulls(const char *corpus) {
    navmap_world *world = NULL;
    navmap_error *error = NULL;
    navmap_options options;
    navmap_info people, large;
    NAVMAP_INIT(people);
    NAVMAP_INIT(large);
    NAVMAP_INIT(options);
    options.refuse = NAVMAP_REFUSE_NOTHING;
    options.hull = "never read";
    options.size = offsetof(navmap_options, hull);
    IS(NAVMAP_OK, navmap_world_open(at(corpus, "nodegraph/v37.ain"), &options, &world, NULL));
    IS(NAVMAP_OK, navmap_world_info(world, &people));
    navmap_world_free(world);
    options.size = sizeof options;
    IS(NAVMAP_INVALID, navmap_world_open(at(corpus, "nodegraph/v37.ain"), &options, &world, &error));
    CHECK(strstr(navmap_error_message(error), "never read") != NULL);
    navmap_error_free(error);
    options.hull = "a name that is longer than the name of any hull";
    IS(NAVMAP_INVALID, navmap_world_open(at(corpus, "nodegraph/v37.ain"), &options, &world, NULL));
    options.hull = "large";
    IS(NAVMAP_OK, navmap_world_open(at(corpus, "nodegraph/v37.ain"), &options, &world, NULL));
    IS(NAVMAP_OK, navmap_world_info(world, &large));
    navmap_world_free(world);
    CHECK(large.areas == people.areas && large.links < people.links);
    options.hull = "7";
    IS(NAVMAP_OK, navmap_world_open(at(corpus, "nodegraph/v37.ain"), &options, &world, NULL));
    IS(NAVMAP_OK, navmap_world_info(world, &people));
    navmap_world_free(world);
    CHECK(people.links == large.links);
    IS(NAVMAP_INVALID, navmap_world_open(at(corpus, "source/town.nav"), &options, &world, NULL));
    IS(NAVMAP_INVALID, navmap_world_open(at(corpus, "source/v35-1.nav"), &options, &world, NULL));
    options.hull = "0";
    IS(NAVMAP_OK, navmap_world_open(at(corpus, "source/v35-1.nav"), &options, &world, NULL));
    navmap_world_free(world);
}

#include "questions.h"

static void scans(const char *corpus) {
    char first[4096], second[4096];
    snprintf(first, sizeof first, "%s/source", corpus);
    snprintf(second, sizeof second, "%s/hostile/source", corpus);
    const char *paths[2];
    paths[0] = first;
    paths[1] = second;
    uint64_t sums[3] = {0, 0, 0}, counted = 0;
    uint32_t left = UINT32_MAX;
    navmap_totals totals;
    navmap_scan_options options;
    navmap_error *error = NULL;
    NAVMAP_INIT(totals);
    NAVMAP_INIT(options);
    options.task = NAVMAP_TASK_CHECK;
    options.threads = 2;
    IS(NAVMAP_OK, navmap_scan(paths, 2, NULL, &options, on_outcome, sums, &totals, NULL));
    CHECK(totals.meshes > 30 && totals.errors > 5 && sums[0] > 356 && !totals.stopped);
    sums[1] = 0;
    sums[2] = 3;
    IS(NAVMAP_STOPPED, navmap_scan(paths, 2, NULL, NULL, on_outcome, sums, &totals, NULL));
    CHECK(sums[1] == 3 && totals.stopped);
    totals.size = 0;
    IS(NAVMAP_INVALID, navmap_scan(paths, 2, NULL, NULL, on_outcome, sums, &totals, NULL));
    CHECK(sums[1] == 3);
    paths[1] = NULL;
    IS(NAVMAP_NULL, navmap_scan(paths, 2, NULL, NULL, on_outcome, sums, NULL, NULL));
    options.task = 99;
    IS(NAVMAP_INVALID, navmap_scan(paths, 1, NULL, &options, on_outcome, sums, NULL, NULL));

    IS(NAVMAP_OK, navmap_check(at(corpus, "source/town.nav"), NULL, on_finding, &left, &counted, NULL));
    CHECK(counted == 0);
    left = 1;
    IS(NAVMAP_STOPPED, navmap_check(at(corpus, "hostile/source/dangling.nav"), NULL, on_finding, &left, &counted, NULL));
    left = UINT32_MAX;
    IS(NAVMAP_DAMAGED, navmap_check(at(corpus, "hostile/source/cut-in-area.nav"), NULL, on_finding, &left, NULL, &error));
    CHECK(strstr(navmap_error_file(error), "cut-in-area.nav") != NULL);
    navmap_error_free(error);
    IS(NAVMAP_NULL, navmap_check(at(corpus, "source/town.nav"), NULL, NULL, NULL, NULL, NULL));
}

/* A slot: the mesh is replaced, a bad one is refused, what was held is told to be stale. */
static void slots(const char *corpus, const char *folder) {
    char live[4096];
    uint64_t len = 0, generation = 0, failures = 9, small_len = 0;
    uint32_t area = 7;
    navmap_slot *slot = NULL;
    navmap_world *before = NULL, *after = NULL;
    navmap_held held;
    navmap_error *error = NULL;
    snprintf(live, sizeof live, "%s/live.nav", folder);
    unsigned char *town = read_all(at(corpus, "source/town.nav"), &len);
    unsigned char *small = read_all(at(corpus, "source/v5.nav"), &small_len);
    write_all(live, town, len);
    IS(NAVMAP_OK, navmap_slot_new(live, NULL, &slot, NULL));
    IS(NAVMAP_OK, navmap_slot_load(slot, &before));
    IS(NAVMAP_OK, navmap_world_hold(before, 3, &held));
    IS(NAVMAP_OK, navmap_world_held(before, &held, &area));
    CHECK(area == 3 && held.generation == 1);
    write_all(live, town, len / 2);
    IS(NAVMAP_DAMAGED, navmap_slot_reload(slot, &generation, &error));
    CHECK(error != NULL && generation == 0);
    navmap_error_free(error);
    IS(NAVMAP_OK, navmap_slot_failures(slot, &failures));
    CHECK(failures == 1);
    write_all(live, small, small_len);
    IS(NAVMAP_OK, navmap_slot_reload(slot, &generation, NULL));
    CHECK(generation == 2);
    IS(NAVMAP_OK, navmap_slot_load(slot, &after));
    area = 7;
    IS(NAVMAP_STALE, navmap_world_held(after, &held, &area));
    CHECK(area == 7);
    IS(NAVMAP_OK, navmap_slot_swap_bytes(slot, "made.nav", town, len, NULL, &generation, NULL));
    CHECK(generation == 3);
    IS(NAVMAP_OK, navmap_slot_free(slot));
    /* Worlds outlive their slot. */
    areas(before);
    IS(NAVMAP_OK, navmap_world_retain(before));
    IS(NAVMAP_OK, navmap_world_free(before));
    areas(before);
    IS(NAVMAP_OK, navmap_world_free(before));
    IS(NAVMAP_OK, navmap_world_free(after));
    free(town);
    free(small);
}

/* Two threads ask while a third swaps two meshes: every answer is that of the world that was taken. */
typedef struct {
    navmap_slot *slot;
    volatile int *stop;
    uint32_t expected[2];
    uint64_t asked;
    uint64_t generations;
} reader;

static const navmap_point PROBE = {100, -250, 64};

static void *read_on(void *argument) {
    reader *me = (reader *)argument;
    navmap_query *query = NULL;
    uint64_t last = 0;
    while (!__atomic_load_n(me->stop, __ATOMIC_ACQUIRE)) {
        navmap_world *world = NULL;
        navmap_info info;
        navmap_near20 near;
        navmap_path32 path;
        CHECK(navmap_slot_load(me->slot, &world) == NAVMAP_OK);
        NAVMAP_INIT(info);
        CHECK(navmap_world_info(world, &info) == NAVMAP_OK);
        CHECK(info.generation >= last);
        me->generations += info.generation != last;
        last = info.generation;
        if (query == NULL) CHECK(navmap_query_new(world, &query, NULL) == NAVMAP_OK);
        CHECK(navmap_query_fit(query, world) == NAVMAP_OK);
        CHECK(navmap_nearest(world, &PROBE, INFINITY, NAVMAP_EXACT, &near) == NAVMAP_OK);
        CHECK(near.area == me->expected[info.generation & 1]);
        CHECK(navmap_query_path(query, world, near.area, info.areas - 1, NULL, NULL, NULL, &path, NULL) < NAVMAP_ERRORS);
        CHECK(navmap_world_free(world) == NAVMAP_OK);
        me->asked++;
    }
    navmap_query_free(query);
    return NULL;
}

static void swaps(const char *corpus, const char *folder, int times) {
    char live[4096];
    uint64_t len[2], generation = 0;
    unsigned char *mesh[2];
    navmap_slot *slot = NULL;
    navmap_near20 near;
    reader readers[2];
    pthread_t threads[2];
    volatile int stop = 0;
    int i;
    snprintf(live, sizeof live, "%s/swapped.nav", folder);
    /* Odd generations are of the first. */
    mesh[1] = read_all(at(corpus, "source/town.nav"), &len[1]);
    mesh[0] = read_all(at(corpus, "source/v16-2-tf2.nav"), &len[0]);
    write_all(live, mesh[1], len[1]);
    CHECK(navmap_slot_new(live, NULL, &slot, NULL) == NAVMAP_OK);
    memset(readers, 0, sizeof readers);
    for (i = 0; i < 2; i++) {
        navmap_world *world = NULL;
        CHECK(navmap_world_from_bytes("x.nav", mesh[i], len[i], NULL, &world, NULL) == NAVMAP_OK);
        CHECK(navmap_nearest(world, &PROBE, INFINITY, NAVMAP_EXACT, &near) == NAVMAP_OK);
        readers[0].expected[i] = readers[1].expected[i] = near.area;
        navmap_world_free(world);
    }
    CHECK(readers[0].expected[0] != readers[0].expected[1]);
    for (i = 0; i < 2; i++) {
        readers[i].slot = slot;
        readers[i].stop = &stop;
        CHECK(pthread_create(&threads[i], NULL, read_on, &readers[i]) == 0);
    }
    for (i = 0; i < times; i++) {
        struct timespec pause = {0, 2000000};
        CHECK(navmap_slot_swap_bytes(slot, "x.nav", mesh[i & 1], len[i & 1], NULL, &generation, NULL) == NAVMAP_OK);
        CHECK(generation == (uint64_t)i + 2);
        nanosleep(&pause, NULL);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    for (i = 0; i < 2; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(readers[0].asked > 0 && readers[1].asked > 0 && readers[0].generations + readers[1].generations > 2);
    navmap_slot_free(slot);
    free(mesh[0]);
    free(mesh[1]);
}

/* In a debug build of the library, what is freed is known, and two more statuses can be provoked. */
EXTERN navmap_status navmap_provoke_panic(navmap_query *query, navmap_error **error);
EXTERN navmap_status navmap_provoke_busy(navmap_query *query, int32_t (*each)(const navmap_query *, void *), void *user);

EXTERN int32_t while_taken(const navmap_query *query, void *user);
int32_t while_taken(const navmap_query *query, void *user) {
    navmap_query *same = (navmap_query *)(uintptr_t)query;
    IS(NAVMAP_BUSY, navmap_query_path(same, (const navmap_world *)user, 0, 1, NULL, NULL, NULL, NULL, NULL));
    return 0;
}

#ifdef NAVMAP_DEBUG_LIBRARY
static void provoked(navmap_world *world) {
    navmap_query *query = NULL;
    navmap_error *error = NULL;
    uint32_t count = 0;
    uint64_t no_handle = 0;
    IS(NAVMAP_OK, navmap_query_new(world, &query, NULL));
    IS(NAVMAP_OK, navmap_provoke_busy(query, while_taken, world));
    IS(NAVMAP_PANIC, navmap_provoke_panic(query, &error));
    CHECK(strcmp(navmap_error_message(error), "provoked") == 0);
    navmap_error_free(error);
    /* It is broken from now on, and can still be freed. */
    IS(NAVMAP_PANIC, navmap_query_path(query, world, 0, 1, NULL, NULL, NULL, NULL, NULL));
    IS(NAVMAP_OK, navmap_query_free(query));
    IS(NAVMAP_BAD_HANDLE, navmap_query_free(query));
    IS(NAVMAP_BAD_HANDLE, navmap_query_fit(query, world));
    IS(NAVMAP_BAD_HANDLE, navmap_world_area_count((const navmap_world *)&no_handle, &count));
    debug_library = 1;
}
#endif

/* A mesh is changed, written, undone to the byte, and becomes a world that a slot takes. */
static void edits(const char *corpus, const char *folder, const navmap_world *world) {
    navmap_editor *editor = NULL, *other = NULL;
    navmap_error *error = NULL;
    navmap_world *edited = NULL;
    uint32_t before = 0, after = 0, count = 0, steps = 0;
    uint64_t len = 0, written_len = 0;
    char text[4096], saved[4096];
    char town[4096];
    snprintf(town, sizeof town, "%s/source/town.nav", corpus);
    snprintf(saved, sizeof saved, "%s/edited.nav", folder);
    unsigned char *bytes = read_all(town, &len);
    IS(NAVMAP_OK, navmap_world_area_count(world, &before));
    IS(NAVMAP_INVALID, navmap_editor_of_world(world, 2, &editor, NULL));
    IS(NAVMAP_OK, navmap_editor_of_world(world, NAVMAP_GAME_EXACT, &editor, NULL));
    IS(NAVMAP_OK, navmap_editor_free(editor));
    IS(NAVMAP_OK, navmap_editor_open(town, NULL, 0, &editor, &error));
    CHECK(error == NULL);
    IS(NAVMAP_OK, navmap_editor_run(editor, "nav_mark_attribute JUMP #1\nnav_delete #3", text, sizeof text, &count, &error));
    CHECK(count == strlen(text) + 1 && strstr(text, "deleted 1 area") != NULL);
    IS(NAVMAP_TRUNCATED, navmap_editor_run(editor, "show #1", NULL, 0, &count, NULL));
    CHECK(count > 200);
    /* What does not fit into the buffer of a run is still there. */
    IS(NAVMAP_TRUNCATED, navmap_editor_run(editor, "nav_mark_attribute CROUCH #1", NULL, 0, &count, NULL));
    CHECK(count > 10);
    IS(NAVMAP_OK, navmap_editor_said(editor, text, sizeof text, &steps));
    CHECK(steps == count && count == strlen(text) + 1);
    IS(NAVMAP_TRUNCATED, navmap_editor_said(editor, text, 4, &steps));
    CHECK(steps == count && strlen(text) == 3);
    IS(NAVMAP_OK, navmap_editor_undo(editor, 1, NULL));
    IS(NAVMAP_REFUSED, navmap_editor_run(editor, "nav_mark #1;\n  nav_delete #99999", NULL, 0, NULL, &error));
    CHECK(strstr(navmap_error_message(error), "2:14: nav_delete: there is no #99999") != NULL);
    navmap_error_free(error);
    IS(NAVMAP_OK, navmap_editor_said(editor, text, sizeof text, &count));
    CHECK(strstr(text, "marked") != NULL && strstr(text, "deleted") == NULL);
    IS(NAVMAP_OK, navmap_editor_report(editor, text, sizeof text, &count));
    CHECK(strstr(text, "area") != NULL);
    IS(NAVMAP_OK, navmap_editor_world(editor, "edited.nav", NULL, &edited, NULL));
    IS(NAVMAP_OK, navmap_world_area_count(edited, &after));
    CHECK(after + 1 == before);
    IS(NAVMAP_OK, navmap_world_free(edited));
    IS(NAVMAP_OK, navmap_editor_save(editor, saved, NULL));
    IS(NAVMAP_TRUNCATED, navmap_editor_bytes(editor, NULL, 0, &count, NULL));
    unsigned char *written = read_all(saved, &written_len);
    unsigned char *buffer = (unsigned char *)malloc(count);
    CHECK(written_len == count && buffer != NULL);
    IS(NAVMAP_OK, navmap_editor_bytes(editor, buffer, count, &count, NULL));
    CHECK(memcmp(buffer, written, count) == 0);
    IS(NAVMAP_OK, navmap_editor_undo(editor, 100, &steps));
    CHECK(steps >= 2);
    unsigned char *whole = (unsigned char *)malloc((size_t)len);
    IS(NAVMAP_OK, navmap_editor_bytes(editor, whole, (uint32_t)len, &count, NULL));
    CHECK(count == len && memcmp(whole, bytes, (size_t)len) == 0);
    IS(NAVMAP_OK, navmap_editor_redo(editor, steps, &count));
    CHECK(count == steps);
    IS(NAVMAP_TRUNCATED, navmap_editor_bytes(editor, NULL, 0, &count, NULL));
    CHECK(count == written_len);
    snprintf(text, sizeof text, "%s/xray/v10.ai", corpus);
    IS(NAVMAP_DAMAGED, navmap_editor_open(text, NULL, 0, &other, &error));
    CHECK(strstr(navmap_error_message(error), "cannot be edited") != NULL);
    navmap_error_free(error);
    IS(NAVMAP_OK, navmap_editor_free(editor));

    /* What the editor itself has written is replaced, and what somebody else wrote since is not. */
    IS(NAVMAP_OK, navmap_editor_open(saved, NULL, 0, &editor, NULL));
    IS(NAVMAP_OK, navmap_editor_run(editor, "nav_mark_attribute JUMP #5", text, sizeof text, NULL, NULL));
    IS(NAVMAP_OK, navmap_editor_save(editor, saved, NULL));
    IS(NAVMAP_OK, navmap_editor_save(editor, saved, NULL));
    write_all(saved, bytes, len);
    IS(NAVMAP_IO, navmap_editor_save(editor, saved, &error));
    CHECK(strstr(navmap_error_message(error), "another program has changed it since it was read") != NULL);
    navmap_error_free(error);
    error = NULL;
    uint64_t kept_len = 0;
    unsigned char *kept = read_all(saved, &kept_len);
    CHECK(kept_len == len && memcmp(kept, bytes, (size_t)len) == 0);
    free(kept);
    IS(NAVMAP_OK, navmap_editor_free(editor));

    /* Two lines of change in one mesh. */
    char ours[4096], theirs[4096];
    uint32_t conflicts = 7;
    snprintf(ours, sizeof ours, "%s/ours.nav", folder);
    snprintf(theirs, sizeof theirs, "%s/theirs.nav", folder);
    IS(NAVMAP_OK, navmap_editor_open(town, NULL, 0, &editor, NULL));
    IS(NAVMAP_OK, navmap_editor_run(editor, "nav_delete #3; area set #9 ne=10", text, sizeof text, NULL, &error));
    IS(NAVMAP_OK, navmap_editor_save(editor, ours, NULL));
    IS(NAVMAP_OK, navmap_editor_undo(editor, 100, NULL));
    IS(NAVMAP_OK, navmap_editor_run(editor, "nav_mark_attribute CROUCH #5", text, sizeof text, NULL, &error));
    IS(NAVMAP_OK, navmap_editor_save(editor, theirs, NULL));
    IS(NAVMAP_OK, navmap_editor_free(editor));
    IS(NAVMAP_OK, navmap_merge(town, ours, theirs, NULL, &conflicts, &editor, &error));
    CHECK(conflicts == 0);
    IS(NAVMAP_OK, navmap_editor_world(editor, "merged.nav", NULL, &edited, NULL));
    IS(NAVMAP_OK, navmap_world_area_count(edited, &after));
    CHECK(after + 1 == before);
    IS(NAVMAP_OK, navmap_world_free(edited));
    IS(NAVMAP_OK, navmap_editor_report(editor, text, sizeof text, &count));
    CHECK(strstr(text, "area") != NULL);
    IS(NAVMAP_OK, navmap_editor_free(editor));
    IS(NAVMAP_OK, navmap_editor_open(town, NULL, 0, &editor, NULL));
    IS(NAVMAP_OK, navmap_editor_run(editor, "area set #9 ne=20", text, sizeof text, NULL, &error));
    IS(NAVMAP_OK, navmap_editor_save(editor, theirs, NULL));
    IS(NAVMAP_OK, navmap_editor_free(editor));
    IS(NAVMAP_OK, navmap_merge(town, ours, theirs, NULL, &conflicts, &editor, &error));
    CHECK(conflicts == 1);
    IS(NAVMAP_OK, navmap_editor_said(editor, text, sizeof text, &count));
    CHECK(strcmp(text, "#9: ne: 10 in ours, 20 in theirs\n") == 0);
    IS(NAVMAP_OK, navmap_editor_free(editor));
    snprintf(theirs, sizeof theirs, "%s/quake/nav3-v6.nav", corpus);
    IS(NAVMAP_DAMAGED, navmap_merge(town, ours, theirs, NULL, NULL, &editor, NULL));

    /* The parts of a split tile are one: both change, and both are written. */
    uint64_t part_len = 0, made_len = 0;
    char said[256];
    snprintf(text, sizeof text, "%s/fox/split/split_101_101_nav.nav2", corpus);
    snprintf(saved, sizeof saved, "%s/joined.nav2", folder);
    IS(NAVMAP_OK, navmap_editor_open(text, NULL, 0, &editor, &error));
    IS(NAVMAP_OK, navmap_editor_run(editor, "attribute 0x0060 island(0)", said, sizeof said, &count, &error));
    IS(NAVMAP_OK, navmap_editor_save(editor, saved, &error));
    IS(NAVMAP_OK, navmap_editor_free(editor));
    snprintf(text, sizeof text, "%s/fox/split/split_101_101_nav.1.nav2", corpus);
    snprintf(saved, sizeof saved, "%s/joined.1.nav2", folder);
    unsigned char *part = read_all(text, &part_len), *made = read_all(saved, &made_len);
    CHECK(part_len != made_len || memcmp(part, made, (size_t)part_len) != 0);
    free(part);
    free(made);
    free(bytes);
    free(written);
    free(buffer);
    free(whole);
}

int main(int argc, char **argv) {
    CHECK(argc >= 3);
    const char *corpus = argv[1], *folder = argv[2];
    int times = argc > 3 ? atoi(argv[3]) : 100;
    char town[4096];
    snprintf(town, sizeof town, "%s/source/town.nav", corpus);
    versions();
    refusals(corpus);
    growth(corpus);
    hulls(corpus);
    navmap_world *world = open_world(town);
    areas(world);
    points(world);
    ways(folder, world);
    scans(corpus);
    slots(corpus, folder);
    edits(corpus, folder, world);
    swaps(corpus, folder, times);
#ifdef NAVMAP_DEBUG_LIBRARY
    provoked(world);
    navmap_world_free(world);
    IS(NAVMAP_BAD_HANDLE, navmap_world_free(world));
#else
    navmap_world_free(world);
#endif
    unsigned status;
    for (status = 0; status < 64; status++) {
        int skipped = !debug_library && (status == NAVMAP_BAD_HANDLE || status == NAVMAP_PANIC || status == NAVMAP_BUSY);
        int there = (int)(seen_statuses >> status & 1);
        if (navmap_status_name((int32_t)status)[0] && !skipped && !there) {
            fprintf(stderr, "%s was not provoked\n", navmap_status_name((int32_t)status));
            return 1;
        }
    }
    printf("every status was provoked\n");
    return 0;
}

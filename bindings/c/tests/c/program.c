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

static void areas(const navmap_world *world) {
    uint32_t count = 0, total = 0, i, back;
    navmap_info info;
    NAVMAP_INIT(info);
    IS(NAVMAP_OK, navmap_world_info(world, &info));
    CHECK(strcmp(info.family, "source") == 0 && strcmp(info.word, "area") == 0 && info.up == 2);
    IS(NAVMAP_OK, navmap_world_area_count(world, &count));
    CHECK(count == info.areas && count == 356);

    IS(NAVMAP_TRUNCATED, navmap_world_areas(world, 0, NULL, 0, &total));
    CHECK(total == count);
    navmap_area32 *all = (navmap_area32 *)malloc(count * sizeof *all);
    IS(NAVMAP_OK, navmap_world_areas(world, 0, all, count, &total));
    for (i = 0; i < count; i++) {
        navmap_area64 one;
        navmap_point corners[8];
        navmap_link32 links[64];
        uint32_t corner_count = 0, link_count = 0, j;
        IS(NAVMAP_OK, navmap_area_index(world, all[i].id, &back));
        CHECK(back == i);
        IS(NAVMAP_OK, navmap_area_get(world, i, &one));
        CHECK(one.id == all[i].id && one.surface > 0 && one.corners == 4);
        CHECK(one.center.x >= all[i].min.x && one.center.x <= all[i].max.x);
        IS(NAVMAP_OK, navmap_area_corners(world, i, corners, 8, &corner_count));
        CHECK(corner_count == 4 && corners[0].x >= all[i].min.x && corners[2].x <= all[i].max.x);
        IS(NAVMAP_OK, navmap_area_links(world, i, links, 64, &link_count));
        for (j = 0; j < link_count; j++) {
            navmap_portal24 portal;
            CHECK(links[j].from == i && links[j].to < count && links[j].kind <= NAVMAP_OTHER);
            IS(NAVMAP_OK, navmap_portal(world, i, links[j].to, &portal));
            IS(NAVMAP_OK, navmap_reachable(world, i, links[j].to));
        }
    }
    IS(NAVMAP_TRUNCATED, navmap_world_areas(world, count - 3, all, 2, &total));
    CHECK(total == 3);
    IS(NAVMAP_OK, navmap_world_areas(world, count, all, 2, &total));
    CHECK(total == 0);
    free(all);
    navmap_area64 none;
    IS(NAVMAP_NO_SUCH_AREA, navmap_area_get(world, count, &none));
    IS(NAVMAP_NOTHING, navmap_area_index(world, 123456789, &back));

    char name[64];
    IS(NAVMAP_TRUNCATED, navmap_world_in_place(world, "bombsiteb", &back, 1, &total));
    IS(NAVMAP_OK, navmap_area_place(world, back, name, sizeof name, &total));
    CHECK(strcmp(name, "BombsiteB") == 0 && total == sizeof "BombsiteB");
    IS(NAVMAP_TRUNCATED, navmap_area_place(world, back, name, 5, &total));
    CHECK(strcmp(name, "Bomb") == 0 && total == sizeof "BombsiteB");

    uint64_t bit = 0;
    IS(NAVMAP_OK, navmap_world_flag(world, "Crouch", &bit));
    CHECK(bit == 1);
    IS(NAVMAP_NOTHING, navmap_world_flag(world, "no such flag", &bit));
    navmap_link32 out[64], in[64];
    uint32_t out_count = 0, in_count = 0;
    IS(NAVMAP_OK, navmap_area_links(world, 0, out, 64, &out_count));
    for (i = 0; i < out_count; i++) {
        uint32_t j, met = 0;
        IS(NAVMAP_OK, navmap_area_incoming(world, out[i].to, in, 64, &in_count));
        for (j = 0; j < in_count; j++) {
            CHECK(in[j].to == out[i].to);
            if (in[j].from == 0) met = 1;
        }
        CHECK(met);
    }
}

static void points(const navmap_world *world) {
    uint32_t count = 0, i, found = 0, area = 0;
    CHECK(navmap_world_area_count(world, &count) == NAVMAP_OK);
    navmap_point *where = (navmap_point *)calloc(count, sizeof *where);
    uint32_t *many = (uint32_t *)calloc(count, sizeof *many);
    navmap_near20 *near_many = (navmap_near20 *)calloc(count, sizeof *near_many);
    for (i = 0; i < count; i++) {
        navmap_area64 one;
        CHECK(navmap_area_get(world, i, &one) == NAVMAP_OK);
        where[i] = one.center;
        where[i].z += 30;
    }
    IS(NAVMAP_OK, navmap_area_at_many(world, where, count, NAVMAP_GAME_REACH, many, count));
    IS(NAVMAP_OK, navmap_nearest_many(world, where, count, INFINITY, near_many, count));
    IS(NAVMAP_TRUNCATED, navmap_area_at_many(world, where, count, NAVMAP_GAME_REACH, many, count - 1));
    for (i = 0; i < count; i++) {
        float ground = 0, z = 0;
        navmap_near20 near, ray;
        navmap_status status = seen(navmap_area_at(world, &where[i], NAVMAP_GAME_REACH, &area, &ground));
        CHECK(status == (many[i] == NAVMAP_NONE ? NAVMAP_NOTHING : NAVMAP_OK));
        IS(NAVMAP_OK, navmap_nearest(world, &where[i], 500, NAVMAP_EXACT, &near));
        CHECK(near.area == near_many[i].area && near.distance == near_many[i].distance);
        if (status == NAVMAP_OK) {
            navmap_point below = where[i];
            CHECK(area == many[i]);
            IS(NAVMAP_OK, navmap_z_at(world, area, &where[i], &z));
            CHECK(z == ground);
            IS(NAVMAP_OK, navmap_closest_point(world, area, &where[i], &near));
            CHECK(fabsf(near.point.z - z) < 0.01f);
            below.z -= 500;
            IS(NAVMAP_OK, navmap_along_ray(world, &where[i], &below, &ray));
            found++;
        }
    }
    CHECK(found > count / 2);
    navmap_point far = {1e6f, 1e6f, 0}, nan = {NAN, 0, 0};
    IS(NAVMAP_NOTHING, navmap_area_at(world, &far, 100, &area, NULL));
    IS(NAVMAP_NOTHING, navmap_area_at(world, &nan, 100, &area, NULL));
    IS(NAVMAP_NOTHING, navmap_nearest(world, &far, 100, NAVMAP_AS_ENGINE, near_many));
    IS(NAVMAP_INVALID, navmap_nearest(world, &far, 100, 9, near_many));
    uint32_t inside = 0, by_center = 0, near_count = 0;
    navmap_point low = {-300, -300, -1000}, high = {300, 300, 1000}, middle = {0, 0, 0};
    IS(NAVMAP_OK, navmap_in_box(world, &low, &high, many, count, &inside));
    IS(NAVMAP_OK, navmap_centers_within(world, &middle, 0, many, count, &by_center));
    IS(NAVMAP_OK, navmap_within(world, &middle, 1e7f, near_many, count, &near_count));
    CHECK(inside > 0 && inside < count && by_center == count && near_count == count);
    navmap_walk24 walk;
    IS(NAVMAP_OK, navmap_walk_line(world, 0, &where[0], &far, &walk, many, count, &inside));
    CHECK(walk.arrived == 0 && many[0] == 0 && walk.area == many[inside - 1]);
    free(where);
    free(many);
    free(near_many);
}

static void ways(const char *folder, const navmap_world *world) {
    uint32_t count = 0, steps = 0, reached = 0, flooded = 0, corners = 0, i, goal;
    navmap_query *query = NULL;
    navmap_overlay *overlay = NULL;
    navmap_query_options options;
    navmap_path32 path, sliced;
    navmap_error *error = NULL;
    CHECK(navmap_world_area_count(world, &count) == NAVMAP_OK);
    IS(NAVMAP_OK, navmap_query_new(world, &query, NULL));
    IS(NAVMAP_OK, navmap_overlay_new(world, &overlay, NULL));
    float *costs = (float *)malloc(count * sizeof *costs);
    navmap_reached8 *flood = (navmap_reached8 *)malloc(count * sizeof *flood);

    NAVMAP_INIT(options);
    options.search = NAVMAP_SEARCH_SHORTEST;
    options.cost = NAVMAP_COST_LENGTH;
    IS(NAVMAP_OK, navmap_query_distance_map(query, world, 0, &options, NULL, costs, count, &reached, NULL));
    IS(NAVMAP_OK, navmap_query_flood(query, world, 0, &options, NULL, flood, count, &flooded, NULL));
    CHECK(reached == flooded && reached > 1 && flood[0].area == 0 && flood[0].cost == 0);
    goal = flood[flooded - 1].area;
    CHECK(costs[goal] == flood[flooded - 1].cost);
    IS(NAVMAP_TRUNCATED, navmap_query_flood(query, world, 0, &options, NULL, flood, 3, &flooded, NULL));
    CHECK(flooded == reached);
    IS(NAVMAP_INVALID, navmap_query_distance_map(query, world, 0, &options, NULL, costs, count - 1, NULL, NULL));

    IS(NAVMAP_OK, navmap_query_path(query, world, 0, goal, NULL, &options, NULL, &path, &error));
    CHECK(error == NULL && fabsf(path.cost - costs[goal]) < 0.01f * costs[goal]);
    navmap_step20 *way = (navmap_step20 *)malloc(path.steps * sizeof *way);
    navmap_point *bends = (navmap_point *)malloc((path.steps + 8) * sizeof *bends);
    IS(NAVMAP_TRUNCATED, navmap_query_steps(query, world, way, 1, &steps));
    IS(NAVMAP_OK, navmap_query_steps(query, world, way, path.steps, &steps));
    CHECK(steps == path.steps && way[0].area == 0 && way[0].kind == NAVMAP_NONE && way[steps - 1].area == goal);
    CHECK(way[steps - 1].cost == path.cost);
    navmap_area64 from, to;
    CHECK(navmap_area_get(world, 0, &from) == NAVMAP_OK && navmap_area_get(world, goal, &to) == NAVMAP_OK);
    IS(NAVMAP_OK, navmap_query_straighten(query, world, &from.center, &to.center, bends, steps + 8, &corners));
    CHECK(corners >= 2 && bends[0].x == from.center.x && bends[corners - 1].y == to.center.y);
    for (i = 1; i < corners; i++) CHECK(memcmp(&bends[i - 1], &bends[i], sizeof bends[i]) != 0);
    navmap_point off = {1e6f, 1e6f, 1e6f};
    IS(NAVMAP_OK, navmap_query_straighten(query, world, &off, &to.center, bends, steps + 8, &corners));
    CHECK(bends[0].x < 1e5f && bends[0].z < 1e5f);
    off.x = NAN;
    IS(NAVMAP_INVALID, navmap_query_straighten(query, world, &off, &to.center, bends, steps + 8, &corners));
    IS(NAVMAP_TRUNCATED, navmap_query_straighten(query, world, &from.center, &to.center, bends, 1, &corners));

    /* The same search in slices. */
    IS(NAVMAP_NOTHING_TO_RESUME, navmap_query_resume(query, world, &options, NULL, &sliced, NULL));
    options.max_pops = 2;
    navmap_status status = seen(navmap_query_path(query, world, 0, goal, &to.center, &options, NULL, &sliced, NULL));
    CHECK(status == NAVMAP_UNFINISHED);
    for (i = 0; status == NAVMAP_UNFINISHED; i++)
        status = seen(navmap_query_resume(query, world, &options, NULL, &sliced, NULL));
    CHECK(status == NAVMAP_OK && i > 1 && sliced.cost == path.cost);
    options.max_pops = 0;

    /* What stands in the way. */
    uint32_t block = way[steps / 2].area;
    IS(NAVMAP_OK, navmap_overlay_block(overlay, block));
    status = seen(navmap_query_path(query, world, 0, goal, NULL, &options, overlay, &sliced, NULL));
    CHECK(status == NAVMAP_NO_WAY || (status == NAVMAP_OK && sliced.cost >= path.cost));
    IS(NAVMAP_OK, navmap_overlay_clear(overlay, block));
    IS(NAVMAP_OK, navmap_overlay_scale_many(overlay, &goal, 1, INFINITY));
    IS(NAVMAP_NO_WAY, navmap_query_path(query, world, 0, goal, NULL, &options, overlay, &sliced, NULL));
    CHECK(sliced.steps == 0 && isinf(sliced.cost));
    options.flags = NAVMAP_PARTIAL_WAY;
    IS(NAVMAP_PARTIAL, navmap_query_path(query, world, 0, goal, NULL, &options, overlay, &sliced, NULL));
    CHECK(sliced.steps > 0 && sliced.area != NAVMAP_NONE && sliced.distance > 0);
    IS(NAVMAP_OK, navmap_overlay_reset(overlay));
    IS(NAVMAP_OK, navmap_overlay_scale(overlay, block, 3));
    IS(NAVMAP_NO_SUCH_AREA, navmap_overlay_block(overlay, count));
    IS(NAVMAP_NO_SUCH_AREA, navmap_query_path(query, world, 0, count, NULL, &options, NULL, &sliced, &error));
    CHECK(strcmp(navmap_error_message(error), "area does not exist in this world") == 0);
    navmap_error_free(error);
    options.flags = 1u << 20;
    IS(NAVMAP_INVALID, navmap_query_path(query, world, 0, goal, NULL, &options, NULL, &sliced, NULL));
    NAVMAP_INIT(options);
    options.max_step = -1;
    IS(NAVMAP_INVALID, navmap_query_path(query, world, 0, goal, NULL, &options, NULL, &sliced, NULL));

    /* A query and an overlay of another world. */
    navmap_world *tile = open_world(at(folder, "torn"));
    IS(NAVMAP_OTHER_WORLD, navmap_query_path(query, tile, 0, 1, NULL, NULL, NULL, &sliced, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_query_steps(query, tile, way, 1, &steps));
    IS(NAVMAP_OTHER_WORLD, navmap_query_straighten(query, tile, &to.center, &to.center, bends, 1, &corners));
    IS(NAVMAP_OK, navmap_query_fit(query, tile));
    IS(NAVMAP_OTHER_WORLD, navmap_query_path(query, tile, 0, 1, NULL, NULL, overlay, &sliced, &error));
    CHECK(strcmp(navmap_error_message(error), "overlay was made for another world") == 0);
    navmap_error_free(error);
    /* The same mesh once more has as many areas, and is another world. */
    navmap_world *again = NULL;
    navmap_held held;
    IS(NAVMAP_OK, navmap_world_open(at(folder, "torn"), NULL, &again, NULL));
    IS(NAVMAP_OK, navmap_world_hold(tile, 0, &held));
    IS(NAVMAP_OTHER_WORLD, navmap_query_path(query, again, 0, 1, NULL, NULL, NULL, &sliced, NULL));
    IS(NAVMAP_STALE, navmap_world_held(again, &held, &i));
    IS(NAVMAP_OK, navmap_world_held(tile, &held, &i));
    navmap_overlay_free(overlay);
    IS(NAVMAP_OK, navmap_overlay_new(again, &overlay, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_query_path(query, tile, 0, 1, NULL, NULL, overlay, &sliced, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_query_flood(query, tile, 0, NULL, overlay, flood, 1, &flooded, NULL));
    IS(NAVMAP_OK, navmap_world_free(again));
    uint32_t in_tile = 0, j, leaves = 0;
    CHECK(navmap_world_area_count(tile, &in_tile) == NAVMAP_OK);
    for (i = 0; i < in_tile && !leaves; i++)
        for (j = 0; j < in_tile && !leaves; j++)
            if (seen(navmap_query_path(query, tile, i, j, NULL, NULL, NULL, &sliced, NULL)) == NAVMAP_LEAVES_LOADED) {
                CHECK(sliced.area != NAVMAP_NONE);
                leaves = 1;
            }
    CHECK(leaves);
    navmap_world_free(tile);
    free(costs);
    free(flood);
    free(way);
    free(bends);
    IS(NAVMAP_OK, navmap_overlay_free(overlay));
    IS(NAVMAP_OK, navmap_query_free(query));
}

EXTERN int32_t on_finding(const navmap_finding *finding, void *user);
int32_t on_finding(const navmap_finding *finding, void *user) {
    CHECK(finding->size == sizeof *finding && finding->code[0] && finding->message[0]);
    /* Of an area, an index is no id. */
    if (finding->record && strcmp(finding->record, "area") == 0) CHECK(finding->has_id == 1);
    CHECK(finding->has_id || finding->id == 0);
    uint32_t *left = (uint32_t *)user;
    return --*left == 0;
}

EXTERN int32_t on_outcome(const navmap_outcome *outcome, void *user);
int32_t on_outcome(const navmap_outcome *outcome, void *user) {
    uint64_t *sums = (uint64_t *)user;
    uint32_t i;
    CHECK(outcome->size == sizeof *outcome && outcome->path[0] && outcome->verdict <= 2);
    CHECK((outcome->verdict == 2) == (outcome->status >= NAVMAP_ERRORS));
    for (i = 0; i < outcome->count_len; i++)
        if (strcmp(outcome->counts[i].name, "areas") == 0) sums[0] += outcome->counts[i].value;
    for (i = 0; i < outcome->finding_len; i++) {
        CHECK(outcome->findings[i].code[0]);
        CHECK(outcome->verdict == 2 || outcome->findings[i].severity < NAVMAP_ERROR);
    }
    /* Read to the end, but a finding is an error: opening it would be refused. */
    if (outcome->status == NAVMAP_FINDINGS) CHECK(outcome->counted > 0 && outcome->message && !outcome->record);
    sums[1]++;
    return sums[2] != 0 && sums[1] == sums[2];
}

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

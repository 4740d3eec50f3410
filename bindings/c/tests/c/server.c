/* What a server does besides asking: slots that notice files, tiles, crowds, findings, differences, meshes that are made, pictures. As C99
 * and as C++17; every answer is held against another. Usage: server CORPUS FOLDER. The folder may be written to. */
#include "files.h"

#include <math.h>

#define ROOM 512

static char texts[4][4096];

/* One of four paths at a time. */
static const char *at(int which, const char *folder, const char *name) {
    CHECK(snprintf(texts[which], sizeof texts[which], "%s/%s", folder, name) < (int)sizeof texts[which]);
    return texts[which];
}

static uint32_t size_of(const navmap_world *world) {
    uint32_t count = 0;
    IS(NAVMAP_OK, navmap_world_area_count(world, &count));
    return count;
}

static uint32_t size_in(const navmap_slot *slot) {
    navmap_world *world = NULL;
    uint32_t count;
    IS(NAVMAP_OK, navmap_slot_load(slot, &world));
    count = size_of(world);
    IS(NAVMAP_OK, navmap_world_free(world));
    return count;
}

/* A slot notices that its file changed, takes worlds of others, and begins with a load order or a world. */
static void slots(const char *corpus, const char *folder) {
    const char *live = at(0, folder, "watched.nav");
    const char *plugins[1];
    char why[400];
    uint64_t town_len = 0, small_len = 0, generation = 0, failures = 0;
    uint8_t *town = read_all(at(1, corpus, "source/town.nav"), &town_len);
    uint8_t *small = read_all(at(1, corpus, "source/v5.nav"), &small_len);
    uint32_t count = 0;
    navmap_options strict;
    navmap_slot *slot = NULL, *order = NULL, *begun = NULL;
    navmap_world *world = NULL;
    navmap_error *error = NULL;
    NAVMAP_INIT(strict);
    strict.refuse = NAVMAP_REFUSE_WARNINGS;
    IS(NAVMAP_FINDINGS, navmap_slot_new(at(2, corpus, "hostile/source/trailing.nav"), &strict, &slot, &error));
    CHECK(strstr(navmap_error_file(error), "trailing.nav") && strstr(navmap_error_message(error), "trailing.nav"));
    IS(NAVMAP_OK, navmap_error_free(error));
    write_all(live, town, town_len);
    IS(NAVMAP_OK, navmap_slot_new(live, NULL, &slot, NULL));
    IS(NAVMAP_NOTHING, navmap_slot_refresh(slot, &generation, NULL));
    CHECK(generation == 0 && size_in(slot) == 356);
    write_all(live, small, small_len);
    IS(NAVMAP_OK, navmap_slot_refresh(slot, &generation, NULL));
    CHECK(generation == 2 && size_in(slot) != 356);
    IS(NAVMAP_NOTHING, navmap_slot_refresh(slot, NULL, NULL));
    /* A bad file is read once, and told from then on. */
    write_all(live, town, town_len / 2);
    IS(NAVMAP_DAMAGED, navmap_slot_refresh(slot, &generation, &error));
    CHECK(error != NULL);
    IS(NAVMAP_OK, navmap_error_free(error));
    IS(NAVMAP_NOTHING, navmap_slot_refresh(slot, NULL, NULL));
    IS(NAVMAP_OK, navmap_slot_last_failure(slot, why, sizeof why, &count));
    CHECK(strstr(why, "byte 0x") != NULL && count == strlen(why) + 1);
    IS(NAVMAP_OK, navmap_slot_failures(slot, &failures));
    CHECK(failures == 1);
    CHECK(remove(live) == 0);
    IS(NAVMAP_IO, navmap_slot_refresh(slot, NULL, NULL));
    IS(NAVMAP_NOTHING, navmap_slot_refresh(slot, NULL, NULL));

    IS(NAVMAP_OK, navmap_world_from_bytes("town.nav", town, town_len, NULL, &world, NULL));
    IS(NAVMAP_OK, navmap_slot_swap_world(slot, world, &generation));
    CHECK(generation == 3 && size_in(slot) == 356 && size_of(world) == 356);
    IS(NAVMAP_NOTHING, navmap_slot_last_failure(slot, NULL, 0, NULL));
    IS(NAVMAP_OK, navmap_slot_of_world(world, &begun, NULL));
    IS(NAVMAP_OK, navmap_slot_swap_bytes(begun, "v5.nav", small, small_len, NULL, NULL, NULL));
    CHECK(size_in(begun) != 356);
    IS(NAVMAP_NOTHING, navmap_slot_refresh(begun, NULL, NULL));
    IS(NAVMAP_OK, navmap_slot_reload(begun, &generation, NULL));
    CHECK(generation == 3 && size_in(begun) == 356);
    IS(NAVMAP_OK, navmap_slot_free(begun));
    IS(NAVMAP_OK, navmap_slot_free(slot));
    /* Worlds outlive their slot. */
    CHECK(size_of(world) == 356);
    IS(NAVMAP_OK, navmap_world_free(world));

    plugins[0] = at(1, corpus, "skyrim/se/stored.esp");
    IS(NAVMAP_INVALID, navmap_slot_new_order(plugins, 0, NULL, &order, NULL));
    IS(NAVMAP_OK, navmap_slot_new_order(plugins, 1, NULL, &order, NULL));
    IS(NAVMAP_OK, navmap_world_open_order(plugins, 1, NULL, &world, NULL));
    CHECK(size_of(world) == size_in(order) && size_of(world) > 0);
    IS(NAVMAP_NOTHING, navmap_slot_refresh(order, NULL, NULL));
    IS(NAVMAP_OK, navmap_slot_reload(order, &generation, NULL));
    CHECK(generation == 2);
    IS(NAVMAP_OK, navmap_world_free(world));
    IS(NAVMAP_OK, navmap_slot_free(order));
    free(town);
    free(small);
}

/* A slot notices what comes and goes in a folder below its own. */
static void below(const char *corpus, const char *folder) {
    static const char *const from[3] = {"fox/set/plain_101_101_nav.nav2", "fox/set/plain_102_101_nav.nav2",
                                        "fox/set/plain_103_101_nav.nav2"};
    static const char *const to[3] = {"deep/below/plain_101_101_nav.nav2", "deep/plain_102_101_nav.nav2",
                                      "deep/below/plain_103_101_nav.nav2"};
    navmap_slot *slot = NULL;
    uint32_t two, i;
    for (i = 0; i < 3; i++) {
        uint64_t len = 0;
        uint8_t *tile = read_all(at(0, corpus, from[i]), &len);
        if (i == 2) {
            IS(NAVMAP_OK, navmap_slot_new(at(1, folder, "deep"), NULL, &slot, NULL));
            IS(NAVMAP_NOTHING, navmap_slot_refresh(slot, NULL, NULL));
        }
        write_all(at(2, folder, to[i]), tile, len);
        free(tile);
    }
    two = size_in(slot);
    IS(NAVMAP_OK, navmap_slot_refresh(slot, NULL, NULL));
    CHECK(size_in(slot) > two);
    CHECK(remove(at(2, folder, to[2])) == 0);
    IS(NAVMAP_OK, navmap_slot_refresh(slot, NULL, NULL));
    CHECK(size_in(slot) == two);
    IS(NAVMAP_NOTHING, navmap_slot_refresh(slot, NULL, NULL));
    IS(NAVMAP_OK, navmap_slot_free(slot));
}

/* Tiles join and leave; what is left is what the same tiles make anew. */
static void tiles(const char *corpus) {
    static const char *const names[3] = {"plain_101_101_nav.nav2", "plain_102_101_nav.nav2", "plain_103_101_nav.nav2"};
    navmap_tile all[3], broken;
    navmap_world *two = NULL, *three = NULL, *back = NULL, *other = NULL;
    navmap_slot *slot = NULL;
    navmap_error *error = NULL;
    uint64_t generation = 0;
    uint32_t count = 0, i;
    char name[64], path[4096];
    for (i = 0; i < 3; i++) {
        CHECK(snprintf(path, sizeof path, "%s/fox/set/%s", corpus, names[i]) < (int)sizeof path);
        all[i].name = names[i];
        all[i].bytes = read_all(path, &all[i].len);
    }
    IS(NAVMAP_OK, navmap_world_from_tiles(all, 2, NULL, &two, NULL));
    IS(NAVMAP_OK, navmap_world_with_tile(two, names[2], all[2].bytes, all[2].len, NULL, &three, NULL));
    CHECK(size_of(three) > size_of(two));
    IS(NAVMAP_OK, navmap_world_tile_count(three, &count));
    CHECK(count == 3);
    IS(NAVMAP_OK, navmap_world_tile(three, 2, name, sizeof name, &count));
    CHECK(strcmp(name, names[2]) == 0 && count == strlen(name) + 1);
    IS(NAVMAP_TRUNCATED, navmap_world_tile(three, 2, name, 3, &count));
    IS(NAVMAP_NOTHING, navmap_world_tile(three, 3, name, sizeof name, &count));
    IS(NAVMAP_OK, navmap_world_without_tile(three, names[2], NULL, &back, NULL));
    CHECK(size_of(back) == size_of(two));
    CHECK(navmap_world_without_tile(two, names[2], NULL, &other, &error) >= NAVMAP_ERRORS && other == NULL && error != NULL);
    IS(NAVMAP_OK, navmap_error_free(error));
    CHECK(navmap_world_with_tile(two, names[2], all[2].bytes, all[2].len / 2, NULL, &other, NULL) >= NAVMAP_ERRORS);
    CHECK(navmap_world_with_tile(two, "town.nav", all[2].bytes, all[2].len, NULL, &other, NULL) >= NAVMAP_ERRORS);
    broken = all[0];
    broken.name = NULL;
    IS(NAVMAP_NULL, navmap_world_from_tiles(&broken, 1, NULL, &other, NULL));
    broken = all[0];
    broken.bytes = NULL;
    IS(NAVMAP_NULL, navmap_world_from_tiles(&broken, 1, NULL, &other, NULL));
    CHECK(navmap_world_from_tiles(NULL, 0, NULL, &other, NULL) >= NAVMAP_ERRORS && other == NULL);

    IS(NAVMAP_OK, navmap_slot_of_world(two, &slot, NULL));
    IS(NAVMAP_OK, navmap_slot_with_tile(slot, names[2], all[2].bytes, all[2].len, NULL, &generation, NULL));
    CHECK(generation == 2 && size_in(slot) == size_of(three));
    CHECK(navmap_slot_with_tile(slot, "town.nav", all[2].bytes, all[2].len, NULL, NULL, NULL) >= NAVMAP_ERRORS);
    CHECK(size_in(slot) == size_of(three));
    IS(NAVMAP_OK, navmap_slot_without_tile(slot, names[0], NULL, &generation, NULL));
    CHECK(generation == 3 && size_in(slot) < size_of(three));
    CHECK(navmap_slot_without_tile(slot, names[0], NULL, NULL, NULL) >= NAVMAP_ERRORS);
    IS(NAVMAP_OK, navmap_slot_free(slot));
    IS(NAVMAP_OK, navmap_world_free(two));
    IS(NAVMAP_OK, navmap_world_free(three));
    IS(NAVMAP_OK, navmap_world_free(back));
    for (i = 0; i < 3; i++) free((void *)(uintptr_t)all[i].bytes);
}

static navmap_point middle(const navmap_world *world, const char *place) {
    navmap_area64 about;
    uint32_t area = 0, count = 0;
    navmap_status status = navmap_world_in_place(world, place, &area, 1, &count);
    CHECK((status == NAVMAP_OK || status == NAVMAP_TRUNCATED) && count > 0);
    IS(NAVMAP_OK, navmap_area_get(world, area, &about));
    return about.center;
}

/* Two agents change places, keep on the mesh, and go on after a reload. */
static void crowds(const char *corpus) {
    const char *town = at(0, corpus, "source/town.nav");
    navmap_world *world = NULL, *other = NULL, *third_world = NULL;
    navmap_crowd *crowd = NULL;
    navmap_crowd_options options;
    navmap_body_options body;
    navmap_overlay *overlay = NULL;
    navmap_agent72 agents[2], one, pushed;
    navmap_tick20 tick = {0, 0, 0, 0, 0};
    navmap_point far = {1e7f, 0, 0}, nan = {NAN, 0, 0}, a, b;
    uint64_t first = 0, second = 0, third = 0;
    uint32_t count = 9, ticks = 0, walked = 0;
    IS(NAVMAP_OK, navmap_world_open(town, NULL, &world, NULL));
    IS(NAVMAP_OK, navmap_world_open(town, NULL, &other, NULL));
    IS(NAVMAP_OK, navmap_world_open(town, NULL, &third_world, NULL));
    a = middle(world, "CTSpawn");
    b = middle(world, "BombsiteB");
    NAVMAP_INIT(options);
    NAVMAP_INIT(body);
    options.agents = 2;
    IS(NAVMAP_OK, navmap_crowd_new(world, &options, &crowd, NULL));
    IS(NAVMAP_OK, navmap_crowd_count(crowd, &count));
    CHECK(count == 0);
    IS(NAVMAP_NOTHING, navmap_crowd_add(crowd, world, &far, &body, &first, NULL));
    IS(NAVMAP_INVALID, navmap_crowd_add(crowd, world, &nan, &body, &first, NULL));
    body.radius = -1;
    IS(NAVMAP_INVALID, navmap_crowd_add(crowd, world, &a, &body, &first, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_crowd_add(crowd, other, &a, NULL, &first, NULL));
    NAVMAP_INIT(body);
    body.speed = 250;
    IS(NAVMAP_OK, navmap_crowd_add(crowd, world, &a, &body, &first, NULL));
    IS(NAVMAP_OK, navmap_crowd_add(crowd, world, &b, NULL, &second, NULL));
    IS(NAVMAP_LIMIT, navmap_crowd_add(crowd, world, &b, NULL, &third, NULL));
    CHECK(first != second && third == 0);
    IS(NAVMAP_OK, navmap_crowd_go(crowd, world, first, &b, NULL));
    IS(NAVMAP_OK, navmap_crowd_go(crowd, world, second, &a, NULL));
    IS(NAVMAP_NOTHING, navmap_crowd_go(crowd, world, second, &far, NULL));
    IS(NAVMAP_STALE, navmap_crowd_go(crowd, world, first + 77, &a, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_crowd_go(crowd, other, first, &a, NULL));
    IS(NAVMAP_INVALID, navmap_crowd_tick(crowd, world, 0, NULL, NULL, &tick, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_crowd_tick(crowd, other, 0.05f, NULL, NULL, &tick, NULL));
    while (tick.arrived < 2 && ticks++ < 20 * 120) {
        IS(NAVMAP_OK, navmap_crowd_tick(crowd, world, 0.05f, NULL, NULL, &tick, NULL));
        walked += tick.walking;
        IS(NAVMAP_OK, navmap_crowd_agents(crowd, agents, 2, &count));
        CHECK(count == 2 && agents[0].agent == first && agents[1].agent == second && agents[0].has_goal == 1);
        if (agents[0].doing == NAVMAP_WALKING) {
            float ground = 0;
            IS(NAVMAP_OK, navmap_z_at(world, agents[0].area, &agents[0].at, &ground));
            CHECK(fabsf(ground - agents[0].at.z) < 1);
        }
        CHECK((agents[1].doing == NAVMAP_ON_LEG) == (agents[1].kind != NAVMAP_NONE));
    }
    CHECK(tick.arrived == 2 && walked > 10);
    IS(NAVMAP_TRUNCATED, navmap_crowd_agents(crowd, &one, 1, &count));
    CHECK(count == 2 && one.agent == first && one.doing == NAVMAP_ARRIVED && fabsf(one.at.x - b.x) + fabsf(one.at.y - b.y) < 100);
    IS(NAVMAP_TRUNCATED, navmap_crowd_agents(crowd, NULL, 0, &count));
    IS(NAVMAP_OK, navmap_crowd_agent(crowd, second, &one));
    CHECK(one.agent == second);

    /* The way is blocked: nobody gets out of the area that they are in. */
    IS(NAVMAP_OK, navmap_crowd_agent(crowd, first, &one));
    IS(NAVMAP_OK, navmap_overlay_new(other, &overlay, NULL));
    IS(NAVMAP_OK, navmap_overlay_block(overlay, one.area));
    IS(NAVMAP_OTHER_WORLD, navmap_crowd_tick(crowd, world, 0.05f, NULL, overlay, NULL, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_overlay_remap(overlay, world, third_world, &count, NULL));
    IS(NAVMAP_OK, navmap_overlay_remap(overlay, other, world, &count, NULL));
    CHECK(count == 0);
    IS(NAVMAP_OK, navmap_overlay_remap(overlay, other, world, NULL, NULL));
    IS(NAVMAP_OK, navmap_crowd_go(crowd, world, first, &a, NULL));
    IS(NAVMAP_OK, navmap_crowd_tick(crowd, world, 0.05f, NULL, overlay, NULL, NULL));
    IS(NAVMAP_OK, navmap_crowd_agent(crowd, first, &one));
    CHECK(one.doing == NAVMAP_LOST);
    IS(NAVMAP_OK, navmap_overlay_free(overlay));

    /* The game pushes one. */
    IS(NAVMAP_OK, navmap_crowd_go(crowd, world, first, &a, NULL));
    IS(NAVMAP_OK, navmap_crowd_tick(crowd, world, 0.05f, NULL, NULL, NULL, NULL));
    IS(NAVMAP_OK, navmap_crowd_agent(crowd, first, &one));
    CHECK(one.doing == NAVMAP_WALKING);
    one.at.x += 1;
    IS(NAVMAP_OK, navmap_crowd_moved(crowd, world, first, &one.at, NULL));
    IS(NAVMAP_NOTHING, navmap_crowd_moved(crowd, world, first, &far, NULL));
    IS(NAVMAP_INVALID, navmap_crowd_moved(crowd, world, first, &nan, NULL));
    IS(NAVMAP_STALE, navmap_crowd_moved(crowd, world, first + 77, &a, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_crowd_moved(crowd, other, first, &a, NULL));
    IS(NAVMAP_OK, navmap_crowd_agent(crowd, first, &pushed));
    CHECK(pushed.at.x == one.at.x && pushed.at.y == one.at.y && pushed.doing == NAVMAP_WALKING);

    IS(NAVMAP_OK, navmap_crowd_stop(crowd, first, NULL));
    IS(NAVMAP_OK, navmap_crowd_place(crowd, world, first, &a, NULL));
    IS(NAVMAP_NOTHING, navmap_crowd_place(crowd, world, first, &far, NULL));
    IS(NAVMAP_OK, navmap_crowd_agent(crowd, first, &one));
    CHECK(one.doing == NAVMAP_STANDING && one.has_goal == 0 && one.at.x == a.x && one.at.y == a.y);
    IS(NAVMAP_OK, navmap_crowd_remap(crowd, world, NULL));
    IS(NAVMAP_OK, navmap_crowd_remap(crowd, other, NULL));
    IS(NAVMAP_OK, navmap_crowd_tick(crowd, other, 0.05f, NULL, NULL, NULL, NULL));
    IS(NAVMAP_OK, navmap_crowd_remove(crowd, first));
    IS(NAVMAP_NOTHING, navmap_crowd_remove(crowd, first));
    IS(NAVMAP_NOTHING, navmap_crowd_agent(crowd, first, &one));
    IS(NAVMAP_STALE, navmap_crowd_stop(crowd, first, NULL));
    IS(NAVMAP_STALE, navmap_crowd_place(crowd, other, first, &a, NULL));
    IS(NAVMAP_OK, navmap_crowd_add(crowd, other, &a, NULL, &third, NULL));
    CHECK(third != first && third != second);
    IS(NAVMAP_OK, navmap_crowd_free(crowd));
    IS(NAVMAP_OK, navmap_world_free(world));
    IS(NAVMAP_OK, navmap_world_free(other));
    IS(NAVMAP_OK, navmap_world_free(third_world));
}

EXTERN int32_t tell(const navmap_finding *finding, void *user);
int32_t tell(const navmap_finding *finding, void *user) {
    ++((uint32_t *)user)[finding->severity];
    return 0;
}

/* The same findings as arrays and one by one. */
static void findings(const char *corpus) {
    static navmap_found found[ROOM];
    const char *mesh = at(0, corpus, "hostile/source/dangling.nav");
    navmap_findings *all = NULL, *few = NULL;
    navmap_finding_totals totals;
    char text[400];
    uint32_t told[4] = {0, 0, 0, 0}, count = 0, len = 0, i, seen[4] = {0, 0, 0, 0};
    IS(NAVMAP_OK, navmap_check(mesh, NULL, tell, told, NULL, NULL));
    IS(NAVMAP_OK, navmap_findings_open(mesh, NULL, 0, &all, NULL));
    NAVMAP_INIT(totals);
    IS(NAVMAP_OK, navmap_findings_count(all, &totals));
    IS(NAVMAP_OK, navmap_findings_get(all, 0, found, ROOM, &count));
    CHECK(count == totals.kept && count > 0 && count < ROOM);
    for (i = 0; i < count; i++) {
        seen[found[i].severity]++;
        CHECK(found[i].code[0] != 0 && (found[i].flags & ~7u) == 0);
        IS(NAVMAP_OK, navmap_findings_text(all, i, text, sizeof text, &len));
        CHECK(len > 1 && len == strlen(text) + 1);
    }
    for (i = 0; i < 4; i++) CHECK(told[i] == seen[i] && totals.by_severity[i] == told[i]);
    IS(NAVMAP_TRUNCATED, navmap_findings_text(all, 0, text, 2, &len));
    IS(NAVMAP_NOTHING, navmap_findings_text(all, count, text, sizeof text, &len));
    IS(NAVMAP_OK, navmap_findings_get(all, count, found, ROOM, &len));
    CHECK(len == 0);
    /* One is kept, all are counted. */
    IS(NAVMAP_OK, navmap_findings_open(mesh, NULL, 1, &few, NULL));
    IS(NAVMAP_OK, navmap_findings_count(few, &totals));
    CHECK(totals.kept == 1 && totals.by_severity[NAVMAP_WARNING] == told[NAVMAP_WARNING]);
    IS(NAVMAP_OK, navmap_findings_free(few));
    IS(NAVMAP_OK, navmap_findings_free(all));
    CHECK(navmap_findings_open(at(0, corpus, "hostile/source/cut-in-area.nav"), NULL, 0, &all, NULL) == NAVMAP_DAMAGED);
}

/* A hiding spot that moved with its area is gone from one place and new in another. */
static void moved_marks(const char *town, const char *edited) {
    static navmap_change88 changes[ROOM];
    navmap_editor *editor = NULL;
    navmap_diff *diff = NULL;
    uint32_t count = 0, gone = 0, come = 0, i;
    IS(NAVMAP_OK, navmap_editor_open(town, NULL, 0, &editor, NULL));
    IS(NAVMAP_TRUNCATED, navmap_editor_run(editor, "move 0 0 8 #11", NULL, 0, NULL, NULL));
    IS(NAVMAP_OK, navmap_editor_save(editor, edited, NULL));
    IS(NAVMAP_OK, navmap_editor_free(editor));
    IS(NAVMAP_OK, navmap_diff_open(town, edited, NULL, 0, 0, &diff, NULL));
    IS(NAVMAP_OK, navmap_diff_get(diff, 0, changes, ROOM, &count));
    for (i = 0; i < count; i++) {
        gone += changes[i].what == NAVMAP_MARK_REMOVED;
        come += changes[i].what == NAVMAP_MARK_ADDED;
    }
    CHECK(gone == 1 && come == 1);
    IS(NAVMAP_OK, navmap_diff_free(diff));
}

/* What an editor has changed is what a difference finds. */
static void differences(const char *corpus, const char *folder) {
    static navmap_change88 changes[ROOM];
    const char *town = at(0, corpus, "source/town.nav"), *edited = at(1, folder, "differs.nav");
    navmap_editor *editor = NULL;
    navmap_diff *diff = NULL;
    navmap_diff_totals totals;
    char text[400];
    uint32_t count = 0, len = 0, removed = 0, i;
    NAVMAP_INIT(totals);
    IS(NAVMAP_OK, navmap_diff_open(town, town, NULL, 0, 0, &diff, NULL));
    IS(NAVMAP_OK, navmap_diff_count(diff, &totals));
    CHECK(totals.same == 1 && totals.same_bytes == 1 && totals.changes == 0 && totals.pairs == 356);
    IS(NAVMAP_OK, navmap_diff_get(diff, 0, changes, ROOM, &count));
    CHECK(count == 0);
    IS(NAVMAP_OK, navmap_diff_free(diff));

    IS(NAVMAP_OK, navmap_editor_open(town, NULL, 0, &editor, NULL));
    IS(NAVMAP_OK, navmap_editor_run(editor, "nav_delete #3", NULL, 0, NULL, NULL) == NAVMAP_TRUNCATED ? NAVMAP_OK : NAVMAP_INVALID);
    IS(NAVMAP_OK, navmap_editor_save(editor, edited, NULL));
    IS(NAVMAP_OK, navmap_editor_free(editor));
    IS(NAVMAP_OK, navmap_diff_open(town, edited, NULL, 0, 0, &diff, NULL));
    IS(NAVMAP_OK, navmap_diff_count(diff, &totals));
    CHECK(totals.same == 0 && totals.areas_before == 356 && totals.areas_after == 355 && totals.changes == totals.kept);
    IS(NAVMAP_OK, navmap_diff_get(diff, 0, changes, ROOM, &count));
    CHECK(count == totals.kept && totals.links_gone > 0);
    for (i = 0; i < count; i++) {
        if (changes[i].what == NAVMAP_REMOVED) {
            removed++;
            CHECK(changes[i].before_id == 3 && changes[i].after == NAVMAP_NONE && changes[i].mesh == 0);
            IS(NAVMAP_OK, navmap_diff_text(diff, i, text, sizeof text, &len));
            CHECK(strcmp(text, "area #3 is gone") == 0 && len == strlen(text) + 1);
        }
    }
    CHECK(removed == 1);
    IS(NAVMAP_TRUNCATED, navmap_diff_get(diff, 0, NULL, 0, &len));
    CHECK(len == count);
    IS(NAVMAP_OK, navmap_diff_text(diff, NAVMAP_NONE, text, sizeof text, &len));
    CHECK(strstr(text, "areas: 356 before, 355 after") != NULL);
    IS(NAVMAP_NOTHING, navmap_diff_text(diff, count, text, sizeof text, &len));
    IS(NAVMAP_OK, navmap_diff_free(diff));
    IS(NAVMAP_OK, navmap_diff_open(town, edited, NULL, NAVMAP_NOISE, 1, &diff, NULL));
    IS(NAVMAP_OK, navmap_diff_count(diff, &totals));
    CHECK(totals.kept == 1 && totals.changes == count);
    IS(NAVMAP_OK, navmap_diff_free(diff));
    /* Two families have in common what a graph is. */
    CHECK(navmap_diff_open(town, at(2, corpus, "quake/nav3-v6.nav"), NULL, 0, 0, &diff, NULL) >= NAVMAP_ERRORS);
    IS(NAVMAP_OK, navmap_diff_open(town, at(2, corpus, "quake/nav3-v6.nav"), NULL, NAVMAP_NEUTRAL, 0, &diff, NULL));
    IS(NAVMAP_OK, navmap_diff_free(diff));
    IS(NAVMAP_INVALID, navmap_diff_open(town, town, NULL, 4, 0, &diff, NULL));
    IS(NAVMAP_IO, navmap_diff_open(town, "no such file", NULL, 0, 0, &diff, NULL));
    moved_marks(town, at(1, folder, "moved.nav"));
}

EXTERN int32_t go_on(const navmap_progress *progress, void *user);
int32_t go_on(const navmap_progress *progress, void *user) {
    CHECK(progress->size == sizeof *progress && progress->stage != NULL);
    ++*(uint32_t *)user;
    return 0;
}

EXTERN int32_t stop(const navmap_progress *progress, void *user);
int32_t stop(const navmap_progress *progress, void *user) {
    (void)progress;
    ++*(uint32_t *)user;
    return 1;
}

/* A mesh is made of a map alone and analysed; a callback hears of it, and can end it. */
static void making(const char *corpus) {
    navmap_map *map = NULL;
    navmap_editor *made = NULL, *again = NULL, *none = NULL;
    navmap_world *world = NULL;
    navmap_generate_options how;
    navmap_analyze_options analysis;
    navmap_error *error = NULL;
    static char said[8192];
    uint32_t heard = 0, stopped = 0, count = 0, size = 0;
    const char *yard = at(0, corpus, "bsp/yard-source.nav");
    IS(NAVMAP_OK, navmap_map_open(at(1, corpus, "bsp/yard-source.bsp"), NULL, &map, NULL));
    NAVMAP_INIT(how);
    how.game = "gmod";
    IS(NAVMAP_STOPPED, navmap_generate(map, "yard.nav", &how, stop, &stopped, &none, NULL));
    CHECK(stopped == 1 && none == NULL);
    IS(NAVMAP_OK, navmap_generate(map, "yard.nav", &how, go_on, &heard, &made, NULL));
    CHECK(heard >= 2);
    IS(NAVMAP_OK, navmap_editor_said(made, said, sizeof said, &count));
    CHECK(count > 10);
    IS(NAVMAP_OK, navmap_editor_world(made, "yard.nav", NULL, &world, NULL));
    size = size_of(world);
    CHECK(size > 0);
    IS(NAVMAP_OK, navmap_world_free(world));
    IS(NAVMAP_OK, navmap_editor_free(made));
    how.game = "quake";
    IS(NAVMAP_INVALID, navmap_generate(map, "yard.nav", &how, NULL, NULL, &none, NULL));
    how.game = "cz";
    CHECK(navmap_generate(map, "yard.nav", &how, NULL, NULL, &none, &error) >= NAVMAP_ERRORS && error != NULL);
    CHECK(strstr(navmap_error_message(error), "GoldSrc") != NULL || strstr(navmap_error_message(error), "Source") != NULL);
    IS(NAVMAP_OK, navmap_error_free(error));
    how.game = "gmod";
    how.most_nodes = 4;
    CHECK(navmap_generate(map, "yard.nav", &how, NULL, NULL, &none, NULL) >= NAVMAP_ERRORS && none == NULL);

    heard = 0;
    NAVMAP_INIT(analysis);
    analysis.only = "hiding, visibility";
    IS(NAVMAP_STOPPED, navmap_analyze(yard, map, NULL, &analysis, stop, &stopped, &none, NULL));
    IS(NAVMAP_OK, navmap_analyze(yard, map, NULL, &analysis, go_on, &heard, &again, NULL));
    CHECK(heard >= 1);
    IS(NAVMAP_OK, navmap_editor_said(again, said, sizeof said, &count));
    CHECK(strstr(said, "hiding") != NULL);
    IS(NAVMAP_OK, navmap_editor_free(again));
    /* Without a map what needs one is told. */
    IS(NAVMAP_OK, navmap_analyze(yard, NULL, NULL, NULL, NULL, NULL, &again, NULL));
    IS(NAVMAP_OK, navmap_editor_free(again));
    analysis.only = "sleep";
    IS(NAVMAP_INVALID, navmap_analyze(yard, map, NULL, &analysis, NULL, NULL, &none, NULL));
    analysis.only = NULL;
    analysis.extent = 3;
    IS(NAVMAP_INVALID, navmap_analyze(yard, map, NULL, &analysis, NULL, NULL, &none, NULL));
    CHECK(navmap_analyze(at(2, corpus, "quake/nav3-v6.nav"), NULL, NULL, NULL, NULL, NULL, &none, NULL) >= NAVMAP_ERRORS);
    CHECK(navmap_analyze(at(2, corpus, "bsp/yard-goldsrc.nav"), map, NULL, NULL, NULL, NULL, &none, NULL) >= NAVMAP_ERRORS);
    /* The mesh of another map takes several million steps. */
    NAVMAP_INIT(analysis);
    analysis.any_size = 1;
    analysis.extent = NAVMAP_FULL;
    analysis.million_steps = 1;
    IS(NAVMAP_LIMIT, navmap_analyze(at(2, corpus, "source/town.nav"), map, NULL, &analysis, NULL, NULL, &none, NULL));
    analysis.million_steps = 4000;
    IS(NAVMAP_OK, navmap_analyze(at(2, corpus, "source/town.nav"), map, NULL, &analysis, NULL, NULL, &again, NULL));
    IS(NAVMAP_OK, navmap_editor_free(again));
    CHECK(none == NULL);
    IS(NAVMAP_OK, navmap_map_free(map));
}

/* Pictures, if the library has them; else a refusal that says how it gets them. */
static void pictures(const char *corpus) {
    const char *town = at(0, corpus, "source/town.nav");
    navmap_draw_options how;
    navmap_error *error = NULL;
    uint8_t *picture;
    uint32_t count = 0, again = 0;
    NAVMAP_INIT(how);
    IS(NAVMAP_NOTHING, navmap_has("no such feature"));
    if (navmap_has("draw") != NAVMAP_OK) {
        IS(NAVMAP_INVALID, navmap_draw(town, NULL, &how, NULL, 0, &count, &error));
        CHECK(strstr(navmap_error_message(error), "FEATURES=draw") != NULL);
        IS(NAVMAP_OK, navmap_error_free(error));
        return;
    }
    how.width = 400;
    how.layers = "links,grid";
    how.colour = "place";
    how.title = "A town";
    IS(NAVMAP_TRUNCATED, navmap_draw(town, NULL, &how, NULL, 0, &count, NULL));
    picture = (uint8_t *)calloc(count + 1, 1);
    CHECK(picture != NULL);
    IS(NAVMAP_OK, navmap_draw(town, NULL, &how, picture, count, &again, NULL));
    CHECK(again == count && memcmp(picture, "<svg", 4) == 0 && strstr((const char *)picture, "A town") != NULL);
    free(picture);
    how.flags = NAVMAP_PNG | NAVMAP_DARK;
    IS(NAVMAP_TRUNCATED, navmap_draw(town, NULL, &how, NULL, 0, &count, NULL));
    picture = (uint8_t *)calloc(count, 1);
    CHECK(picture != NULL);
    IS(NAVMAP_OK, navmap_draw(town, NULL, &how, picture, count, &again, NULL));
    CHECK(again == count && memcmp(picture + 1, "PNG", 3) == 0);
    free(picture);
    how.flags = 8;
    IS(NAVMAP_INVALID, navmap_draw(town, NULL, &how, NULL, 0, &count, NULL));
    how.flags = 0;
    how.layers = "clouds";
    IS(NAVMAP_INVALID, navmap_draw(town, NULL, &how, NULL, 0, &count, NULL));
    how.layers = NULL;
    how.colour = "taste";
    IS(NAVMAP_INVALID, navmap_draw(town, NULL, &how, NULL, 0, &count, NULL));
    how.colour = NULL;
    how.low = NAN;
    IS(NAVMAP_INVALID, navmap_draw(town, NULL, &how, NULL, 0, &count, NULL));
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    slots(argv[1], argv[2]);
    below(argv[1], argv[2]);
    tiles(argv[1]);
    crowds(argv[1]);
    findings(argv[1]);
    differences(argv[1], argv[2]);
    making(argv[1]);
    pictures(argv[1]);
    printf("servers serve\n");
    return 0;
}

/* Following, filters, and tactics in C99 and C++17: every answer is held against another. Usage: bots CORPUS */
#include "check.h"

#include <math.h>

#define AREAS 356
#define ROOM 512

static navmap_world *open_town(const char *corpus, uint32_t flags) {
    char path[4096];
    navmap_options options;
    navmap_world *world = NULL;
    NAVMAP_INIT(options);
    options.flags = flags;
    CHECK(snprintf(path, sizeof path, "%s/source/town.nav", corpus) < (int)sizeof path);
    IS(NAVMAP_OK, navmap_world_open(path, &options, &world, NULL));
    return world;
}

static float far_from(const navmap_point *a, const navmap_point *b) {
    float x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
    return sqrtf(x * x + y * y + z * z);
}

static uint32_t in(const navmap_world *world, const char *place) {
    uint32_t area = NAVMAP_NONE, count = 0;
    navmap_status status = navmap_world_in_place(world, place, &area, 1, &count);
    CHECK((status == NAVMAP_OK || status == NAVMAP_TRUNCATED) && count > 0);
    return area;
}

static navmap_point center(const navmap_world *world, uint32_t area) {
    navmap_area64 about;
    IS(NAVMAP_OK, navmap_area_get(world, area, &about));
    return about.center;
}

/* A bot walks a way to its end, over its legs. */
static void follows(const navmap_world *world, const navmap_world *other) {
    navmap_query *query = NULL;
    navmap_corridor *corridor = NULL;
    navmap_path32 path;
    navmap_corner52 whole[ROOM], next[3];
    navmap_point bends[ROOM];
    navmap_corridor40 about;
    navmap_slide20 slide;
    navmap_leg60 leg, taken;
    navmap_query_options options;
    navmap_overlay *overlay = NULL;
    uint32_t corners = 0, straight = 0, count = 0, ticks = 0, i, areas[ROOM];
    uint32_t from = in(world, "CTSpawn"), to = in(world, "BombsiteB");
    navmap_point start = center(world, from), goal = center(world, to), at = start, nan = {NAN, 0, 0};

    IS(NAVMAP_OK, navmap_query_new(world, &query, NULL));
    IS(NAVMAP_OK, navmap_corridor_new(world, &corridor, NULL));
    IS(NAVMAP_OK, navmap_corridor_get(corridor, &about));
    CHECK(about.area == NAVMAP_NONE && about.areas == 0);
    IS(NAVMAP_INVALID, navmap_corridor_advance(corridor, world, &start, NULL));
    IS(NAVMAP_INVALID, navmap_corridor_follow(corridor, query, world, &start, &goal, NULL));
    IS(NAVMAP_OK, navmap_query_path(query, world, from, to, NULL, NULL, NULL, &path, NULL));

    /* Corners are those of the straightened way, where no leg adds its own. */
    IS(NAVMAP_OK, navmap_query_straighten(query, world, &start, &goal, bends, ROOM, &straight));
    IS(NAVMAP_OK, navmap_query_corners(query, world, &start, &goal, whole, ROOM, &corners));
    CHECK(corners >= 2 && straight >= 2 && corners < ROOM);
    CHECK(whole[0].flags & NAVMAP_CORNER_START && whole[corners - 1].flags & NAVMAP_CORNER_END);
    CHECK(whole[0].area == from && whole[corners - 1].area == to && whole[corners - 1].step + 1 == path.steps);
    CHECK(whole[corners - 1].kind == NAVMAP_NONE && whole[corners - 1].left.x == whole[corners - 1].point.x);
    for (i = 1; i < corners; i++) {
        CHECK(far_from(&whole[i - 1].point, &whole[i].point) > 0 && whole[i].step >= whole[i - 1].step);
        if (whole[i - 1].flags & NAVMAP_CORNER_LEG) CHECK(whole[i].flags & NAVMAP_CORNER_LANDING);
    }
    IS(NAVMAP_TRUNCATED, navmap_query_corners(query, world, &start, &goal, next, 1, &count));
    CHECK(count == corners && memcmp(&next[0].point, &whole[0].point, sizeof next[0].point) == 0);
    IS(NAVMAP_INVALID, navmap_query_corners(query, world, &nan, &goal, next, 1, &count));
    IS(NAVMAP_OTHER_WORLD, navmap_query_corners(query, other, &start, &goal, next, 1, &count));

    IS(NAVMAP_INVALID, navmap_corridor_follow(corridor, query, world, &nan, &goal, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_corridor_follow(corridor, query, other, &start, &goal, NULL));
    IS(NAVMAP_OK, navmap_corridor_follow(corridor, query, world, &start, &goal, NULL));
    IS(NAVMAP_OK, navmap_corridor_get(corridor, &about));
    CHECK(about.area == from && about.goal_area == to && about.areas == path.steps && about.reaches_goal == 1);
    IS(NAVMAP_TRUNCATED, navmap_corridor_areas(corridor, areas, 1, &count));
    CHECK(areas[0] == from && count == path.steps);
    IS(NAVMAP_OK, navmap_corridor_areas(corridor, areas, ROOM, &count));
    CHECK(areas[count - 1] == to);
    IS(NAVMAP_OK, navmap_corridor_corners(corridor, world, NULL, 0, &count));
    CHECK(count == 0);
    IS(NAVMAP_OK, navmap_corridor_corners(corridor, world, whole, ROOM, &count));
    CHECK(count + 1 == corners);
    IS(NAVMAP_OTHER_WORLD, navmap_corridor_corners(corridor, other, next, 3, &count));
    IS(NAVMAP_OTHER_WORLD, navmap_corridor_advance(corridor, other, &start, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_corridor_move_goal(corridor, other, &start, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_corridor_next_leg(corridor, other, &leg));
    IS(NAVMAP_OTHER_WORLD, navmap_corridor_is_valid(corridor, other, 4, NULL, NULL, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_corridor_shortcut(corridor, other, &goal, 100, NULL, NULL, NULL));
    IS(NAVMAP_INVALID, navmap_corridor_advance(corridor, world, &nan, NULL));

    /* What is blocked ahead. */
    IS(NAVMAP_OK, navmap_corridor_is_valid(corridor, world, 1000, NULL, NULL, NULL));
    IS(NAVMAP_OK, navmap_overlay_new(world, &overlay, NULL));
    IS(NAVMAP_OK, navmap_overlay_block(overlay, to));
    IS(NAVMAP_NO_WAY, navmap_corridor_is_valid(corridor, world, 1000, NULL, overlay, NULL));
    IS(NAVMAP_OK, navmap_overlay_free(overlay));

    while (navmap_corridor_is_at_goal(corridor, 1) == NAVMAP_NOTHING) {
        navmap_status status;
        float far, share;
        IS(NAVMAP_OK, navmap_corridor_corners(corridor, world, next, 3, &count));
        CHECK(count > 0);
        IS(NAVMAP_OK, navmap_corridor_get(corridor, &about));
        status = navmap_corridor_next_leg(corridor, world, &leg);
        CHECK((status == NAVMAP_OK) == ((next[0].flags & NAVMAP_CORNER_LEG) != 0));
        if (status == NAVMAP_OK && far_from(&about.position, &next[0].point) < 1) {
            IS(NAVMAP_OK, navmap_corridor_take_leg(corridor, world, &taken));
            CHECK(taken.kind > NAVMAP_CROUCH && taken.to == leg.to && taken.kind == next[0].kind);
            at = taken.dismount;
            continue;
        }
        far = far_from(&at, &next[0].point);
        share = far > 4.5f ? 4.5f / far : 1;
        at.x += (next[0].point.x - at.x) * share;
        at.y += (next[0].point.y - at.y) * share;
        at.z += (next[0].point.z - at.z) * share;
        IS(NAVMAP_OK, navmap_corridor_advance(corridor, world, &at, &slide));
        at = slide.point;
        if (ticks % 8 == 0) {
            status = navmap_corridor_optimize(corridor, query, world, NULL, NULL, NULL);
            CHECK(status == NAVMAP_OK || status == NAVMAP_NOTHING);
            status = navmap_corridor_shortcut(corridor, world, &next[0].point, 500, NULL, NULL, NULL);
            CHECK(status == NAVMAP_OK || status == NAVMAP_NOTHING);
        }
        CHECK(++ticks < 10000);
    }
    CHECK(ticks > 10);
    IS(NAVMAP_OK, navmap_corridor_get(corridor, &about));
    CHECK(about.areas == 1 && about.area == to && far_from(&about.position, &about.goal) <= 1);
    IS(NAVMAP_OK, navmap_corridor_corners(corridor, world, next, 3, &count));
    CHECK(count == 1 && next[0].flags & NAVMAP_CORNER_END);

    /* Thrown back to the start, it is too far off; near it, it is mended. */
    IS(NAVMAP_OK, navmap_corridor_repair(corridor, query, world, &goal, NULL, NULL, &i, NULL));
    CHECK(i == 0);
    IS(NAVMAP_OK, navmap_corridor_move_goal(corridor, world, &goal, &slide));
    CHECK(slide.arrived == 1 && slide.area == to);

    /* The same mesh once more is another world, to which it can be brought. */
    IS(NAVMAP_OK, navmap_corridor_remap(corridor, other));
    IS(NAVMAP_OK, navmap_corridor_advance(corridor, other, &goal, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_corridor_advance(corridor, world, &goal, NULL));
    IS(NAVMAP_NO_SUCH_AREA, navmap_corridor_stand(corridor, world, AREAS, &start));
    IS(NAVMAP_OK, navmap_corridor_stand(corridor, world, from, &start));
    IS(NAVMAP_OK, navmap_corridor_is_at_goal(corridor, 0));

    /* Options of the first header end before the filter. */
    memset(&options, 0xff, sizeof options);
    memset(&options, 0, 36);
    options.size = 36;
    IS(NAVMAP_OK, navmap_query_path(query, world, from, to, NULL, &options, NULL, &path, NULL));
    IS(NAVMAP_OK, navmap_corridor_free(corridor));
    IS(NAVMAP_OK, navmap_query_free(query));
}

static void surface(const navmap_world *world) {
    uint32_t area, walls_seen = 0;
    for (area = 0; area < AREAS; area++) {
        navmap_point middle = center(world, area), far = middle, foot;
        navmap_line24 walls[64];
        navmap_walk36 walk;
        navmap_walk24 same;
        navmap_wall32 wall;
        navmap_slide20 slide;
        navmap_link32 links[64];
        uint32_t count = 0, crossed[ROOM], i;
        IS(NAVMAP_OK, navmap_area_walls(world, area, walls, 64, &count));
        walls_seen += count;
        if (navmap_wall(world, area, &middle, 1e6f, &wall) == NAVMAP_OK) {
            foot = wall.point;
            foot.z = middle.z;
            CHECK(fabsf(far_from(&foot, &middle) - wall.distance) < 0.1f + wall.distance * 1e-3f);
            CHECK(fabsf(wall.normal.x * wall.normal.x + wall.normal.y * wall.normal.y - 1) < 1e-3f && wall.normal.z == 0);
            if (wall.distance > 1) IS(NAVMAP_NOTHING, navmap_wall(world, area, &middle, wall.distance * 0.9f, &wall));
        }
        far.x += 1e5f;
        IS(NAVMAP_OK, navmap_walk_line_where(world, area, &middle, &far, NULL, &walk, crossed, ROOM, &count));
        IS(NAVMAP_OK, navmap_walk_line(world, area, &middle, &far, &same, NULL, 0, NULL) == NAVMAP_TRUNCATED ? NAVMAP_OK : NAVMAP_INVALID);
        CHECK(walk.arrived == 0 && walk.area == same.area && walk.share == same.share && crossed[0] == area);
        CHECK(walk.normal.x < 0 && walk.normal.z == 0);
        IS(NAVMAP_OK, navmap_slide(world, area, &middle, &far, NULL, &slide, crossed, ROOM, &count));
        CHECK(slide.arrived == 0 && count > 0 && crossed[0] == area);
        IS(NAVMAP_OK, navmap_slide(world, area, &middle, &middle, NULL, &slide, crossed, ROOM, &count));
        CHECK(slide.arrived == 1 && slide.area == area && count == 1);
        IS(NAVMAP_OK, navmap_overlaps(world, area, area));
        IS(NAVMAP_INVALID, navmap_is_edge(world, area, 4));
        IS(NAVMAP_OK, navmap_area_links(world, area, links, 64, &count));
        for (i = 0; i < count; i++) {
            float step = NAN, gap = NAN;
            IS(NAVMAP_OK, navmap_step(world, area, links[i].to, &step));
            IS(NAVMAP_OK, navmap_gap(world, area, links[i].to, &gap));
            CHECK(step == step && gap >= 0);
        }
        if (count == 0) IS(NAVMAP_OK, navmap_is_edge(world, area, 0));
    }
    CHECK(walls_seen > 0);
}

static void random_spots(const navmap_world *world, const navmap_world *other) {
    navmap_query *query = NULL;
    navmap_ground16 one, same;
    navmap_query_options options;
    navmap_reached8 flood[ROOM];
    uint32_t flooded = 0, i, different = 0;
    uint64_t seed;
    IS(NAVMAP_OK, navmap_query_new(world, &query, NULL));
    NAVMAP_INIT(options);
    options.cost = NAVMAP_COST_LENGTH;
    options.max_length = 600;
    IS(NAVMAP_OK, navmap_query_flood(query, world, 0, &options, NULL, flood, ROOM, &flooded, NULL));
    for (seed = 0; seed < 200; seed++) {
        float ground = 0;
        IS(NAVMAP_OK, navmap_query_random(query, world, seed, &one));
        IS(NAVMAP_OK, navmap_query_random(query, world, seed, &same));
        CHECK(memcmp(&one, &same, sizeof one) == 0);
        IS(NAVMAP_OK, navmap_z_at(world, one.area, &one.point, &ground));
        CHECK(fabsf(ground - one.point.z) < 0.1f);
        different += one.area != 0;
        IS(NAVMAP_OK, navmap_query_random_within(query, world, 0, &options, NULL, seed, &one, NULL));
        for (i = 0; i < flooded && flood[i].area != one.area; i++) {}
        CHECK(i < flooded);
    }
    CHECK(different > 150);
    IS(NAVMAP_OTHER_WORLD, navmap_query_random(query, other, 0, &one));
    IS(NAVMAP_OK, navmap_query_fit(query, other));
    IS(NAVMAP_OK, navmap_query_random(query, other, 7, &one));
    IS(NAVMAP_OK, navmap_query_free(query));
}

EXTERN int32_t odd(uint32_t area, void *user);
int32_t odd(uint32_t area, void *user) {
    ++*(uint32_t *)user;
    return area % 2 == 1;
}

/* One filter means the same to every question. */
static void filters(const navmap_world *world, const navmap_world *other) {
    navmap_filter filter;
    navmap_query_options options;
    navmap_query *query = NULL;
    navmap_mask *mask = NULL, *strange = NULL;
    navmap_near20 near, all[ROOM];
    navmap_reached8 flood[ROOM];
    uint64_t crouch = 0, flags[AREAS];
    uint32_t places[AREAS], listed[AREAS], site = 0, count = 0, asked = 0, i, area, kept;
    navmap_point middle = {0, 0, 0};
    IS(NAVMAP_OK, navmap_world_place(world, "bombsiteb", &site));
    IS(NAVMAP_NOTHING, navmap_world_place(world, "nowhere", &i));
    IS(NAVMAP_OK, navmap_world_area_flags(world, 0, flags, AREAS, &count));
    CHECK(count == AREAS);
    IS(NAVMAP_TRUNCATED, navmap_world_area_places(world, 1, places, 1, &count));
    CHECK(count == AREAS - 1);
    IS(NAVMAP_OK, navmap_world_area_places(world, 0, places, AREAS, &count));
    for (i = 0; i < AREAS; i++) {
        navmap_area64 about;
        IS(NAVMAP_OK, navmap_area_get(world, i, &about));
        CHECK(flags[i] == about.flags);
    }
    CHECK(places[in(world, "BombsiteB")] == site);

    IS(NAVMAP_OK, navmap_query_new(world, &query, NULL));
    IS(NAVMAP_OK, navmap_mask_new(world, &mask, NULL));
    IS(NAVMAP_OK, navmap_mask_new(other, &strange, NULL));
    NAVMAP_INIT(filter);
    NAVMAP_INIT(options);
    options.filter = &filter;

    filter.places = &site;
    filter.place_count = 1;
    IS(NAVMAP_OK, navmap_nearest_where(world, &middle, INFINITY, &filter, &near));
    CHECK(places[near.area] == site);
    IS(NAVMAP_OK, navmap_mask_fill(mask, world, &filter));
    IS(NAVMAP_OK, navmap_mask_areas(mask, listed, AREAS, &kept));
    for (i = 0, count = 0; i < AREAS; i++) count += places[i] == site;
    CHECK(kept == count && kept > 0);
    for (i = 0; i < AREAS; i++) CHECK((navmap_mask_has(mask, world, i) == NAVMAP_OK) == (places[i] == site));

    /* The mask alone, the callback alone, and each against the questions. */
    NAVMAP_INIT(filter);
    filter.mask = mask;
    IS(NAVMAP_OK, navmap_within_where(world, &middle, 1e7f, &filter, all, ROOM, &count));
    CHECK(count == kept);
    IS(NAVMAP_OK, navmap_query_flood(query, world, listed[0], &options, NULL, flood, ROOM, &count, NULL));
    CHECK(count > 0);
    for (i = 0; i < count; i++) CHECK(places[flood[i].area] == site);
    filter.mask = strange;
    IS(NAVMAP_OTHER_WORLD, navmap_within_where(world, &middle, 1e7f, &filter, all, ROOM, &count));
    IS(NAVMAP_OTHER_WORLD, navmap_query_flood(query, world, 0, &options, NULL, flood, ROOM, &count, NULL));
    NAVMAP_INIT(filter);
    filter.test = odd;
    filter.user = &asked;
    IS(NAVMAP_OK, navmap_within_where(world, &middle, 1e7f, &filter, all, ROOM, &count));
    CHECK(asked >= AREAS && count == AREAS / 2);
    for (i = 0; i < count; i++) CHECK(all[i].area % 2 == 1);
    if (navmap_area_at_where(world, &middle, 1e4f, &filter, &area) == NAVMAP_OK) CHECK(area % 2 == 1);
    IS(NAVMAP_OK, navmap_query_flood(query, world, 0, &options, NULL, flood, ROOM, &count, NULL));
    for (i = 1; i < count; i++) CHECK(flood[i].area % 2 == 1);

    /* Flags both ways. */
    IS(NAVMAP_OK, navmap_world_flag(world, "crouch", &crouch));
    NAVMAP_INIT(filter);
    filter.include = crouch;
    IS(NAVMAP_OK, navmap_within_where(world, &middle, 1e7f, &filter, all, ROOM, &kept));
    filter.include = 0;
    filter.exclude = crouch;
    IS(NAVMAP_OK, navmap_within_where(world, &middle, 1e7f, &filter, all, ROOM, &count));
    CHECK(kept + count == AREAS);
    for (i = 0; i < count; i++) CHECK((flags[all[i].area] & crouch) == 0);
    filter.without = 1u << 31;
    IS(NAVMAP_INVALID, navmap_within_where(world, &middle, 1e7f, &filter, all, ROOM, &count));
    filter.size = 3;
    IS(NAVMAP_INVALID, navmap_within_where(world, &middle, 1e7f, &filter, all, ROOM, &count));
    IS(NAVMAP_OK, navmap_within_where(world, &middle, 1e7f, NULL, all, ROOM, &count));
    CHECK(count == AREAS);

    i = AREAS;
    IS(NAVMAP_NO_SUCH_AREA, navmap_mask_set(mask, world, &i, 1, 1));
    IS(NAVMAP_OTHER_WORLD, navmap_mask_set(strange, world, listed, 1, 1));
    IS(NAVMAP_OTHER_WORLD, navmap_mask_has(strange, world, 0));
    IS(NAVMAP_OK, navmap_mask_set(mask, world, listed, 1, 0));
    IS(NAVMAP_NOTHING, navmap_mask_has(mask, world, listed[0]));
    IS(NAVMAP_OK, navmap_mask_clear(mask));
    IS(NAVMAP_OK, navmap_mask_areas(mask, NULL, 0, &count));
    CHECK(count == 0);
    IS(NAVMAP_OK, navmap_mask_free(mask));
    IS(NAVMAP_OK, navmap_mask_free(strange));
    IS(NAVMAP_OK, navmap_query_free(query));
}

/* A cost of one's own: twice the length is twice the cost of the same way. */
#include "tactics.h"

static void prices(const navmap_world *world) {
    navmap_query *query = NULL;
    navmap_query_options options;
    navmap_path32 shortest, path;
    uint32_t from = in(world, "CTSpawn"), to = in(world, "BombsiteB"), asked = 0;
    IS(NAVMAP_OK, navmap_query_new(world, &query, NULL));
    NAVMAP_INIT(options);
    options.cost = NAVMAP_COST_LENGTH;
    options.search = NAVMAP_SEARCH_SHORTEST;
    IS(NAVMAP_OK, navmap_query_path(query, world, from, to, NULL, &options, NULL, &shortest, NULL));
    options.price = twice;
    options.user = &asked;
    IS(NAVMAP_OK, navmap_query_path(query, world, from, to, NULL, &options, NULL, &path, NULL));
    CHECK(asked > 0 && fabsf(path.cost - 2 * shortest.cost) <= 1e-3f * path.cost);
    options.price = closed;
    IS(NAVMAP_NO_WAY, navmap_query_path(query, world, from, to, NULL, &options, NULL, &path, NULL));
    /* Options of the second header end before the price. */
    options.size = (uint32_t)(sizeof options - 2 * sizeof(void *));
    IS(NAVMAP_OK, navmap_query_path(query, world, from, to, NULL, &options, NULL, &path, NULL));
    CHECK(path.cost == shortest.cost);
    IS(NAVMAP_OK, navmap_query_free(query));
}

/* Links of a kind are those of every area, and the ends of ladders lie apart. */
static void ladders(const navmap_world *world) {
    static navmap_link60 all[16 * ROOM], some[16 * ROOM];
    navmap_link32 own[64];
    uint32_t kinds, area, i, count = 0, found = 0, sum = 0, counted = 0;
    navmap_info info;
    NAVMAP_INIT(info);
    IS(NAVMAP_OK, navmap_world_info(world, &info));
    IS(NAVMAP_OK, navmap_world_links(world, (1u << (NAVMAP_OTHER + 1)) - 1, all, 16 * ROOM, &count));
    CHECK(count == info.links);
    IS(NAVMAP_INVALID, navmap_world_links(world, 1u << 31, all, 16 * ROOM, &count));
    for (kinds = 0; kinds <= NAVMAP_OTHER; kinds++) {
        IS(NAVMAP_OK, navmap_world_links(world, 1u << kinds, some, 16 * ROOM, &found));
        for (i = 0; i < found; i++) CHECK(some[i].link.kind == kinds);
        sum += found;
    }
    CHECK(sum == info.links);
    IS(NAVMAP_OK, navmap_world_links(world, 1u << NAVMAP_LADDER, some, 16 * ROOM, &found));
    for (i = 0; i < found; i++) CHECK(some[i].has_ends == 1 && far_from(&some[i].begins, &some[i].ends) > 1);
    for (area = 0; area < AREAS; area++) {
        IS(NAVMAP_OK, navmap_area_links(world, area, own, 64, &count));
        for (i = 0; i < count; i++) {
            if (own[i].kind != NAVMAP_LADDER) continue;
            CHECK(counted < found && memcmp(&own[i], &some[counted].link, sizeof own[i]) == 0);
            counted++;
        }
    }
    CHECK(counted == found);
}

/* Parts are what searches say of each area. */
static void regions(const navmap_world *world, const navmap_world *other) {
    navmap_region24 parts[ROOM], some[1];
    navmap_overlay *overlay = NULL;
    uint32_t of_area[ROOM], from = in(world, "CTSpawn"), none = AREAS, count = 0, again = 0, sum = 0, i;
    IS(NAVMAP_OK, navmap_world_regions(world, &from, 1, NULL, NULL, parts, ROOM, &count, of_area, ROOM, NULL));
    CHECK(count > 0 && parts[of_area[from]].joined == NAVMAP_JOINED && of_area[from] == 0);
    for (i = 0; i < count; i++) {
        CHECK(of_area[parts[i].first] == i && parts[i].surface > 0);
        sum += parts[i].areas;
    }
    CHECK(sum == AREAS);
    for (i = 0; i < AREAS; i++) {
        uint32_t joined = parts[of_area[i]].joined;
        int there = navmap_reachable(world, from, i) == NAVMAP_OK, back = navmap_reachable(world, i, from) == NAVMAP_OK;
        CHECK(there == (joined == NAVMAP_JOINED || joined == NAVMAP_NO_WAY_BACK));
        CHECK(back == (joined == NAVMAP_JOINED || joined == NAVMAP_NO_WAY_IN));
    }
    IS(NAVMAP_OK, navmap_world_regions(world, &from, 1, NULL, NULL, parts, ROOM, &again, NULL, 0, NULL));
    CHECK(again == count);
    IS(NAVMAP_INVALID, navmap_world_regions(world, &from, 1, NULL, NULL, parts, ROOM, &again, of_area, 1, NULL));
    IS(NAVMAP_NO_SUCH_AREA, navmap_world_regions(world, &none, 1, NULL, NULL, parts, ROOM, &again, NULL, 0, NULL));
    /* Nobody gets out of a start that is blocked. */
    IS(NAVMAP_OK, navmap_overlay_new(world, &overlay, NULL));
    IS(NAVMAP_OK, navmap_overlay_block(overlay, from));
    IS(NAVMAP_TRUNCATED, navmap_world_regions(world, &from, 1, NULL, overlay, some, 1, &again, of_area, ROOM, NULL));
    CHECK(again >= 2 && some[0].joined == NAVMAP_CUT_OFF);
    IS(NAVMAP_OTHER_WORLD, navmap_world_regions(other, &from, 1, NULL, overlay, some, 1, &again, NULL, 0, NULL));
    IS(NAVMAP_OK, navmap_overlay_free(overlay));
}

/* Where a way may begin: on the area at a point, if its ground is there. The tree of an AAS file tells also of a point high up. */
static void stands(const char *corpus, const navmap_world *world, const navmap_world *other) {
    char path[4096];
    navmap_world *arena = NULL;
    navmap_filter filter;
    navmap_mask *mask = NULL, *strange = NULL;
    uint32_t i, at = 0, on = 0, standing = 0;
    navmap_point low = {4, 4, 25}, high = {4, 4, 120}, nan = {NAN, 0, 0};
    for (i = 0; i < AREAS; i++) {
        navmap_area64 about;
        IS(NAVMAP_OK, navmap_area_get(world, i, &about));
        about.center.z += 30;
        if (navmap_area_at(world, &about.center, NAVMAP_GAME_REACH, &at, NULL) == NAVMAP_OK) {
            IS(NAVMAP_OK, navmap_stands_on(world, &about.center, NULL, &on));
            CHECK(on == at);
            standing++;
        }
    }
    CHECK(standing > AREAS / 2);
    IS(NAVMAP_NOTHING, navmap_stands_on(world, &nan, NULL, &on));

    CHECK(snprintf(path, sizeof path, "%s/aas/v5-full.aas", corpus) < (int)sizeof path);
    IS(NAVMAP_OK, navmap_world_open(path, NULL, &arena, NULL));
    IS(NAVMAP_OK, navmap_area_at(arena, &low, NAVMAP_GAME_REACH, &at, NULL));
    IS(NAVMAP_OK, navmap_stands_on(arena, &low, NULL, &on));
    CHECK(on == at);
    IS(NAVMAP_OK, navmap_area_at(arena, &high, NAVMAP_GAME_REACH, &at, NULL));
    IS(NAVMAP_NOTHING, navmap_stands_on(arena, &high, NULL, &on));

    /* Only what a filter accepts. */
    NAVMAP_INIT(filter);
    IS(NAVMAP_OK, navmap_mask_new(arena, &mask, NULL));
    IS(NAVMAP_OK, navmap_mask_new(other, &strange, NULL));
    filter.mask = mask;
    IS(NAVMAP_NOTHING, navmap_stands_on(arena, &low, &filter, &on));
    IS(NAVMAP_OK, navmap_mask_set(mask, arena, &on, 1, 1));
    IS(NAVMAP_OK, navmap_stands_on(arena, &low, &filter, &on));
    filter.mask = strange;
    IS(NAVMAP_OTHER_WORLD, navmap_stands_on(arena, &low, &filter, &on));
    navmap_mask_free(mask);
    navmap_mask_free(strange);
    navmap_world_free(arena);
}

int main(int argc, char **argv) {
    navmap_world *world, *other;
    CHECK(argc == 2);
    world = open_town(argv[1], NAVMAP_TACTICS);
    other = open_town(argv[1], 0);
    follows(world, other);
    surface(world);
    random_spots(world, other);
    filters(world, other);
    stands(argv[1], world, other);
    tactics(world, other);
    prices(world);
    ladders(world);
    regions(world, other);
    as_engine(world, other);
    traces(argv[1]);
    navmap_world_free(world);
    navmap_world_free(other);
    printf("bots walk\n");
    return 0;
}

// Hiding, seeing, retreating, as the engine chooses, and traces through a map. Part of bots.c.

static void tactics(const navmap_world *world, const navmap_world *without) {
    navmap_query *query = NULL;
    navmap_mask *watched = NULL, *same = NULL;
    navmap_seen8 *seen = (navmap_seen8 *)malloc(AREAS * sizeof *seen);
    navmap_hiding24 *spots = NULL;
    navmap_hideout32 found[8];
    navmap_hiding_options hiding;
    navmap_exposure20 exposure;
    navmap_encounter44 *met = NULL;
    navmap_reached8 retreat;
    navmap_path32 path;
    uint32_t enemy = in(world, "BombsiteB"), from = in(world, "CTSpawn"), count = 0, all = 0, sum = 0, sight = 0, i, j;
    navmap_point there = center(world, enemy);
    CHECK(seen != NULL);
    there.z += 10;
    IS(NAVMAP_INVALID, navmap_sight(without, 0, 1, &sight));
    IS(NAVMAP_INVALID, navmap_seen(without, 0, seen, AREAS, &count));
    IS(NAVMAP_OK, navmap_query_new(world, &query, NULL));
    IS(NAVMAP_OK, navmap_mask_new(world, &watched, NULL));
    IS(NAVMAP_OK, navmap_mask_new(world, &same, NULL));

    /* The set that is seen is what `navmap_sight` says of each area. */
    IS(NAVMAP_OK, navmap_seen(world, enemy, seen, AREAS, &count));
    for (i = 0, j = 0; i < AREAS; i++) {
        IS(NAVMAP_OK, navmap_sight(world, enemy, i, &sight));
        if (sight == NAVMAP_HIDDEN) continue;
        CHECK(j < count && seen[j].area == i && seen[j].sight == sight);
        j++;
    }
    CHECK(j == count && count > 0);
    IS(NAVMAP_INVALID, navmap_mask_add_seen(watched, world, &enemy, 1, NAVMAP_HIDDEN, NULL));
    IS(NAVMAP_OK, navmap_mask_add_seen(watched, world, &enemy, 1, NAVMAP_PARTLY, NULL));
    IS(NAVMAP_TRUNCATED, navmap_mask_areas(watched, NULL, 0, &i));
    CHECK(i == count);
    IS(NAVMAP_OK, navmap_mask_add_seen_from(same, world, &there, 1, NAVMAP_PARTLY, &j, NULL));
    CHECK(j == 1);

    /* Spots of all areas are those of each. */
    navmap_status status = navmap_area_hiding(world, NAVMAP_NONE, NULL, 0, &all);
    CHECK(status == (all ? NAVMAP_TRUNCATED : NAVMAP_OK));
    spots = (navmap_hiding24 *)malloc((all + 1) * sizeof *spots);
    CHECK(spots != NULL);
    for (i = 0; i < AREAS; i++) {
        IS(NAVMAP_OK, navmap_area_hiding(world, i, spots, all, &count));
        for (j = 0; j < count; j++) CHECK(spots[j].area == i);
        sum += count;
    }
    CHECK(sum == all && all > 0);

    NAVMAP_INIT(hiding);
    hiding.unseen = watched;
    IS(NAVMAP_OK, navmap_query_spots(query, world, enemy, &there, &hiding, NULL, NULL, found, 8, &count, NULL));
    for (i = 0; i < count; i++) {
        CHECK(navmap_mask_has(watched, world, found[i].spot.area) == NAVMAP_NOTHING);
        CHECK(found[i].spot.kinds & NAVMAP_COVER && found[i].rank == 0);
        CHECK(i == 0 || found[i].walk >= found[i - 1].walk);
    }
    hiding.best = 1u << 6;
    IS(NAVMAP_INVALID, navmap_query_spots(query, world, enemy, &there, &hiding, NULL, NULL, found, 8, &count, NULL));

    /* Out of sight by the shortest walk, and how much of a way is in sight. */
    status = navmap_query_retreat(query, world, enemy, watched, NULL, NULL, &retreat, NULL);
    if (status == NAVMAP_OK) {
        IS(NAVMAP_OK, navmap_sight(world, enemy, retreat.area, &sight));
        CHECK(sight == NAVMAP_HIDDEN && retreat.cost > 0);
    } else {
        CHECK(status == NAVMAP_NO_WAY);
    }
    IS(NAVMAP_OK, navmap_query_path(query, world, from, enemy, NULL, NULL, NULL, &path, NULL));
    IS(NAVMAP_OK, navmap_query_exposure(query, world, watched, &exposure));
    CHECK(exposure.areas > 0 && exposure.first != NAVMAP_NONE && exposure.seen <= exposure.length * 1.001f);
    CHECK(exposure.longest <= exposure.seen * 1.001f && exposure.seen > 0);
    status = navmap_query_encounters(query, world, NULL, 0, &all);
    CHECK(status == (all ? NAVMAP_TRUNCATED : NAVMAP_OK));
    met = (navmap_encounter44 *)malloc((all + 1) * sizeof *met);
    CHECK(met != NULL);
    IS(NAVMAP_OK, navmap_query_encounters(query, world, met, all, &count));
    for (i = 0; i < count; i++) CHECK(met[i].along >= 0 && met[i].along <= 1 && met[i].area < AREAS);
    free(seen);
    free(spots);
    free(met);
    IS(NAVMAP_OK, navmap_mask_free(watched));
    IS(NAVMAP_OK, navmap_mask_free(same));
    IS(NAVMAP_OK, navmap_query_free(query));
}

EXTERN float twice(const navmap_link32 *link, void *user);
float twice(const navmap_link32 *link, void *user) {
    ++*(uint32_t *)user;
    return link->length * 2;
}

EXTERN float closed(const navmap_link32 *link, void *user);
float closed(const navmap_link32 *link, void *user) {
    (void)link;
    (void)user;
    return -1;
}

/* What the engine's helper collects are spots with cover near the point, each once. */
static void as_engine(const navmap_world *world, const navmap_world *without) {
    static navmap_hiding24 spots[256], few[2];
    navmap_hiding_options hiding;
    navmap_query *query = NULL;
    navmap_overlay *overlay = NULL;
    uint32_t from = in(world, "BombsiteB"), count = 0, some = 0, i, j;
    navmap_point at = center(world, from);
    IS(NAVMAP_OK, navmap_query_new(world, &query, NULL));
    NAVMAP_INIT(hiding);
    hiding.travel = 1000;
    IS(NAVMAP_OK, navmap_query_spots_as_engine(query, world, from, &at, &hiding, NULL, spots, 256, &count, NULL));
    CHECK(count > 2);
    for (i = 0; i < count; i++) {
        CHECK(spots[i].kinds & NAVMAP_COVER && far_from(&spots[i].point, &at) <= 1000.1f);
        for (j = 0; j < i; j++) CHECK(spots[i].id != spots[j].id);
    }
    IS(NAVMAP_OK, navmap_query_spots_as_engine(query, world, from, &at, &hiding, NULL, few, 2, &some, NULL));
    CHECK(some == 2 && memcmp(few, spots, sizeof few) == 0);
    for (i = 0; i < 2; i++) {
        hiding.travel = i == 0 ? NAN : -1;
        IS(NAVMAP_INVALID, navmap_query_spots_as_engine(query, world, from, &at, &hiding, NULL, few, 2, &some, NULL));
        hiding.travel = 1000;
        hiding.range = i == 0 ? NAN : -1;
        IS(NAVMAP_INVALID, navmap_query_spots_as_engine(query, world, from, &at, &hiding, NULL, few, 2, &some, NULL));
        hiding.range = 0;
    }
    IS(NAVMAP_INVALID, navmap_query_spots_as_engine(query, without, from, &at, &hiding, NULL, few, 2, &some, NULL));
    IS(NAVMAP_OK, navmap_overlay_new(world, &overlay, NULL));
    IS(NAVMAP_OK, navmap_overlay_block(overlay, from));
    IS(NAVMAP_OK, navmap_query_spots_as_engine(query, world, from, &at, &hiding, overlay, spots, 256, &count, NULL));
    CHECK(count == 0);
    IS(NAVMAP_OK, navmap_overlay_free(overlay));
    IS(NAVMAP_OK, navmap_query_free(query));
}

/* Above the ground of the yard, a line down hits it, and a box as large as a point does the same. */
static void traces(const char *corpus) {
    char path[4096];
    navmap_map *map = NULL, *gold = NULL;
    navmap_trace40 line, box, wide;
    navmap_point nan = {NAN, 0, 0}, zero = {0, 0, 0}, low = {-16, -16, 0}, high = {16, 16, 72};
    uint32_t contents = 0, hits = 0, solid = 0;
    int x, y;
    CHECK(snprintf(path, sizeof path, "%s/source/town.nav", corpus) < (int)sizeof path);
    CHECK(navmap_map_open(path, NULL, &map, NULL) >= NAVMAP_ERRORS && map == NULL);
    CHECK(snprintf(path, sizeof path, "%s/bsp/yard-goldsrc.bsp", corpus) < (int)sizeof path);
    IS(NAVMAP_OK, navmap_map_open(path, NULL, &gold, NULL));
    CHECK(snprintf(path, sizeof path, "%s/bsp/yard-source.bsp", corpus) < (int)sizeof path);
    IS(NAVMAP_OK, navmap_map_open(path, NULL, &map, NULL));
    for (x = -2048; x <= 2048; x += 64) {
        for (y = -2048; y <= 2048; y += 64) {
            navmap_point from = {0, 0, 40}, to = {0, 0, -4096};
            from.x = to.x = (float)x + 7;
            from.y = to.y = (float)y + 5;
            IS(NAVMAP_OK, navmap_map_contents(map, &from, &contents));
            IS(NAVMAP_OK, navmap_map_line(map, &from, &to, NAVMAP_STOPS_PLAYERS, &line));
            if (contents & NAVMAP_SOLID) {
                CHECK(line.flags & NAVMAP_START_SOLID);
                solid++;
            }
            if (contents != 0 || line.flags & NAVMAP_START_SOLID || line.fraction >= 1) continue;
            CHECK(line.normal.z > 0 && line.contents & NAVMAP_STOPS_PLAYERS && line.end.z < from.z);
            IS(NAVMAP_OK, navmap_map_box(map, &from, &to, &zero, &zero, NAVMAP_STOPS_PLAYERS, &box));
            CHECK(memcmp(&line, &box, sizeof line) == 0);
            IS(NAVMAP_OK, navmap_map_box(map, &from, &to, &low, &high, NAVMAP_STOPS_PLAYERS, &wide));
            CHECK(wide.flags & NAVMAP_START_SOLID || wide.end.z >= line.end.z - 0.1f);
            IS(NAVMAP_OK, navmap_map_line(map, &from, &from, NAVMAP_STOPS_PLAYERS, &line));
            CHECK(line.fraction == 1 && line.entity == NAVMAP_NONE && line.contents == 0);
            hits++;
        }
    }
    CHECK(hits > 20 && solid > 0);
    IS(NAVMAP_INVALID, navmap_map_line(map, &nan, &zero, NAVMAP_SOLID, &line));
    IS(NAVMAP_INVALID, navmap_map_contents(map, &nan, &contents));
    IS(NAVMAP_NOTHING, navmap_map_box(gold, &zero, &high, &low, &high, NAVMAP_SOLID, &box));
    IS(NAVMAP_OK, navmap_map_free(gold));
    IS(NAVMAP_OK, navmap_map_free(map));
}

// What a world is asked: its areas, points, ways. Part of program.c.

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
    /* A column without an end has what lies over and under its sides, and a box with a NaN nothing. */
    navmap_point deep = {-300, -300, -INFINITY}, tall = {300, 300, INFINITY};
    uint32_t column = 0, none = 1;
    IS(NAVMAP_OK, navmap_in_box(world, &tall, &deep, many, count, &column));
    IS(NAVMAP_OK, navmap_in_box(world, &nan, &high, many, count, &none));
    CHECK(column == inside && none == 0);
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

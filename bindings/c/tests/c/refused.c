/* What is refused, and by which words: arguments that do not fit, of sizes that nobody has. As C99 and as C++17. Usage: refused CORPUS */
#include "check.h"

#include <string.h>

static navmap_world *opened(const char *corpus, const char *name) {
    char path[4096];
    navmap_world *world = NULL;
    CHECK(snprintf(path, sizeof path, "%s/%s", corpus, name) < (int)sizeof path);
    IS(NAVMAP_OK, navmap_world_open(path, NULL, &world, NULL));
    return world;
}

/* The error begins with these words. */
static void says(navmap_error *error, const char *words) {
    CHECK(error != NULL && strncmp(navmap_error_message(error), words, strlen(words)) == 0);
    IS(NAVMAP_OK, navmap_error_free(error));
}

/* A world that was not made of tiles takes none, and that is no fault of a file. */
static void tiles(const navmap_world *world) {
    const uint8_t bytes[4] = {0, 0, 0, 0};
    navmap_world *other = NULL;
    navmap_error *error = NULL;
    IS(NAVMAP_INVALID, navmap_world_with_tile(world, "plain_101_102_nav.nav2", bytes, 4, NULL, &other, &error));
    says(error, "world: does not keep its tiles");
    IS(NAVMAP_INVALID, navmap_world_without_tile(world, "plain_101_102_nav.nav2", NULL, &other, &error));
    says(error, "world: does not keep its tiles");
    CHECK(other == NULL);
}

/* A mask cannot be filled by what it says itself. */
static void masks(const navmap_world *world) {
    navmap_mask *mask = NULL, *own = NULL;
    navmap_filter filter;
    NAVMAP_INIT(filter);
    IS(NAVMAP_OK, navmap_mask_new(world, &mask, NULL));
    IS(NAVMAP_OK, navmap_mask_new(world, &own, NULL));
    filter.mask = own;
    IS(NAVMAP_INVALID, navmap_mask_fill(own, world, &filter));
    IS(NAVMAP_OK, navmap_mask_fill(mask, world, &filter));
    IS(NAVMAP_OK, navmap_mask_free(mask));
    IS(NAVMAP_OK, navmap_mask_free(own));
}

/* Bodies that nothing can be computed with, and crowds of other worlds. */
static void crowds(const navmap_world *world, const navmap_world *other) {
    navmap_crowd *crowd = NULL;
    navmap_error *error = NULL;
    navmap_body_options body;
    navmap_area64 area;
    uint64_t agent = 0;
    NAVMAP_INIT(body);
    IS(NAVMAP_OK, navmap_area_get(world, 0, &area));
    IS(NAVMAP_OK, navmap_crowd_new(world, NULL, &crowd, NULL));
    body.radius = 1e30f;
    IS(NAVMAP_INVALID, navmap_crowd_add(crowd, world, &area.center, &body, &agent, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_crowd_add(crowd, other, &area.center, NULL, &agent, &error));
    says(error, "crowd was made for another world");
    IS(NAVMAP_OK, navmap_crowd_add(crowd, world, &area.center, NULL, &agent, NULL));
    IS(NAVMAP_OTHER_WORLD, navmap_crowd_tick(crowd, other, 0.05f, NULL, NULL, NULL, &error));
    says(error, "crowd was made for another world");
    IS(NAVMAP_OK, navmap_crowd_tick(crowd, world, 0.05f, NULL, NULL, NULL, NULL));
    IS(NAVMAP_OK, navmap_crowd_free(crowd));
}

/* Options of a size that ends within a pointer: half of one must not be read. */
static void sizes(const navmap_world *world) {
    navmap_query_options options;
    navmap_query *query = NULL;
    uint32_t size;
    IS(NAVMAP_OK, navmap_query_new(world, &query, NULL));
    NAVMAP_INIT(options);
    IS(NAVMAP_OK, navmap_query_path(query, world, 0, 0, NULL, &options, NULL, NULL, NULL));
    /* 36: what was published first. */
    for (size = 36; size <= (uint32_t)sizeof options; size++) {
        navmap_query_options cut;
        int whole = size == 36 || size % (uint32_t)sizeof(void *) == 0;
        NAVMAP_INIT(cut);
        memset((char *)&cut + size, 0x55, sizeof cut - size);
        cut.size = size;
        IS(whole ? NAVMAP_OK : NAVMAP_INVALID, navmap_query_path(query, world, 0, 0, NULL, &cut, NULL, NULL, NULL));
    }
    IS(NAVMAP_OK, navmap_query_free(query));
}

int main(int count, char **arguments) {
    navmap_world *world, *other;
    CHECK(count == 2);
    world = opened(arguments[1], "source/town.nav");
    other = opened(arguments[1], "source/town.nav");
    tiles(world);
    masks(world);
    crowds(world, other);
    sizes(world);
    IS(NAVMAP_OK, navmap_world_free(world));
    IS(NAVMAP_OK, navmap_world_free(other));
    puts("refused");
    return 0;
}

// The wrapper for C++. Usage: wrapper CORPUS FOLDER
#include <navmap.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#define CHECK(what)                                                    \
    do {                                                               \
        if (!(what)) {                                                 \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
            std::exit(1);                                              \
        }                                                              \
    } while (0)

static std::vector<std::uint8_t> read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

static void errors(const std::string &corpus) {
    try {
        navmap::world cut(corpus + "/hostile/source/cut-in-area.nav");
        CHECK(false);
    } catch (const navmap::failure &error) {
        CHECK(error.status() == NAVMAP_DAMAGED && error.byte() == 0x453u);
        CHECK(error.where() && error.where()->kind == "area" && error.where()->index == 4);
        CHECK(error.file().find("cut-in-area.nav") != std::string::npos);
        CHECK(std::string(error.what()).find("encounter paths") != std::string::npos);
    }
    try {
        navmap::world().size();
        CHECK(false);
    } catch (const navmap::failure &error) {
        CHECK(error.status() == NAVMAP_NULL && !error.byte());
    }
}

static void queries(const navmap::world &world) {
    CHECK(world.size() == 356 && world.areas().size() == 356);
    CHECK(world.place(world.in_place("BombsiteB").front()) == "BombsiteB");
    CHECK(!world.by_id(123456789) && world.in_place("nowhere").empty());
    const navmap::area first = *world.by_id(world.about(0).id);
    CHECK(first == 0 && world.corners(0).size() == 4);

    std::vector<navmap::point> where;
    for (const navmap_area32 &area : world.areas())
        where.push_back({(area.min.x + area.max.x) / 2, (area.min.y + area.max.y) / 2, area.max.z + 20});
    std::vector<navmap::area> found(where.size());
    world.area_at(navmap::span<navmap::point>(where.data(), where.size()),
                  navmap::span<navmap::area>(found.data(), found.size()));
    for (std::size_t at = 0; at < where.size(); at++) {
        const std::optional<navmap::area> one = world.area_at(where[at]);
        CHECK(one.value_or(NAVMAP_NONE) == found[at]);
        CHECK(world.nearest(where[at], 1e6f).has_value());
    }
    CHECK(!world.nearest({1e7f, 0, 0}, 10) && !world.portal(0, 0));
    CHECK(world.within(where[0], 1e7f).size() == world.size());
    CHECK(world.centers_within(where[0], 0).size() == world.size() && world.centers_within({1e7f, 0, 0}, 10).empty());
    std::array<navmap::area, 1> few;
    try {
        world.area_at(navmap::span<const navmap::point>(where.data(), where.size()),
                      navmap::span<navmap::area>(few.data(), few.size()));
        CHECK(false);
    } catch (const navmap::failure &error) {
        CHECK(error.status() == NAVMAP_INVALID);
    }

    navmap::query query(world);
    const std::vector<float> costs = query.distance_map(world, 0);
    navmap::area goal = 0;
    for (navmap::area area = 0; area < costs.size(); area++)
        if (costs[area] < 1e30f && costs[area] > costs[goal]) goal = area;
    navmap::query_options how;
    how.search = NAVMAP_SEARCH_SHORTEST;
    const navmap::query::outcome way = query.path(world, 0, goal, &how);
    CHECK(way.found() && way.cost() && world.reachable(0, goal));
    const std::vector<navmap::step> steps = query.steps(world);
    CHECK(steps.size() == way.path.steps && steps.back().area == goal);
    std::array<navmap::point, 2> corners;
    CHECK(query.straighten(world, world.about(0).center, world.about(goal).center,
                           navmap::span<navmap::point>(corners.data(), corners.size())) >= 2);
    navmap::overlay overlay(world);
    overlay.block(goal);
    CHECK(!query.path(world, 0, goal, &how, &overlay).cost());
    overlay.clear(goal);
    CHECK(query.path(world, 0, goal, &how, &overlay).found());

    // Whatever fills a buffer says why it does not.
    how.search = 99;
    std::string said;
    const auto keep = [&](const navmap::failure &what) { said = what.what(); };
    const navmap::area from = 0;
    const std::string why = "options.search has a value that it cannot have";
    CHECK(!navmap::attempt([&] { query.flood(world, 0, &how); }, keep) && said == why);
    said.clear();
    CHECK(!navmap::attempt([&] { query.random_within(world, 0, 7, &how); }, keep) && said == why);
    said.clear();
    CHECK(!navmap::attempt([&] { world.regions(navmap::span<const navmap::area>(&from, 1), &how); }, keep) && said == why);
}

// What is known of all areas at once, and of two of them.
static void areas(const navmap::world &world) {
    CHECK(std::string_view(navmap::version()) == NAVMAP_VERSION);
    const std::vector<std::uint64_t> flags = world.area_flags();
    const std::vector<std::uint32_t> places = world.area_places();
    CHECK(flags.size() == world.size() && places.size() == world.size());
    const std::uint32_t site = *world.place_number("BombsiteB");
    navmap::filter filter;
    filter.places = &site;
    filter.place_count = 1;
    std::size_t edges = 0, linked = 0, beside = 0;
    for (navmap::area area = 0; area < world.size(); area++) {
        const navmap::point center = world.about(area).center;
        CHECK(flags[area] == world.about(area).flags && (places[area] == site) == (world.place(area) == "BombsiteB"));
        CHECK(world.contains(area, center) && world.overlaps(area, area) && !world.step(area, area));
        if (places[area] == site) CHECK(world.area_at_where(center, filter) == world.area_at(center));
        CHECK(world.stands_on(center) == world.area_at(center));
        CHECK(!world.stands_on(center, &filter) || places[*world.stands_on(center, &filter)] == site);
        for (std::uint32_t side = 0; side < 4; side++) edges += world.is_edge(area, side);
        for (const navmap_link32 &link : world.links(area)) {
            const std::optional<float> up = world.step(area, link.to), gap = world.gap(area, link.to);
            CHECK(up && *up == *up && gap && *gap >= 0);
            beside += !world.overlaps(area, link.to);
            linked++;
        }
    }
    CHECK(edges > 0 && edges < 4 * world.size() && linked == world.info().links && beside > 0);
    CHECK(!world.area_at_where(world.about(world.in_place("CTSpawn").front()).center, filter, 10) && !world.gap(0, 0));
    CHECK(!world.contains(0, {1e7f, 0, 0}));

    // Parts, and what an overlay cuts off.
    const navmap::area from = world.in_place("CTSpawn").front();
    std::vector<std::uint32_t> part;
    const auto whole = world.regions(navmap::span<const navmap::area>(&from, 1), nullptr, nullptr, &part);
    CHECK(part.size() == world.size() && part[from] == 0 && whole[part[from]].joined == NAVMAP_JOINED);
    navmap::overlay overlay(world);
    overlay.block(from);
    CHECK(world.regions(navmap::span<const navmap::area>(&from, 1), nullptr, overlay.get()).size() > whole.size());
}

static void slots(const std::string &corpus, const std::string &live) {
    const std::vector<std::uint8_t> town = read(corpus + "/source/town.nav");
    std::ofstream(live, std::ios::binary).write(reinterpret_cast<const char *>(town.data()), static_cast<std::streamsize>(town.size()));
    navmap::slot slot(live);
    const navmap::world before = slot.load();
    navmap::world copy = before, moved = std::move(copy);
    const navmap_held held = before.hold(5);
    CHECK(!copy && moved.held(held) == 5u && slot.reload() == 2);
    copy = slot.load();
    CHECK(!copy.held(held) && copy.generation() == 2 && before.generation() == 1);
    const std::vector<std::uint8_t> other = read(corpus + "/source/v5.nav");
    CHECK(slot.swap("other.nav", navmap::span<const std::uint8_t>(other.data(), other.size())) == 3);
    const std::vector<std::uint8_t> none = {1, 2, 3, 4};
    try {
        slot.swap("none.nav", navmap::span<const std::uint8_t>(none.data(), none.size()));
        CHECK(false);
    } catch (const navmap::failure &error) {
        CHECK(error.status() == NAVMAP_NOT_MESH);
    }
    CHECK(slot.load().generation() == 3 && slot.failures() == 0);
}

static void edits(const std::string &corpus, const std::string &out) {
    navmap::editor editor(corpus + "/source/town.nav");
    const auto areas = [&] { return editor.world("town.nav").size(); };
    const auto before = areas();
    CHECK(editor.run("nav_delete #3").find("deleted 1 area") == 0 && areas() == before - 1);
    try {
        editor.run("nav_delete #3");
        CHECK(false);
    } catch (const navmap::failure &error) {
        CHECK(error.status() == NAVMAP_REFUSED);
    }
    // More than any buffer of a first try.
    CHECK(editor.run("help").size() > 5000 && editor.said() == editor.run("help"));
    editor.save(out);
    CHECK(navmap::world(out).size() == before - 1);
    CHECK(editor.undo() == 1 && areas() == before && editor.redo() == 1 && areas() == before - 1);

    const std::string base = corpus + "/source/town.nav";
    std::uint32_t conflicts = 7;
    navmap::editor merged = navmap::editor::merge(base, base, out, &conflicts);
    CHECK(conflicts == 0 && merged.said().empty() && merged.world("town.nav").size() == before - 1);

    auto same = navmap::editor::of_world(navmap::world(base));
    CHECK(same && same->bytes() == read(base) && same->run("nav_delete #3").find("deleted 1 area") == 0);
    CHECK(!navmap::editor::of_world(navmap::world(corpus + "/fox/set")));
}

static void callbacks(const std::string &corpus) {
    std::uint64_t areas = 0, meshes = 0;
    const navmap_totals totals = navmap::scan({corpus + "/source"}, [&](const navmap_outcome &outcome) {
        meshes++;
        for (std::uint32_t at = 0; at < outcome.count_len; at++)
            if (std::string_view(outcome.counts[at].name) == "areas") areas += outcome.counts[at].value;
        return true;
    });
    CHECK(totals.meshes == meshes && meshes > 20 && areas > 356);
    // What a callback throws ends the run and comes out behind it.
    try {
        navmap::scan({corpus + "/source"}, [](const navmap_outcome &) -> bool { throw std::runtime_error("enough"); });
        CHECK(false);
    } catch (const std::runtime_error &error) {
        CHECK(std::string(error.what()) == "enough");
    }
    CHECK(navmap::check(corpus + "/hostile/source/trailing.nav", [](const navmap_finding &) { return true; }) > 0);
}

// A bot that walks, and hides.
static void bots(const std::string &corpus) {
    navmap::options how;
    how.flags = NAVMAP_TACTICS;
    const navmap::world world(corpus + "/source/town.nav", &how);
    const navmap::area from = world.in_place("CTSpawn").front(), to = world.in_place("BombsiteB").front();
    navmap::point at = world.about(from).center;
    const navmap::point goal = world.about(to).center;
    navmap::query query(world);
    navmap::corridor corridor(world);
    CHECK(query.path(world, from, to).found());
    corridor.follow(query, world, at, goal);
    CHECK(corridor.about().goal_area == to && corridor.is_valid(world, 100));
    std::vector<navmap::area> passed;
    for (const navmap::step &step : query.steps(world)) passed.push_back(step.area);
    CHECK(corridor.areas() == passed);
    std::array<navmap_corner52, 2> corners{};
    int ticks = 0;
    while (!corridor.is_at_goal(1)) {
        CHECK(corridor.corners(world, corners) > 0 && ++ticks < 10000);
        const navmap::point next = corners[0].point;
        if (corridor.next_leg(world)) {
            const navmap::point here = corridor.position();
            if (std::abs(here.x - next.x) + std::abs(here.y - next.y) < 1) {
                at = corridor.take_leg(world)->dismount;
                continue;
            }
        }
        const float far = std::sqrt((next.x - at.x) * (next.x - at.x) + (next.y - at.y) * (next.y - at.y));
        const float share = far > 4.5f ? 4.5f / far : 1;
        at.x += (next.x - at.x) * share;
        at.y += (next.y - at.y) * share;
        at.z += (next.z - at.z) * share;
        at = corridor.advance(world, at).point;
    }
    CHECK(corridor.remap(world) == NAVMAP_OK && corridor.repair(query, world, goal));

    navmap::mask watched(world);
    watched.add_seen(world, navmap::span<const navmap::area>(&to, 1));
    CHECK(watched.has(world, to) && watched.areas().size() == world.seen(to).size() && world.sees(to, to));
    navmap::filter hidden;
    hidden.mask = watched.get();
    CHECK(world.within_where(goal, 1e7f, hidden).size() == watched.areas().size());
    CHECK(watched.has(world, world.nearest_where(at, 1e7f, hidden)->area));
    std::array<navmap_hideout32, 4> spots{};
    navmap::hiding_options wanted;
    wanted.unseen = watched.get();
    const std::uint32_t count = query.spots(world, to, goal, wanted, spots);
    for (std::uint32_t spot = 0; spot < count; spot++) CHECK(!watched.has(world, spots[spot].spot.area));
    CHECK(query.path(world, from, to).found() && query.exposure(world, watched).areas > 0);
    CHECK(query.random(world, 7)->point.x == query.random(world, 7)->point.x);
    CHECK(world.slide(to, goal, goal)->arrived == 1);
    CHECK(world.links_of((1u << (NAVMAP_OTHER + 1)) - 1).size() == world.info().links);
    const navmap::map yard(corpus + "/bsp/yard-source.bsp");
    CHECK(yard && yard.line({0, 0, 1e5f}, {0, 0, 1e5f}).fraction == 1);
    CHECK(yard.box({7, 5, 40}, {7, 5, 40}, {0, 0, 0}, {0, 0, 0}) && (yard.contents({7, 5, -8}) & NAVMAP_SOLID));
    const auto parts = world.regions(navmap::span<const navmap::area>(&from, 1));
    CHECK(!parts.empty() && parts.front().joined == NAVMAP_JOINED);
    std::array<navmap_hiding24, 8> collected{};
    navmap::hiding_options near;
    near.travel = 1000;
    CHECK(query.spots_as_engine(world, to, goal, near, collected) > 0 && collected[0].kinds & NAVMAP_COVER);
    try {
        corridor.advance(navmap::world(corpus + "/source/town.nav"), goal);
        CHECK(false);
    } catch (const navmap::failure &error) {
        CHECK(error.status() == NAVMAP_OTHER_WORLD);
    }
}

// What comes into view on a way is what does in each of its areas.
static void encounters(const navmap::world &world) {
    navmap::query query(world);
    std::size_t met = 0;
    for (navmap::area from = 0; from < world.size(); from++) {
        for (navmap::area to = 0; to < world.size(); to++) {
            if (!query.path(world, from, to).found()) continue;
            const std::vector<navmap::step> way = query.steps(world);
            std::size_t each = 0;
            for (std::size_t at = 1; at + 1 < way.size(); at++)
                each += world.encounters(way[at - 1].area, way[at].area, way[at + 1].area).size();
            CHECK(query.encounters(world).size() == each);
            met += each;
        }
    }
    CHECK(met > 0 && world.encounters(0, 0, 0).empty());
}

static void servers(const std::string &corpus, const std::string &folder) {
    // Tiles, in worlds and under a slot.
    const std::array<std::string, 2> names = {"plain_101_101_nav.nav2", "plain_102_101_nav.nav2"};
    const std::vector<std::uint8_t> one = read(corpus + "/fox/set/" + names[0]), two = read(corpus + "/fox/set/" + names[1]);
    const navmap_tile tile = {names[0].c_str(), one.data(), one.size()};
    const navmap::world single = navmap::world::from_tiles(navmap::span<const navmap_tile>(&tile, 1));
    const navmap::world both = single.with_tile(names[1], navmap::span<const std::uint8_t>(two.data(), two.size()));
    CHECK(both.size() > single.size() && both.tiles().size() == 2 && both.tiles()[1] == names[1]);
    CHECK(both.without_tile(names[1]).size() == single.size());
    navmap::slot slot = navmap::slot::of_world(single);
    CHECK(slot.with_tile(names[1], navmap::span<const std::uint8_t>(two.data(), two.size())) == 2);
    CHECK(slot.load().size() == both.size() && slot.without_tile(names[1]) == 3 && !slot.refresh() && slot.swap(both) == 4);
    try {
        slot.without_tile("none.nav2");
        CHECK(false);
    } catch (const navmap::failure &) {
        CHECK(slot.failures() == 1 && !slot.last_failure().empty());
    }

    // A crowd of one.
    const navmap::world town(corpus + "/source/town.nav");
    const navmap::point start = town.about(town.in_place("CTSpawn").front()).center;
    navmap::crowd crowd(town);
    const auto agent = crowd.add(town, start);
    CHECK(agent && crowd.go(town, *agent, {start.x + 60, start.y, start.z}) && !crowd.go(town, *agent, {1e7f, 0, 0}));
    for (int tick = 0; tick < 400 && crowd.tick(town, 0.05f).arrived == 0; tick++) {}
    std::array<navmap_agent72, 2> agents{};
    CHECK(crowd.agents(agents) == 1 && agents[0].doing == NAVMAP_ARRIVED && crowd.agent(*agent)->at.x == agents[0].at.x);
    crowd.stop(*agent);
    CHECK(crowd.moved(town, *agent, agents[0].at) && !crowd.moved(town, *agent, {1e7f, 0, 0}));
    navmap::overlay closed(town);
    closed.block(agents[0].area);
    const navmap::world again(corpus + "/source/town.nav");
    CHECK(closed.remap(town, again) == 0 && closed.remap(town, again) == 0);
    CHECK(crowd.place(town, *agent, start) && crowd.remap(town) && crowd.remove(*agent) && crowd.size() == 0 && !crowd.agent(*agent));

    // Findings and differences.
    const navmap::findings odd(corpus + "/hostile/source/dangling.nav");
    CHECK(!odd.all().empty() && odd.all().size() == odd.totals().kept && !odd.text(0).empty());
    navmap::editor editor(corpus + "/source/town.nav");
    editor.run("nav_delete #3");
    editor.save(folder + "/less.nav");
    const navmap::difference less(corpus + "/source/town.nav", folder + "/less.nav");
    CHECK(less.totals().same == 0 && less.changes().front().before_id == 3 && less.text(0) == "area #3 is gone");

    // Meshes that are made. What a callback throws comes out behind the call.
    const navmap::map yard(corpus + "/bsp/yard-source.bsp");
    navmap::generate_options how;
    how.game = "gmod";
    int heard = 0;
    auto made = navmap::generate(yard, "yard.nav", [&](const navmap_progress &) { return ++heard > 0; }, &how);
    CHECK(made && heard > 0 && made->world("yard.nav").size() > 0 && !made->said().empty());
    CHECK(!navmap::generate(yard, "yard.nav", [](const navmap_progress &) { return false; }, &how));
    CHECK(navmap::analyze(corpus + "/bsp/yard-source.nav", [](const navmap_progress &) { return true; }, &yard));
    try {
        navmap::generate(yard, "yard.nav", [](const navmap_progress &) -> bool { throw std::runtime_error("enough"); }, &how);
        CHECK(false);
    } catch (const std::runtime_error &error) {
        CHECK(std::string_view(error.what()) == "enough");
    }
    CHECK(navmap::has("draw") != !navmap::attempt([&] { navmap::draw(corpus + "/source/town.nav"); }, [](const navmap::failure &) {}));
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const std::string corpus = argv[1], folder = argv[2];
    errors(corpus);
    queries(navmap::world(corpus + "/source/town.nav"));
    areas(navmap::world(corpus + "/source/town.nav"));
    slots(corpus, folder + "/wrapped.nav");
    edits(corpus, folder + "/edited.nav");
    callbacks(corpus);
    bots(corpus);
    navmap::options how;
    how.flags = NAVMAP_TACTICS;
    encounters(navmap::world(corpus + "/source/v16.nav", &how));
    servers(corpus, folder);
#ifdef NAVMAP_STD_SPAN
    std::puts("std::span");
#else
    std::puts("its own span");
#endif
    return 0;
}

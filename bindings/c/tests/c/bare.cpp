// The wrapper as plug-ins of game servers build it: without exceptions and without RTTI. Usage: bare CORPUS
#include <navmap.hpp>

#include <cstdio>
#include <cstdlib>

#ifdef NAVMAP_EXCEPTIONS
#error "this is to be built with -fno-exceptions"
#endif

#define CHECK(what)                                                    \
    do {                                                               \
        if (!(what)) {                                                 \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
            std::exit(1);                                              \
        }                                                              \
    } while (0)

static int failures = 0;
static navmap_status last = NAVMAP_OK;

static void count(const navmap::failure &what) {
    failures++;
    last = what.status();
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    const std::string corpus = argv[1];
    CHECK(navmap::on_failure(count) != nullptr);

    // A mesh that is refused is an empty handle, and what is asked of that is answered with nothing.
    const navmap::world cut(corpus + "/hostile/source/cut-in-area.nav");
    CHECK(!cut && failures == 1 && last == NAVMAP_DAMAGED);
    CHECK(cut.size() == 0 && cut.areas().empty() && !cut.area_at({0, 0, 0}) && last == NAVMAP_NULL);
    CHECK(cut.place(0).empty() && !cut.reachable(0, 0) && cut.about(0).id == 0);
    navmap::query none(cut);
    CHECK(!none && !none.path(cut, 0, 0).found() && none.steps(cut).empty() && none.flood(cut, 0).empty());
    navmap::slot closed(corpus + "/no such file.nav");
    CHECK(!closed && !closed.load() && closed.reload() == 0);
    navmap::editor missing(corpus + "/no such file.nav");
    CHECK(!missing && missing.run("undo").empty() && missing.said().empty() && missing.bytes().empty());
    navmap::corridor nowhere(cut);
    CHECK(!nowhere && !nowhere.is_at_goal(1) && !nowhere.next_leg(cut) && !navmap::mask(cut).has(cut, 0));
    CHECK(nowhere.areas().empty() && none.encounters(cut).empty() && cut.encounters(0, 0, 0).empty());
    CHECK(cut.area_flags().empty() && cut.area_places().empty() && cut.centers_within({0, 0, 0}, 0).empty());
    CHECK(!cut.contains(0, {0, 0, 0}) && !cut.is_edge(0, 0) && !cut.overlaps(0, 0) && !cut.step(0, 0) && !cut.gap(0, 0));
    CHECK(!cut.area_at_where({0, 0, 0}, navmap::filter()) && !navmap::editor::of_world(cut));
    navmap::crowd nobody(cut);
    CHECK(!nobody && !nobody.add(cut, {0, 0, 0}) && nobody.size() == 0 && nobody.tick(cut, 0.05f).walking == 0);
    CHECK(!navmap::findings(corpus + "/no such file.nav") && !navmap::difference("no such file", "none"));
    CHECK(!navmap::slot::of_world(cut) && !cut.with_tile("x.nav2", {}) && cut.tiles().empty());
    CHECK(!navmap::analyze("no such file", [](const navmap_progress &) { return true; }));
    CHECK(navmap::draw("no such file").empty());
    const int met = failures;

    // One piece of work that tells its failure by itself.
    std::string why;
    const auto keep = [&](const navmap::failure &what) { why = what.what(); };
    CHECK(!navmap::attempt([&] { navmap::world(corpus + "/hostile/source/cut-in-area.nav"); }, keep));
    CHECK(why.find("encounter paths") != std::string::npos && failures == met);

    navmap::world town;
    CHECK(navmap::attempt([&] { town = navmap::world(corpus + "/source/town.nav"); }, keep));
    CHECK(town && town.size() == 356 && failures == met);
    const auto here = town.area_at({100, -250, 64});
    CHECK(here && town.flag("crouch") && !town.flag("no such flag"));
    const auto walk = town.walk_line(*here, {100, -250, 64}, {5000, -250, 64});
    CHECK(walk && !walk->arrived && walk->share < 1);
    CHECK(town.crossed(*here, {100, -250, 64}, {5000, -250, 64}).back() == walk->area);
    navmap::query query(town);
    CHECK(query.path(town, *here, town.in_place("BombsiteB").front()).found());
    CHECK(query.flood(town, *here).front().area == *here);
    CHECK(failures == met);
    std::puts("without exceptions");
    return 0;
}

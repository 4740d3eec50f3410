// navmap.hpp: navmap.h for C++17. Handles that free themselves, std::optional for what may not be there, and spans:
// std::span from C++20 on, else the small one below. Header only. Licence: MIT OR Apache-2.0.
//
// A call that fails throws navmap::failure. Nothing else throws, and nothing here is kept for each thread. Which calls
// several threads may make at once is said in navmap.h.
//
// Built without exceptions (-fno-exceptions), a call that fails hands its navmap::failure to the handler that the program
// has set with navmap::on_failure, and then answers as if nothing had been found: an empty handle, optional, text or
// vector, 0 or false. Handles and outcomes can be asked: `if (!world)`, `outcome.status`. The first handler writes the
// message to stderr. navmap::attempt gives the failure of one piece of work, in builds of both kinds.

#ifndef NAVMAP_HPP
#define NAVMAP_HPP

#include "navmap.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__has_include)
#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#define NAVMAP_STD_SPAN 1
#endif
#endif

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define NAVMAP_EXCEPTIONS 1
#endif

namespace navmap {

using area = std::uint32_t;
using point = navmap_point;
using near20 = navmap_near20;
using step = navmap_step20;

#ifdef NAVMAP_STD_SPAN
template <class T>
using span = std::span<T>;
#else
// As much of std::span as is used here.
template <class T>
class span {
public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N>
    constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    template <class C, class = std::enable_if_t<
                           std::is_convertible_v<decltype(std::declval<C &>().data()), T *>>>
    constexpr span(C &container) : data_(container.data()), size_(container.size()) {}
    template <class U, class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]>>>
    constexpr span(const span<U> &other) noexcept : data_(other.data()), size_(other.size()) {}
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t at) const { return data_[at]; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

// Why a call failed.
class failure : public std::runtime_error {
public:
    struct record {
        std::string kind;
        std::uint64_t index;
    };

    failure(navmap_status status, const char *message) : std::runtime_error(message), status_(status) {}

    // Takes the error, and frees it.
    failure(navmap_status status, navmap_error *error)
        : std::runtime_error(error ? navmap_error_message(error) : navmap_status_name(status)), status_(status) {
        if (error == nullptr) return;
        std::unique_ptr<navmap_error, navmap_status (*)(navmap_error *)> owned(error, navmap_error_free);
        file_ = navmap_error_file(error);
        std::uint64_t at = 0;
        const char *kind = nullptr;
        if (navmap_error_offset(error, &at) == NAVMAP_OK) offset_ = at;
        if (navmap_error_record(error, &kind, &at) == NAVMAP_OK) record_ = record{kind, at};
    }

    navmap_status status() const noexcept { return status_; }
    const std::string &file() const noexcept { return file_; }
    std::optional<std::uint64_t> byte() const noexcept { return offset_; }
    const std::optional<record> &where() const noexcept { return record_; }

private:
    navmap_status status_;
    std::string file_;
    std::optional<std::uint64_t> offset_;
    std::optional<record> record_;
};

#ifndef NAVMAP_EXCEPTIONS
// What is called with every failure, on the thread that met it.
using failure_handler = void (*)(const failure &);

namespace detail {

inline void print_failure(const failure &what) { std::fprintf(stderr, "navmap: %s\n", what.what()); }

inline std::atomic<failure_handler> &handler() noexcept {
    static std::atomic<failure_handler> set{print_failure};
    return set;
}

// Where navmap::attempt wants the first failure of this thread, while it runs.
inline thread_local std::optional<failure> *wanted = nullptr;

}  // namespace detail

// Sets what is called with every failure; nullptr sets the first one again. Gives the one before.
inline failure_handler on_failure(failure_handler handler) noexcept {
    return detail::handler().exchange(handler ? handler : detail::print_failure);
}
#endif

namespace detail {

inline void fail(const failure &what) {
#ifdef NAVMAP_EXCEPTIONS
    throw what;
#else
    if (wanted == nullptr) return handler().load()(what);
    if (!*wanted) wanted->emplace(what);
#endif
}

inline navmap_status checked(navmap_status status) {
    if (status >= NAVMAP_ERRORS) fail(failure(status, static_cast<navmap_error *>(nullptr)));
    return status;
}

// The error is a reference, because the call that sets it may run after the argument is taken.
inline navmap_status checked(navmap_status status, navmap_error *const &error) {
    if (status >= NAVMAP_ERRORS) fail(failure(status, error));
    return status;
}

// Without exceptions, a buffer that is too large is used as far as a count goes.
inline std::uint32_t count(std::size_t size) {
    const std::size_t most = (std::numeric_limits<std::uint32_t>::max)();
    if (size > most) fail(failure(NAVMAP_INVALID, "a buffer is too large"));
    return static_cast<std::uint32_t>(size < most ? size : most);
}

// Asks with a buffer that grows until the answer fits: a long one costs the question twice, unless there is `room` for it. What has
// words for a failure takes a place for them last.
template <class T, class F>
std::vector<T> all(F ask, std::size_t room = 32) {
    std::vector<T> out(room);
    for (;;) {
        std::uint32_t total = 0;
        navmap_status status = NAVMAP_OK;
        if constexpr (std::is_invocable_v<F &, T *, std::uint32_t, std::uint32_t *, navmap_error **>) {
            navmap_error *error = nullptr;
            status = checked(ask(out.data(), count(out.size()), &total, &error), error);
        } else {
            status = checked(ask(out.data(), count(out.size()), &total));
        }
        if (status == NAVMAP_NOTHING || status >= NAVMAP_ERRORS) total = 0;
        out.resize(total);
        if (status != NAVMAP_TRUNCATED) return out;
    }
}

// The same for text, which ends with a NUL.
template <class F>
std::string text(F ask) {
    const std::vector<char> out = all<char>(ask);
    return out.empty() ? std::string() : std::string(out.data());
}

}  // namespace detail

// Runs `work()`, and gives the failure that it met to `failed(const failure &)`. Whether it met none. With exceptions the
// failure ends the work; without, the work goes on with empty answers, and the first failure counts.
template <class F, class G>
bool attempt(F work, G failed) {
#ifdef NAVMAP_EXCEPTIONS
    try {
        work();
    } catch (const failure &what) {
        failed(what);
        return false;
    }
    return true;
#else
    std::optional<failure> met, *const outer = detail::wanted;
    detail::wanted = &met;
    work();
    detail::wanted = outer;
    if (met) failed(static_cast<const failure &>(*met));
    return !met;
#endif
}

namespace detail {

template <class T, navmap_status (*Free)(T *)>
struct freed {
    void operator()(T *handle) const noexcept { Free(handle); }
};

template <class T, navmap_status (*Free)(T *)>
using handle = std::unique_ptr<T, freed<T, Free>>;

}  // namespace detail

// Options with their sizes set.
struct options : navmap_options {
    options() { NAVMAP_INIT(static_cast<navmap_options &>(*this)); }
};
struct query_options : navmap_query_options {
    query_options() { NAVMAP_INIT(static_cast<navmap_query_options &>(*this)); }
};
struct filter : navmap_filter {
    filter() { NAVMAP_INIT(static_cast<navmap_filter &>(*this)); }
};
struct hiding_options : navmap_hiding_options {
    hiding_options() { NAVMAP_INIT(static_cast<navmap_hiding_options &>(*this)); }
};
struct scan_options : navmap_scan_options {
    scan_options() { NAVMAP_INIT(static_cast<navmap_scan_options &>(*this)); }
};
struct crowd_options : navmap_crowd_options {
    crowd_options() { NAVMAP_INIT(static_cast<navmap_crowd_options &>(*this)); }
};
struct body_options : navmap_body_options {
    body_options() { NAVMAP_INIT(static_cast<navmap_body_options &>(*this)); }
};
struct analyze_options : navmap_analyze_options {
    analyze_options() { NAVMAP_INIT(static_cast<navmap_analyze_options &>(*this)); }
};
struct generate_options : navmap_generate_options {
    generate_options() { NAVMAP_INIT(static_cast<navmap_generate_options &>(*this)); }
};
struct draw_options : navmap_draw_options {
    draw_options() { NAVMAP_INIT(static_cast<navmap_draw_options &>(*this)); }
};

// A mesh and its index. A copy is one more reference.
class world {
public:
    world() noexcept = default;
    explicit world(const std::string &path, const navmap_options *how = nullptr) {
        navmap_world *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_world_open(path.c_str(), how, &out, &error), error);
        handle_.reset(out);
    }
    world(const std::string &name, span<const std::uint8_t> bytes, const navmap_options *how = nullptr) {
        navmap_world *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_world_from_bytes(name.c_str(), bytes.data(), bytes.size(), how, &out, &error), error);
        handle_.reset(out);
    }
    // The world of a load order: plugins, or folders of them, masters first.
    static world open_order(const std::vector<std::string> &plugins, const navmap_options *how = nullptr) {
        std::vector<const char *> texts;
        for (const std::string &plugin : plugins) texts.push_back(plugin.c_str());
        navmap_world *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_world_open_order(texts.data(), detail::count(texts.size()), how, &out, &error), error);
        return adopt(out);
    }
    // The world of tiles in memory, which keeps their bytes: tiles can join it and leave it.
    static world from_tiles(span<const navmap_tile> tiles, const navmap_options *how = nullptr) {
        navmap_world *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_world_from_tiles(tiles.data(), detail::count(tiles.size()), how, &out, &error), error);
        return adopt(out);
    }
    // A world with one more tile, or with other bytes for the tile of this name. This one stays as it is.
    world with_tile(const std::string &name, span<const std::uint8_t> bytes, const navmap_options *how = nullptr) const {
        navmap_world *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_world_with_tile(get(), name.c_str(), bytes.data(), bytes.size(), how, &out, &error), error);
        return adopt(out);
    }
    world without_tile(const std::string &name, const navmap_options *how = nullptr) const {
        navmap_world *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_world_without_tile(get(), name.c_str(), how, &out, &error), error);
        return adopt(out);
    }
    // The names of its tiles. None if it was not made of tiles in memory.
    std::vector<std::string> tiles() const {
        std::uint32_t count = 0;
        detail::checked(navmap_world_tile_count(get(), &count));
        std::vector<std::string> out;
        for (std::uint32_t at = 0; at < count; at++) {
            out.push_back(detail::text([&](char *name, std::uint32_t room, std::uint32_t *total) {
                return navmap_world_tile(get(), at, name, room, total);
            }));
        }
        return out;
    }
    // Takes a reference that C has given out.
    static world adopt(navmap_world *given) noexcept {
        world out;
        out.handle_.reset(given);
        return out;
    }
    world(const world &other) { *this = other; }
    world(world &&) noexcept = default;
    world &operator=(const world &other) {
        if (this != &other) {
            const bool held = !other.handle_ || detail::checked(navmap_world_retain(other.handle_.get())) == NAVMAP_OK;
            handle_.reset(held ? other.handle_.get() : nullptr);
        }
        return *this;
    }
    world &operator=(world &&) noexcept = default;

    explicit operator bool() const noexcept { return handle_ != nullptr; }
    const navmap_world *get() const noexcept { return handle_.get(); }

    std::uint32_t size() const {
        std::uint32_t out = 0;
        detail::checked(navmap_world_area_count(get(), &out));
        return out;
    }
    navmap_info info() const {
        navmap_info out;
        NAVMAP_INIT(out);
        detail::checked(navmap_world_info(get(), &out));
        return out;
    }
    std::uint64_t generation() const { return info().generation; }
    std::vector<navmap_area32> areas() const {
        return detail::all<navmap_area32>([this](navmap_area32 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_world_areas(get(), 0, out, room, total);
        });
    }
    // The flags of all areas, by number. `flag` names them.
    std::vector<std::uint64_t> area_flags() const {
        return detail::all<std::uint64_t>([this](std::uint64_t *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_world_area_flags(get(), 0, out, room, total);
        });
    }
    // The places of all areas, by number, as `place_number` numbers them; NAVMAP_NONE for an area that lies in none.
    std::vector<std::uint32_t> area_places() const {
        return detail::all<std::uint32_t>([this](std::uint32_t *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_world_area_places(get(), 0, out, room, total);
        });
    }
    navmap_area64 about(area which) const {
        navmap_area64 out{};
        detail::checked(navmap_area_get(get(), which, &out));
        return out;
    }
    std::optional<area> by_id(std::uint64_t id) const {
        area out = 0;
        return there(navmap_area_index(get(), id, &out), out);
    }
    std::optional<area> area_at(const point &where, float reach = NAVMAP_GAME_REACH) const {
        area out = 0;
        return there(navmap_area_at(get(), &where, reach, &out, nullptr), out);
    }
    void area_at(span<const point> where, span<area> out, float reach = NAVMAP_GAME_REACH) const {
        if (out.size() < where.size()) return detail::fail(failure(NAVMAP_INVALID, "fewer places for areas than points"));
        detail::checked(navmap_area_at_many(get(), where.data(), detail::count(where.size()), reach, out.data(),
                                            detail::count(out.size())));
    }
    std::optional<near20> nearest(const point &where, float most, std::uint32_t how = NAVMAP_EXACT) const {
        near20 out{};
        return there(navmap_nearest(get(), &where, most, how, &out), out);
    }
    void nearest(span<const point> where, span<near20> out, float most) const {
        if (out.size() < where.size()) {
            return detail::fail(failure(NAVMAP_INVALID, "fewer places for answers than points"));
        }
        detail::checked(navmap_nearest_many(get(), where.data(), detail::count(where.size()), most, out.data(),
                                            detail::count(out.size())));
    }
    std::vector<near20> within(const point &where, float radius) const {
        return detail::all<near20>([&](near20 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_within(get(), &where, radius, out, room, total);
        });
    }
    // The areas whose center is no farther than `radius`, as the engine has it; 0 means all.
    std::vector<area> centers_within(const point &where, float radius) const {
        return detail::all<area>([&](area *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_centers_within(get(), &where, radius, out, room, total);
        });
    }
    std::vector<area> in_box(const point &min, const point &max) const {
        return detail::all<area>([&](area *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_in_box(get(), &min, &max, out, room, total);
        });
    }
    std::vector<area> in_place(const std::string &name) const {
        return detail::all<area>([&](area *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_world_in_place(get(), name.c_str(), out, room, total);
        });
    }
    std::string place(area which) const {
        return detail::text([&](char *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_area_place(get(), which, out, room, total);
        });
    }
    std::vector<navmap_link32> links(area which) const {
        return detail::all<navmap_link32>([&](navmap_link32 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_area_links(get(), which, out, room, total);
        });
    }
    std::vector<navmap_link32> incoming(area which) const {
        return detail::all<navmap_link32>([&](navmap_link32 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_area_incoming(get(), which, out, room, total);
        });
    }
    // Links of some kinds out of all areas, with their ends: `1u << NAVMAP_LADDER` lists the ladders.
    std::vector<navmap_link60> links_of(std::uint32_t kinds) const {
        return detail::all<navmap_link60>([&](navmap_link60 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_world_links(get(), kinds, out, room, total);
        });
    }
    // The parts of the mesh, by how they are joined to some areas. `of_area` gets the position of each area's part, by number of
    // the area.
    std::vector<navmap_region24> regions(span<const area> from, const navmap_query_options *how = nullptr,
                                         const navmap_overlay *avoid = nullptr,
                                         std::vector<std::uint32_t> *of_area = nullptr) const {
        if (of_area) of_area->assign(size(), NAVMAP_NONE);
        return detail::all<navmap_region24>([&](navmap_region24 *out, std::uint32_t room, std::uint32_t *total,
                                                navmap_error **error) {
            return navmap_world_regions(get(), from.data(), detail::count(from.size()), how, avoid, out, room, total,
                                        of_area ? of_area->data() : nullptr,
                                        of_area ? detail::count(of_area->size()) : 0, error);
        });
    }
    std::vector<point> corners(area which) const {
        return detail::all<point>([&](point *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_area_corners(get(), which, out, room, total);
        });
    }
    std::optional<near20> along_ray(const point &a, const point &b) const {
        near20 out{};
        return there(navmap_along_ray(get(), &a, &b, &out), out);
    }
    std::optional<navmap_portal24> portal(area from, area to) const {
        navmap_portal24 out{};
        return there(navmap_portal(get(), from, to, &out), out);
    }
    std::optional<near20> closest_point(area which, const point &where) const {
        near20 out{};
        return there(navmap_closest_point(get(), which, &where, &out), out);
    }
    std::optional<float> z_at(area which, const point &where) const {
        float out = 0;
        return there(navmap_z_at(get(), which, &where, &out), out);
    }
    // Whether a point stands on an area, by the engine's test for the goal of a way.
    bool contains(area which, const point &where) const {
        return detail::checked(navmap_contains(get(), which, &where)) == NAVMAP_OK;
    }
    // Whether no link crosses a side of an area. Side 0 runs from the first corner to the second.
    bool is_edge(area which, std::uint32_t side) const {
        return detail::checked(navmap_is_edge(get(), which, side)) == NAVMAP_OK;
    }
    // Whether the boxes of two areas overlap as seen from above.
    bool overlaps(area a, area b) const { return detail::checked(navmap_overlaps(get(), a, b)) == NAVMAP_OK; }
    // How much higher the ground of `to` is, at the middle of their portal. Nothing without a link.
    std::optional<float> step(area from, area to) const {
        float out = 0;
        const navmap_status status = navmap_step(get(), from, to, &out);
        return there(status, out);
    }
    // The width of the gap between two linked areas, as seen from above. Nothing without a link.
    std::optional<float> gap(area from, area to) const {
        float out = 0;
        const navmap_status status = navmap_gap(get(), from, to, &out);
        return there(status, out);
    }
    // The bit of a named flag of areas, as in `about(area).flags`; case does not matter.
    std::optional<std::uint64_t> flag(const std::string &name) const {
        std::uint64_t out = 0;
        const navmap_status status = navmap_world_flag(get(), name.c_str(), &out);
        return there(status, out);
    }
    // How far one can walk straight from `a`, which is in `from`, towards `b`. Nothing in a graph of waypoints.
    std::optional<navmap_walk24> walk_line(area from, const point &a, const point &b) const {
        navmap_walk24 out{};
        const navmap_status status = navmap_walk_line(get(), from, &a, &b, &out, nullptr, 0, nullptr);
        return there(status == NAVMAP_TRUNCATED ? NAVMAP_OK : status, out);
    }
    // The areas that such a walk enters, the first included.
    std::vector<area> crossed(area from, const point &a, const point &b) const {
        return detail::all<area>([&](area *out, std::uint32_t room, std::uint32_t *total) {
            navmap_walk24 walk{};
            return navmap_walk_line(get(), from, &a, &b, &walk, out, room, total);
        });
    }
    // The area under a point, among those that a filter accepts.
    std::optional<area> area_at_where(const point &where, const navmap_filter &which, float reach = NAVMAP_GAME_REACH) const {
        area out = 0;
        const navmap_status status = navmap_area_at_where(get(), &where, reach, &which, &out);
        return there(status, out);
    }
    // The area that somebody at a point stands on, among those that a filter accepts if there is one. A way may begin there.
    std::optional<area> stands_on(const point &where, const navmap_filter *which = nullptr) const {
        area out = 0;
        return there(navmap_stands_on(get(), &where, which, &out), out);
    }
    // The nearest of the areas that a filter accepts.
    std::optional<near20> nearest_where(const point &where, float most, const navmap_filter &which) const {
        near20 out{};
        return there(navmap_nearest_where(get(), &where, most, &which, &out), out);
    }
    std::vector<near20> within_where(const point &where, float radius, const navmap_filter &which) const {
        return detail::all<near20>([&](near20 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_within_where(get(), &where, radius, &which, out, room, total);
        });
    }
    // The same walk as walk_line, over what a filter accepts if there is one, with the direction that the wall faces.
    std::optional<navmap_walk36> walk_line_where(area from, const point &a, const point &b,
                                                 const navmap_filter *which = nullptr) const {
        navmap_walk36 out{};
        const navmap_status status = navmap_walk_line_where(get(), from, &a, &b, which, &out, nullptr, 0, nullptr);
        return there(status == NAVMAP_TRUNCATED ? NAVMAP_OK : status, out);
    }
    // Where a move along the surface ends.
    std::optional<navmap_slide20> slide(area in, const point &from, const point &to,
                                        const navmap_filter *which = nullptr) const {
        navmap_slide20 out{};
        const navmap_status status = navmap_slide(get(), in, &from, &to, which, &out, nullptr, 0, nullptr);
        return there(status == NAVMAP_TRUNCATED ? NAVMAP_OK : status, out);
    }
    std::optional<navmap_wall32> wall(area in, const point &where, float radius) const {
        navmap_wall32 out{};
        return there(navmap_wall(get(), in, &where, radius, &out), out);
    }
    std::vector<navmap_line24> walls(area which) const {
        return detail::all<navmap_line24>([&](navmap_line24 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_area_walls(get(), which, out, room, total);
        });
    }
    // How much of one area is seen from another. The world has to be opened with NAVMAP_TACTICS, as for all about tactics.
    std::uint32_t sight(area from, area to) const {
        std::uint32_t out = NAVMAP_HIDDEN;
        detail::checked(navmap_sight(get(), from, to, &out));
        return out;
    }
    bool sees(area from, area to) const { return sight(from, to) != NAVMAP_HIDDEN; }
    std::vector<navmap_seen8> seen(area from) const {
        return detail::all<navmap_seen8>([&](navmap_seen8 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_seen(get(), from, out, room, total);
        });
    }
    // The hiding spots of an area; with NAVMAP_NONE those of all.
    std::vector<navmap_hiding24> hiding(area which = NAVMAP_NONE) const {
        return detail::all<navmap_hiding24>([&](navmap_hiding24 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_area_hiding(get(), which, out, room, total);
        });
    }
    // The spots that come into view on the way through an area, from one of its neighbours to another, as they come. None if the
    // file has no such way.
    std::vector<navmap_encounter44> encounters(area from, area through, area to) const {
        return detail::all<navmap_encounter44>([&](navmap_encounter44 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_area_encounters(get(), from, through, to, out, room, total);
        });
    }
    // The number of a place, for filters.
    std::optional<std::uint32_t> place_number(const std::string &name) const {
        std::uint32_t out = 0;
        const navmap_status status = navmap_world_place(get(), name.c_str(), &out);
        return there(status, out);
    }
    bool reachable(area from, area to) const {
        return detail::checked(navmap_reachable(get(), from, to)) == NAVMAP_OK;
    }
    navmap_held hold(area which) const {
        navmap_held out{};
        detail::checked(navmap_world_hold(get(), which, &out));
        return out;
    }
    // Nothing if it is of another world.
    std::optional<area> held(const navmap_held &what) const {
        area out = 0;
        navmap_status status = navmap_world_held(get(), &what, &out);
        if (status == NAVMAP_STALE) return std::nullopt;
        return there(status, out);
    }

private:
    template <class T>
    static std::optional<T> there(navmap_status status, const T &value) {
        return detail::checked(status) == NAVMAP_OK ? std::optional<T>(value) : std::nullopt;
    }
    detail::handle<navmap_world, navmap_world_free> handle_;
};

// Areas that are blocked or dearer.
class overlay {
public:
    explicit overlay(const world &of) {
        navmap_overlay *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_overlay_new(of.get(), &out, &error), error);
        handle_.reset(out);
    }
    void block(area which) { detail::checked(navmap_overlay_block(handle_.get(), which)); }
    void scale(area which, float factor) { detail::checked(navmap_overlay_scale(handle_.get(), which, factor)); }
    void scale(span<const area> which, float factor) {
        detail::checked(navmap_overlay_scale_many(handle_.get(), which.data(), detail::count(which.size()), factor));
    }
    void clear(area which) { detail::checked(navmap_overlay_clear(handle_.get(), which)); }
    void reset() { detail::checked(navmap_overlay_reset(handle_.get())); }
    // Brings it to another world; how many areas with a factor are gone, so that it wants to be filled again.
    std::uint32_t remap(const world &before, const world &to) {
        std::uint32_t gone = 0;
        navmap_error *error = nullptr;
        detail::checked(navmap_overlay_remap(handle_.get(), before.get(), to.get(), &gone, &error), error);
        return gone;
    }
    const navmap_overlay *get() const noexcept { return handle_.get(); }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    detail::handle<navmap_overlay, navmap_overlay_free> handle_;
};

// A bit for each area, lent to filters and to questions about tactics.
class mask {
public:
    explicit mask(const world &of) {
        navmap_mask *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_mask_new(of.get(), &out, &error), error);
        handle_.reset(out);
    }
    void set(const world &in, area which, bool on = true) {
        detail::checked(navmap_mask_set(handle_.get(), in.get(), &which, 1, on ? 1 : 0));
    }
    void fill(const world &in, const navmap_filter &which) {
        detail::checked(navmap_mask_fill(handle_.get(), in.get(), &which));
    }
    bool has(const world &in, area which) const {
        return detail::checked(navmap_mask_has(handle_.get(), in.get(), which)) == NAVMAP_OK;
    }
    void clear() { detail::checked(navmap_mask_clear(handle_.get())); }
    // Adds what is seen from some areas, at least this much of it.
    void add_seen(const world &in, span<const area> from, std::uint32_t least = NAVMAP_PARTLY) {
        navmap_error *error = nullptr;
        detail::checked(navmap_mask_add_seen(handle_.get(), in.get(), from.data(), detail::count(from.size()), least, &error),
                        error);
    }
    // The same from the areas under some points; gives how many of them stand on one.
    std::uint32_t add_seen_from(const world &in, span<const point> from, std::uint32_t least = NAVMAP_PARTLY) {
        std::uint32_t standing = 0;
        navmap_error *error = nullptr;
        detail::checked(navmap_mask_add_seen_from(handle_.get(), in.get(), from.data(), detail::count(from.size()), least,
                                                  &standing, &error),
                        error);
        return standing;
    }
    std::vector<area> areas() const {
        return detail::all<area>([&](area *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_mask_areas(handle_.get(), out, room, total);
        });
    }
    const navmap_mask *get() const noexcept { return handle_.get(); }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    detail::handle<navmap_mask, navmap_mask_free> handle_;
};

// The memory of searches, and the way that was found last.
class query {
public:
    struct outcome {
        navmap_status status;
        navmap_path32 path;
        bool found() const noexcept { return status == NAVMAP_OK; }
        std::optional<float> cost() const { return found() ? std::optional<float>(path.cost) : std::nullopt; }
    };

    explicit query(const world &of) {
        navmap_query *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_query_new(of.get(), &out, &error), error);
        handle_.reset(out);
    }
    void fit(const world &in) { detail::checked(navmap_query_fit(handle_.get(), in.get())); }
    outcome path(const world &in, area from, area to, const navmap_query_options *how = nullptr,
                 const overlay *avoid = nullptr, const point *goal = nullptr) {
        outcome out{};
        navmap_error *error = nullptr;
        out.status = detail::checked(navmap_query_path(handle_.get(), in.get(), from, to, goal, how,
                                                       avoid ? avoid->get() : nullptr, &out.path, &error),
                                     error);
        return out;
    }
    outcome resume(const world &in, const navmap_query_options *how = nullptr, const overlay *avoid = nullptr) {
        outcome out{};
        navmap_error *error = nullptr;
        out.status = detail::checked(
            navmap_query_resume(handle_.get(), in.get(), how, avoid ? avoid->get() : nullptr, &out.path, &error), error);
        return out;
    }
    std::vector<step> steps(const world &in) {
        return detail::all<step>([&](step *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_query_steps(handle_.get(), in.get(), out, room, total);
        });
    }
    // Writes as many corners as fit, and says how many there are. Nothing is allocated.
    std::uint32_t straighten(const world &in, const point &start, const point &end, span<point> out) {
        std::uint32_t total = 0;
        detail::checked(navmap_query_straighten(handle_.get(), in.get(), &start, &end, out.data(),
                                                detail::count(out.size()), &total));
        return total;
    }
    std::vector<float> distance_map(const world &in, area from, const navmap_query_options *how = nullptr,
                                    const overlay *avoid = nullptr) {
        std::vector<float> out(in.size());
        navmap_error *error = nullptr;
        detail::checked(navmap_query_distance_map(handle_.get(), in.get(), from, how, avoid ? avoid->get() : nullptr,
                                                  out.data(), detail::count(out.size()), nullptr, &error),
                        error);
        return out;
    }
    // The areas that can be reached from one, the nearest first, with what the way there costs. `max_length`, `max_step` and
    // `max_drop` of the options bound it.
    std::vector<navmap_reached8> flood(const world &in, area from, const navmap_query_options *how = nullptr,
                                       const overlay *avoid = nullptr) {
        return detail::all<navmap_reached8>([&](navmap_reached8 *out, std::uint32_t room, std::uint32_t *total,
                                                navmap_error **error) {
            return navmap_query_flood(handle_.get(), in.get(), from, how, avoid ? avoid->get() : nullptr, out, room, total,
                                      error);
        }, in ? in.size() : 0);
    }
    // Writes as many corners, with the links that begin at them, as fit, and says how many there are.
    std::uint32_t corners(const world &in, const point &start, const point &end, span<navmap_corner52> out) {
        std::uint32_t total = 0;
        detail::checked(navmap_query_corners(handle_.get(), in.get(), &start, &end, out.data(), detail::count(out.size()),
                                             &total));
        return total;
    }
    // A random spot of the whole world: the same for the same seed.
    std::optional<navmap_ground16> random(const world &in, std::uint64_t seed) {
        navmap_ground16 out{};
        return there(navmap_query_random(handle_.get(), in.get(), seed, &out), out);
    }
    // The same within walking distance: `max_length` of the options.
    std::optional<navmap_ground16> random_within(const world &in, area from, std::uint64_t seed,
                                                 const navmap_query_options *how = nullptr,
                                                 const overlay *avoid = nullptr) {
        navmap_ground16 out{};
        navmap_error *error = nullptr;
        const navmap_status status = detail::checked(
            navmap_query_random_within(handle_.get(), in.get(), from, how, avoid ? avoid->get() : nullptr, seed, &out,
                                       &error),
            error);
        return status == NAVMAP_OK ? std::optional<navmap_ground16>(out) : std::nullopt;
    }
    // The spots among which the engine's own helper chooses, as many as fit; gives how many there are.
    std::uint32_t spots_as_engine(const world &in, area from, const point &at, const navmap_hiding_options &wanted,
                                  span<navmap_hiding24> out, const overlay *avoid = nullptr) {
        std::uint32_t total = 0;
        navmap_error *error = nullptr;
        detail::checked(navmap_query_spots_as_engine(handle_.get(), in.get(), from, &at, &wanted,
                                                     avoid ? avoid->get() : nullptr, out.data(),
                                                     detail::count(out.size()), &total, &error),
                        error);
        return total;
    }
    // The best hiding spots, as many as fit; gives how many there are.
    std::uint32_t spots(const world &in, area from, const point &at, const navmap_hiding_options &wanted,
                        span<navmap_hideout32> out, const navmap_query_options *how = nullptr,
                        const overlay *avoid = nullptr) {
        std::uint32_t total = 0;
        navmap_error *error = nullptr;
        detail::checked(navmap_query_spots(handle_.get(), in.get(), from, &at, &wanted, how, avoid ? avoid->get() : nullptr,
                                           out.data(), detail::count(out.size()), &total, &error),
                        error);
        return total;
    }
    // The spots that come into view on the way that was found last, as they come.
    std::vector<navmap_encounter44> encounters(const world &in) {
        return detail::all<navmap_encounter44>([&](navmap_encounter44 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_query_encounters(handle_.get(), in.get(), out, room, total);
        });
    }
    // The nearest area by walking that is not in a mask.
    std::optional<navmap_reached8> retreat(const world &in, area from, const mask &watched,
                                           const navmap_query_options *how = nullptr, const overlay *avoid = nullptr) {
        navmap_reached8 out{};
        navmap_error *error = nullptr;
        const navmap_status status = detail::checked(
            navmap_query_retreat(handle_.get(), in.get(), from, watched.get(), how, avoid ? avoid->get() : nullptr, &out,
                                 &error),
            error);
        return status == NAVMAP_OK ? std::optional<navmap_reached8>(out) : std::nullopt;
    }
    // How much of the way that was found last lies in a mask.
    navmap_exposure20 exposure(const world &in, const mask &watched) {
        navmap_exposure20 out{};
        detail::checked(navmap_query_exposure(handle_.get(), in.get(), watched.get(), &out));
        return out;
    }
    navmap_query *get() const noexcept { return handle_.get(); }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    template <class T>
    static std::optional<T> there(navmap_status status, const T &value) {
        return detail::checked(status) == NAVMAP_OK ? std::optional<T>(value) : std::nullopt;
    }
    detail::handle<navmap_query, navmap_query_free> handle_;
};

// A way that is followed over many ticks.
class corridor {
public:
    explicit corridor(const world &of) {
        navmap_corridor *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_corridor_new(of.get(), &out, &error), error);
        handle_.reset(out);
    }
    // Takes over the way that a query found last.
    void follow(const query &way, const world &in, const point &start, const point &goal) {
        navmap_error *error = nullptr;
        detail::checked(navmap_corridor_follow(handle_.get(), way.get(), in.get(), &start, &goal, &error), error);
    }
    void stand(const world &in, area which, const point &at) {
        detail::checked(navmap_corridor_stand(handle_.get(), in.get(), which, &at));
    }
    navmap_corridor40 about() const {
        navmap_corridor40 out{};
        detail::checked(navmap_corridor_get(handle_.get(), &out));
        return out;
    }
    point position() const { return about().position; }
    point goal() const { return about().goal; }
    bool is_at_goal(float within) const {
        return detail::checked(navmap_corridor_is_at_goal(handle_.get(), within)) == NAVMAP_OK;
    }
    // The areas that are left, from the one that it begins in.
    std::vector<area> areas() const {
        return detail::all<area>([&](area *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_corridor_areas(handle_.get(), out, room, total);
        });
    }
    // Writes the next corners, as many as fit, and says how many. Nothing is allocated.
    std::uint32_t corners(const world &in, span<navmap_corner52> out) {
        std::uint32_t total = 0;
        detail::checked(navmap_corridor_corners(handle_.get(), in.get(), out.data(), detail::count(out.size()), &total));
        return total;
    }
    navmap_slide20 advance(const world &in, const point &to) {
        navmap_slide20 out{};
        detail::checked(navmap_corridor_advance(handle_.get(), in.get(), &to, &out));
        return out;
    }
    navmap_slide20 move_goal(const world &in, const point &to) {
        navmap_slide20 out{};
        detail::checked(navmap_corridor_move_goal(handle_.get(), in.get(), &to, &out));
        return out;
    }
    std::optional<navmap_leg60> next_leg(const world &in) {
        navmap_leg60 out{};
        const navmap_status status = detail::checked(navmap_corridor_next_leg(handle_.get(), in.get(), &out));
        return status == NAVMAP_OK ? std::optional<navmap_leg60>(out) : std::nullopt;
    }
    std::optional<navmap_leg60> take_leg(const world &in) {
        navmap_leg60 out{};
        const navmap_status status = detail::checked(navmap_corridor_take_leg(handle_.get(), in.get(), &out));
        return status == NAVMAP_OK ? std::optional<navmap_leg60>(out) : std::nullopt;
    }
    // Whether the way changed.
    bool shortcut(const world &in, const point &toward, float range, const navmap_query_options *how = nullptr,
                  const overlay *avoid = nullptr) {
        navmap_error *error = nullptr;
        return detail::checked(navmap_corridor_shortcut(handle_.get(), in.get(), &toward, range, how,
                                                        avoid ? avoid->get() : nullptr, &error),
                               error) == NAVMAP_OK;
    }
    bool optimize(const query &scratch, const world &in, const navmap_query_options *how = nullptr,
                  const overlay *avoid = nullptr) {
        navmap_error *error = nullptr;
        return detail::checked(navmap_corridor_optimize(handle_.get(), scratch.get(), in.get(), how,
                                                        avoid ? avoid->get() : nullptr, &error),
                               error) == NAVMAP_OK;
    }
    // False if the point is too far off: search a new way.
    bool repair(const query &scratch, const world &in, const point &at, const navmap_query_options *how = nullptr,
                const overlay *avoid = nullptr) {
        navmap_error *error = nullptr;
        return detail::checked(navmap_corridor_repair(handle_.get(), scratch.get(), in.get(), &at, how,
                                                      avoid ? avoid->get() : nullptr, nullptr, &error),
                               error) == NAVMAP_OK;
    }
    bool is_valid(const world &in, std::uint32_t steps, const navmap_query_options *how = nullptr,
                  const overlay *avoid = nullptr) const {
        navmap_error *error = nullptr;
        return detail::checked(navmap_corridor_is_valid(handle_.get(), in.get(), steps, how,
                                                        avoid ? avoid->get() : nullptr, &error),
                               error) == NAVMAP_OK;
    }
    // NAVMAP_OK, NAVMAP_PARTIAL if only the beginning exists in the other world, NAVMAP_NO_WAY if nothing does.
    navmap_status remap(const world &to) { return detail::checked(navmap_corridor_remap(handle_.get(), to.get())); }
    navmap_corridor *get() const noexcept { return handle_.get(); }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    detail::handle<navmap_corridor, navmap_corridor_free> handle_;
};

// Agents on one world, who follow ways of their own and make room for each other. One thread may use it at a time.
class crowd {
public:
    explicit crowd(const world &of, const navmap_crowd_options *how = nullptr) {
        navmap_crowd *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_crowd_new(of.get(), how, &out, &error), error);
        handle_.reset(out);
    }
    // Adds an agent. Nothing if no ground is near.
    std::optional<std::uint64_t> add(const world &in, const point &at, const navmap_body_options *body = nullptr) {
        std::uint64_t agent = 0;
        navmap_error *error = nullptr;
        const navmap_status status = navmap_crowd_add(handle_.get(), in.get(), &at, body, &agent, &error);
        return detail::checked(status, error) == NAVMAP_OK ? std::optional<std::uint64_t>(agent) : std::nullopt;
    }
    // False if there is no such agent.
    bool remove(std::uint64_t agent) { return detail::checked(navmap_crowd_remove(handle_.get(), agent)) == NAVMAP_OK; }
    // False if no ground is near the point.
    bool go(const world &in, std::uint64_t agent, const point &to) {
        navmap_error *error = nullptr;
        return detail::checked(navmap_crowd_go(handle_.get(), in.get(), agent, &to, &error), error) == NAVMAP_OK;
    }
    void stop(std::uint64_t agent) {
        navmap_error *error = nullptr;
        detail::checked(navmap_crowd_stop(handle_.get(), agent, &error), error);
    }
    // Tells where an agent is whom the game has moved. False if no ground is near the point.
    bool moved(const world &in, std::uint64_t agent, const point &at) {
        navmap_error *error = nullptr;
        return detail::checked(navmap_crowd_moved(handle_.get(), in.get(), agent, &at, &error), error) == NAVMAP_OK;
    }
    // Puts an agent elsewhere. False if no ground is near the point.
    bool place(const world &in, std::uint64_t agent, const point &at) {
        navmap_error *error = nullptr;
        return detail::checked(navmap_crowd_place(handle_.get(), in.get(), agent, &at, &error), error) == NAVMAP_OK;
    }
    // Moves everybody on. Nothing is allocated unless a way is longer than the `steps` of the crowd.
    navmap_tick20 tick(const world &in, float seconds, const navmap_query_options *how = nullptr,
                       const overlay *avoid = nullptr) {
        navmap_tick20 out{};
        navmap_error *error = nullptr;
        detail::checked(navmap_crowd_tick(handle_.get(), in.get(), seconds, how, avoid ? avoid->get() : nullptr, &out, &error),
                        error);
        return out;
    }
    std::optional<navmap_agent72> agent(std::uint64_t which) const {
        navmap_agent72 out{};
        const navmap_status status = detail::checked(navmap_crowd_agent(handle_.get(), which, &out));
        return status == NAVMAP_OK ? std::optional<navmap_agent72>(out) : std::nullopt;
    }
    // Writes the agents, as many as fit, and says how many there are. Nothing is allocated.
    std::uint32_t agents(span<navmap_agent72> out) const {
        std::uint32_t total = 0;
        detail::checked(navmap_crowd_agents(handle_.get(), out.data(), detail::count(out.size()), &total));
        return total;
    }
    std::uint32_t size() const {
        std::uint32_t out = 0;
        detail::checked(navmap_crowd_count(handle_.get(), &out));
        return out;
    }
    // Brings everybody to another world. False if that has no ground.
    bool remap(const world &to) {
        navmap_error *error = nullptr;
        return detail::checked(navmap_crowd_remap(handle_.get(), to.get(), &error), error) == NAVMAP_OK;
    }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    detail::handle<navmap_crowd, navmap_crowd_free> handle_;
};

// The map of a mesh, `.bsp`, for traces, and to analyse and generate meshes. Any number of threads may use it at once.
class map {
public:
    explicit map(const std::string &path, const navmap_options *how = nullptr) {
        navmap_map *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_map_open(path.c_str(), how, &out, &error), error);
        handle_.reset(out);
    }
    navmap_trace40 line(const point &from, const point &to, std::uint32_t contents = NAVMAP_STOPS_SHOTS) const {
        navmap_trace40 out{};
        detail::checked(navmap_map_line(handle_.get(), &from, &to, contents, &out));
        return out;
    }
    // A box that reaches from `low` to `high` around the moving point. Nothing in GoldSrc.
    std::optional<navmap_trace40> box(const point &from, const point &to, const point &low, const point &high,
                                      std::uint32_t contents = NAVMAP_STOPS_PLAYERS) const {
        navmap_trace40 out{};
        const navmap_status status =
            detail::checked(navmap_map_box(handle_.get(), &from, &to, &low, &high, contents, &out));
        return status == NAVMAP_OK ? std::optional<navmap_trace40>(out) : std::nullopt;
    }
    // What fills a point: 0 for air.
    std::uint32_t contents(const point &where) const {
        std::uint32_t out = 0;
        detail::checked(navmap_map_contents(handle_.get(), &where, &out));
        return out;
    }
    const navmap_map *get() const noexcept { return handle_.get(); }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    detail::handle<navmap_map, navmap_map_free> handle_;
};

// The current world of a map.
class slot {
public:
    explicit slot(const std::string &path, const navmap_options *how = nullptr) {
        navmap_slot *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_slot_new(path.c_str(), how, &out, &error), error);
        handle_.reset(out);
    }
    // A slot for a load order: plugins, or folders of them, masters first.
    static slot of_order(const std::vector<std::string> &plugins, const navmap_options *how = nullptr) {
        std::vector<const char *> texts;
        for (const std::string &plugin : plugins) texts.push_back(plugin.c_str());
        slot out;
        navmap_slot *given = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_slot_new_order(texts.data(), detail::count(texts.size()), how, &given, &error), error);
        out.handle_.reset(given);
        return out;
    }
    // A slot that begins with a world. A reload puts it back.
    static slot of_world(const world &first) {
        slot out;
        navmap_slot *given = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_slot_of_world(first.get(), &given, &error), error);
        out.handle_.reset(given);
        return out;
    }
    // The current world, for a tick or longer.
    world load() const {
        navmap_world *out = nullptr;
        detail::checked(navmap_slot_load(handle_.get(), &out));
        return world::adopt(out);
    }
    // Throws if the new mesh is refused; the old one stays then.
    std::uint64_t reload() {
        std::uint64_t generation = 0;
        navmap_error *error = nullptr;
        detail::checked(navmap_slot_reload(handle_.get(), &generation, &error), error);
        return generation;
    }
    // Reloads if a file has changed since it was read. The new generation, or nothing. Throws as `reload` does.
    std::optional<std::uint64_t> refresh() {
        std::uint64_t generation = 0;
        navmap_error *error = nullptr;
        const navmap_status status = detail::checked(navmap_slot_refresh(handle_.get(), &generation, &error), error);
        return status == NAVMAP_OK ? std::optional<std::uint64_t>(generation) : std::nullopt;
    }
    std::uint64_t swap(const world &made) {
        std::uint64_t generation = 0;
        detail::checked(navmap_slot_swap_world(handle_.get(), made.get(), &generation));
        return generation;
    }
    // A tile joins the current world, or takes the place of that of its name.
    std::uint64_t with_tile(const std::string &name, span<const std::uint8_t> bytes, const navmap_options *how = nullptr) {
        std::uint64_t generation = 0;
        navmap_error *error = nullptr;
        detail::checked(navmap_slot_with_tile(handle_.get(), name.c_str(), bytes.data(), bytes.size(), how, &generation, &error),
                        error);
        return generation;
    }
    std::uint64_t without_tile(const std::string &name, const navmap_options *how = nullptr) {
        std::uint64_t generation = 0;
        navmap_error *error = nullptr;
        detail::checked(navmap_slot_without_tile(handle_.get(), name.c_str(), how, &generation, &error), error);
        return generation;
    }
    std::uint64_t swap(const std::string &name, span<const std::uint8_t> bytes, const navmap_options *how = nullptr) {
        std::uint64_t generation = 0;
        navmap_error *error = nullptr;
        detail::checked(navmap_slot_swap_bytes(handle_.get(), name.c_str(), bytes.data(), bytes.size(), how, &generation,
                                               &error),
                        error);
        return generation;
    }
    std::uint64_t failures() const {
        std::uint64_t out = 0;
        detail::checked(navmap_slot_failures(handle_.get(), &out));
        return out;
    }
    // Why the latest reload failed. Empty if it succeeded.
    std::string last_failure() const {
        return detail::text([&](char *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_slot_last_failure(handle_.get(), out, room, total);
        });
    }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    slot() = default;
    detail::handle<navmap_slot, navmap_slot_free> handle_;
};

// A mesh that is changed in memory by the commands of `navmap edit`. One thread may use it at a time.
class editor {
public:
    explicit editor(const std::string &path, const navmap_options *how = nullptr, std::uint32_t flags = 0) {
        navmap_editor *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_editor_open(path.c_str(), how, flags, &out, &error), error);
        handle_.reset(out);
    }
    // An editor of the mesh of a world, which stays as it is. Nothing if the world was made of many files.
    static std::optional<editor> of_world(const navmap::world &from, std::uint32_t flags = 0) {
        navmap_editor *out = nullptr;
        navmap_error *error = nullptr;
        const navmap_status status = navmap_editor_of_world(from.get(), flags, &out, &error);
        return detail::checked(status, error) == NAVMAP_OK ? std::optional<editor>(adopt(out)) : std::nullopt;
    }
    // An editor of `ours` in which the changes from `base` to `theirs` are done as well. `conflicts` gets how many of them are
    // not, and said() has a line for each.
    static editor merge(const std::string &base, const std::string &ours, const std::string &theirs,
                        std::uint32_t *conflicts = nullptr, const navmap_options *how = nullptr) {
        editor merged;
        navmap_editor *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_merge(base.c_str(), ours.c_str(), theirs.c_str(), how, conflicts, &out, &error), error);
        merged.handle_.reset(out);
        return merged;
    }
    // Gives what the commands answered. Throws if one was refused; what was done before it stays done.
    std::string run(const std::string &script) {
        std::string said(4096, '\0');
        std::uint32_t count = 0;
        navmap_error *error = nullptr;
        navmap_status status = detail::checked(navmap_editor_run(handle_.get(), script.c_str(), said.data(),
                                                                 detail::count(said.size()), &count, &error),
                                               error);
        if (status == NAVMAP_TRUNCATED) return this->said();
        said.resize(count > 0 ? count - 1 : 0);
        return said;
    }
    // What the commands of the latest run answered, also if it has thrown: up to the command that was refused.
    std::string said() {
        std::uint32_t count = 0;
        detail::checked(navmap_editor_said(handle_.get(), nullptr, 0, &count));
        std::string out(count, '\0');
        if (count == 0) return out;
        detail::checked(navmap_editor_said(handle_.get(), &out[0], count, &count));
        out.resize(count - 1);
        return out;
    }
    // For a person: what has changed since the mesh was opened, and what became stale by it.
    std::string report() {
        return detail::text([&](char *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_editor_report(handle_.get(), out, room, total);
        });
    }
    // The mesh as a file has it.
    std::vector<std::uint8_t> bytes() {
        return detail::all<std::uint8_t>(
            [&](std::uint8_t *out, std::uint32_t room, std::uint32_t *total, navmap_error **error) {
                return navmap_editor_bytes(handle_.get(), out, room, total, error);
            });
    }
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    std::uint32_t undo(std::uint32_t steps = 1) {
        std::uint32_t out = 0;
        detail::checked(navmap_editor_undo(handle_.get(), steps, &out));
        return out;
    }
    std::uint32_t redo(std::uint32_t steps = 1) {
        std::uint32_t out = 0;
        detail::checked(navmap_editor_redo(handle_.get(), steps, &out));
        return out;
    }
    // Writes the mesh, wholly or not at all: not over what another program has written since it was opened.
    void save(const std::string &path) {
        navmap_error *error = nullptr;
        detail::checked(navmap_editor_save(handle_.get(), path.c_str(), &error), error);
    }
    // A world of the mesh as it is now.
    navmap::world world(const std::string &name, const navmap_options *how = nullptr) {
        navmap_world *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_editor_world(handle_.get(), name.c_str(), how, &out, &error), error);
        return navmap::world::adopt(out);
    }

    // Takes an editor that C has given out.
    static editor adopt(navmap_editor *given) noexcept {
        editor out;
        out.handle_.reset(given);
        return out;
    }

private:
    editor() = default;
    detail::handle<navmap_editor, navmap_editor_free> handle_;
};

namespace detail {

// What a callback throws is carried over C and thrown again behind the call.
template <class F>
struct carried {
    F *each;
#ifdef NAVMAP_EXCEPTIONS
    std::exception_ptr thrown = nullptr;
    template <class V>
    static std::int32_t call(const V *view, void *user) noexcept {
        carried *self = static_cast<carried *>(user);
        try {
            return (*self->each)(*view) ? 0 : 1;
        } catch (...) {
            self->thrown = std::current_exception();
            return 1;
        }
    }
    void rethrow() const {
        if (thrown) std::rethrow_exception(thrown);
    }
#else
    template <class V>
    static std::int32_t call(const V *view, void *user) noexcept {
        return (*static_cast<carried *>(user)->each)(*view) ? 0 : 1;
    }
    void rethrow() const noexcept {}
#endif
};

}  // namespace detail

// Calls `each(const navmap_outcome &)` for every mesh below the paths until it answers false. What it throws ends the run
// and comes out here.
template <class F>
navmap_totals scan(const std::vector<std::string> &paths, F each, const navmap_options *open = nullptr,
                   const navmap_scan_options *how = nullptr) {
    std::vector<const char *> texts;
    for (const std::string &path : paths) texts.push_back(path.c_str());
    navmap_totals totals;
    NAVMAP_INIT(totals);
    navmap_error *error = nullptr;
    detail::carried<F> carried{&each};
    navmap_status status = navmap_scan(texts.data(), detail::count(texts.size()), open, how,
                                       &detail::carried<F>::template call<navmap_outcome>, &carried, &totals, &error);
    carried.rethrow();
    detail::checked(status, error);
    return totals;
}

// Calls `each(const navmap_finding &)` for every finding of a mesh until it answers false.
template <class F>
std::uint64_t check(const std::string &path, F each, const navmap_options *open = nullptr) {
    std::uint64_t counted = 0;
    navmap_error *error = nullptr;
    detail::carried<F> carried{&each};
    navmap_status status = navmap_check(path.c_str(), open, &detail::carried<F>::template call<navmap_finding>, &carried,
                                        &counted, &error);
    carried.rethrow();
    detail::checked(status, error);
    return counted;
}

// What is odd about a mesh, read once and kept: `most` findings, or 65,536.
class findings {
public:
    explicit findings(const std::string &path, const navmap_options *how = nullptr, std::uint32_t most = 0) {
        navmap_findings *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_findings_open(path.c_str(), how, most, &out, &error), error);
        handle_.reset(out);
    }
    navmap_finding_totals totals() const {
        navmap_finding_totals out;
        NAVMAP_INIT(out);
        detail::checked(navmap_findings_count(handle_.get(), &out));
        return out;
    }
    std::vector<navmap_found> all() const {
        return detail::all<navmap_found>([&](navmap_found *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_findings_get(handle_.get(), 0, out, room, total);
        });
    }
    std::string text(std::uint32_t at) const {
        return detail::text([&](char *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_findings_text(handle_.get(), at, out, room, total);
        });
    }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    detail::handle<navmap_findings, navmap_findings_free> handle_;
};

// What changed between two meshes: `most` changes, or 1,048,576.
class difference {
public:
    difference(const std::string &before, const std::string &after, const navmap_options *how = nullptr,
               std::uint32_t flags = 0, std::uint32_t most = 0) {
        navmap_diff *out = nullptr;
        navmap_error *error = nullptr;
        detail::checked(navmap_diff_open(before.c_str(), after.c_str(), how, flags, most, &out, &error), error);
        handle_.reset(out);
    }
    navmap_diff_totals totals() const {
        navmap_diff_totals out;
        NAVMAP_INIT(out);
        detail::checked(navmap_diff_count(handle_.get(), &out));
        return out;
    }
    std::vector<navmap_change88> changes() const {
        return detail::all<navmap_change88>([&](navmap_change88 *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_diff_get(handle_.get(), 0, out, room, total);
        });
    }
    // A change in words; with NAVMAP_NONE what is said of the files, a line each.
    std::string text(std::uint32_t at = NAVMAP_NONE) const {
        return detail::text([&](char *out, std::uint32_t room, std::uint32_t *total) {
            return navmap_diff_text(handle_.get(), at, out, room, total);
        });
    }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    detail::handle<navmap_diff, navmap_diff_free> handle_;
};

// Computes what follows from a mesh. Calls `each(const navmap_progress &)` until it answers false; nothing if it has. What it throws
// ends the work and comes out here.
template <class F>
std::optional<editor> analyze(const std::string &path, F each, const map *with = nullptr,
                              const navmap_analyze_options *how = nullptr, const navmap_options *open = nullptr) {
    navmap_editor *out = nullptr;
    navmap_error *error = nullptr;
    detail::carried<F> carried{&each};
    const navmap_status status =
        navmap_analyze(path.c_str(), with ? with->get() : nullptr, open, how,
                       &detail::carried<F>::template call<navmap_progress>, &carried, &out, &error);
    carried.rethrow();
    return detail::checked(status, error) == NAVMAP_OK ? std::optional<editor>(editor::adopt(out)) : std::nullopt;
}

// Makes a mesh of a map alone. `name` is what its errors call it. The rest is as for `analyze`.
template <class F>
std::optional<editor> generate(const map &of, const std::string &name, F each,
                               const navmap_generate_options *how = nullptr) {
    navmap_editor *out = nullptr;
    navmap_error *error = nullptr;
    detail::carried<F> carried{&each};
    const navmap_status status = navmap_generate(of.get(), name.c_str(), how,
                                                 &detail::carried<F>::template call<navmap_progress>, &carried, &out, &error);
    carried.rethrow();
    return detail::checked(status, error) == NAVMAP_OK ? std::optional<editor>(editor::adopt(out)) : std::nullopt;
}

// The version of the library. Compare it with NAVMAP_VERSION, that of the header.
inline const char *version() noexcept { return navmap_version(); }

// Whether the library was built with a feature: `draw`.
inline bool has(const char *feature) { return detail::checked(navmap_has(feature)) == NAVMAP_OK; }

// A picture of a mesh as a file: SVG, or PNG with NAVMAP_PNG. Fails if the library was built without `draw`.
inline std::vector<std::uint8_t> draw(const std::string &path, const navmap_draw_options *how = nullptr,
                                      const navmap_options *open = nullptr) {
    std::uint32_t count = 0;
    navmap_error *error = nullptr;
    // Every call draws, so a picture of most sizes is to fit at once.
    std::vector<std::uint8_t> out(1 << 20);
    navmap_status status = navmap_draw(path.c_str(), open, how, out.data(), detail::count(out.size()), &count, &error);
    if (status == NAVMAP_TRUNCATED) {
        out.resize(count);
        status = navmap_draw(path.c_str(), open, how, out.data(), detail::count(out.size()), &count, &error);
    }
    detail::checked(status, error);
    out.resize(status == NAVMAP_OK ? count : 0);
    return out;
}

}  // namespace navmap

#endif

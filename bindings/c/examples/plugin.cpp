// A plug-in of a game server, as Metamod and SourceMod load them: the host calls LevelInit, GameFrame once a tick, and
// LevelShutdown. The plug-in holds a slot. The tick asks where its bots stand; two threads of its own search for ways; a
// third replaces the mesh while they run.
//
//   c++ -std=c++17 -shared -fPIC plugin.cpp $(pkg-config --cflags --libs navmap) -o plugin.so
//
// It builds with the flags of those hosts as well: -fno-exceptions -fno-rtti -m32.
//
// With -DNAVMAP_EXAMPLE_HOST it is a program that plays the host: plugin FIRST.nav SECOND.nav LIVE.nav

#include <navmap.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

// What a bot wants to know, and what it gets.
struct Request {
    int bot;
    navmap::point from, to;
};
struct Answer {
    int bot;
    bool found;
    std::uint64_t generation;
    std::uint32_t corners;
    std::array<navmap::point, 32> walk;
    std::thread::id by;
};

// A queue that threads wait at.
template <class T>
class Queue {
public:
    void put(T item) {
        std::lock_guard<std::mutex> lock(mutex_);
        items_.push_back(std::move(item));
        filled_.notify_one();
    }
    // Nothing once the queue is closed.
    std::optional<T> wait() {
        std::unique_lock<std::mutex> lock(mutex_);
        filled_.wait(lock, [this] { return closed_ || !items_.empty(); });
        return closed_ ? std::nullopt : take();
    }
    std::optional<T> poll() {
        std::lock_guard<std::mutex> lock(mutex_);
        return take();
    }
    void close() {
        std::lock_guard<std::mutex> lock(mutex_);
        closed_ = true;
        filled_.notify_all();
    }

private:
    std::optional<T> take() {
        if (items_.empty()) return std::nullopt;
        T item = std::move(items_.front());
        items_.pop_front();
        return item;
    }
    std::mutex mutex_;
    std::condition_variable filled_;
    std::deque<T> items_;
    bool closed_ = false;
};

struct Bot {
    navmap::point at{}, goal{};
    bool waits = false;
    // Where it stood last. An area is valid in one world only, so it is held with its generation.
    std::optional<navmap_held> area;
};

}  // namespace

class NavPlugin {
public:
    struct Sums {
        std::uint64_t answers = 0, ways = 0, stale = 0;
        std::atomic<std::uint64_t> refused{0};
        std::set<std::thread::id> threads;
    };

    ~NavPlugin() { LevelShutdown(); }

    // A map begins. A mesh that is missing or broken is no reason to stop the server.
    bool LevelInit(const std::string &mesh, std::size_t bots) {
        LevelShutdown();
        navmap::options how;
        how.flags = NAVMAP_LANDMARKS;
        const bool opened = navmap::attempt([&] { slot_.emplace(mesh, &how); }, [](const navmap::failure &error) {
            std::printf("no navigation on this map: %s\n", error.what());
        });
        if (!opened) {
            slot_.reset();
            return false;
        }
        bots_.assign(bots, Bot());
        requests_.emplace();
        for (std::thread &worker : workers_) worker = std::thread([this] { Work(); });
        return true;
    }

    // Once a tick. The world is taken once, so that everything in the tick is answered by one mesh.
    void GameFrame() {
        if (!slot_) return;
        const navmap::world world = slot_->load();
        while (std::optional<Answer> answer = answers_.poll()) {
            Bot &bot = bots_[static_cast<std::size_t>(answer->bot)];
            bot.waits = false;
            sums.answers++;
            sums.threads.insert(answer->by);
            // A way through the mesh before this one is asked for again.
            if (!answer->found || answer->generation != world.generation()) continue;
            sums.ways++;
            bot.at = answer->walk[answer->corners - 1];
        }
        for (std::size_t at = 0; at < bots_.size(); at++) {
            Bot &bot = bots_[at];
            if (bot.area && !world.held(*bot.area)) {
                sums.stale++;
                bot.area.reset();
            }
            if (bot.waits) continue;
            const std::optional<navmap::near20> here = world.nearest(bot.at, 1e6f);
            if (!here) continue;
            bot.area = world.hold(here->area);
            // Somewhere else on the map.
            random_ = random_ * 1664525u + 1013904223u;
            bot.goal = world.about((random_ >> 8) % world.size()).center;
            bot.waits = true;
            requests_->put({static_cast<int>(at), here->point, bot.goal});
        }
    }

    // `nav_reload` on the console. It reads, checks and indexes on a thread of its own; nobody waits for it.
    std::thread Reload() {
        return std::thread([this] {
            std::uint64_t generation = 0;
            const bool loaded = navmap::attempt([&] { generation = slot_->reload(); }, [&](const navmap::failure &error) {
                sums.refused++;
                std::printf("the old mesh stays: %s\n", error.what());
            });
            if (loaded) std::printf("generation %llu\n", static_cast<unsigned long long>(generation));
        });
    }

    void LevelShutdown() {
        if (requests_) requests_->close();
        for (std::thread &worker : workers_)
            if (worker.joinable()) worker.join();
        requests_.reset();
        slot_.reset();
    }

    std::uint64_t Generation() const { return slot_ ? slot_->load().generation() : 0; }

    Sums sums;

private:
    // A thread that searches. It has a query of its own, which is fitted when the mesh is another one.
    void Work() {
        std::optional<navmap::query> query;
        while (std::optional<Request> request = requests_->wait()) {
            const navmap::world world = slot_->load();
            if (!query) query.emplace(world);
            query->fit(world);
            Answer answer{request->bot, false, world.generation(), 0, {}, std::this_thread::get_id()};
            const std::optional<navmap::near20> from = world.nearest(request->from, 1e6f),
                                                to = world.nearest(request->to, 1e6f);
            if (from && to && query->path(world, from->area, to->area, nullptr, nullptr, &to->point).found()) {
                const std::uint32_t all = query->straighten(world, from->point, to->point,
                                                            navmap::span<navmap::point>(answer.walk));
                answer.found = true;
                answer.corners = all < answer.walk.size() ? all : static_cast<std::uint32_t>(answer.walk.size());
            }
            answers_.put(answer);
        }
    }

    std::optional<navmap::slot> slot_;
    std::optional<Queue<Request>> requests_;
    Queue<Answer> answers_;
    std::array<std::thread, 2> workers_;
    std::vector<Bot> bots_;
    std::uint32_t random_ = 1;
};

#ifdef NAVMAP_EXAMPLE_HOST
#include <fstream>
#include <iterator>

static void Put(const std::string &from, const std::string &to, std::size_t share) {
    std::ifstream in(from, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    std::ofstream out(to, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size() / share));
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const std::string first = argv[1], second = argv[2], live = argv[3];
    NavPlugin plugin;
    if (plugin.LevelInit(live + ".missing", 8)) return 1;
    Put(first, live, 1);
    if (!plugin.LevelInit(live, 8)) return 1;
    unsigned ticks = 0;
    std::vector<std::thread> reloads;
    // A broken mesh, another one, and the first again; then on until both threads have answered.
    for (; ticks < 400 || plugin.sums.threads.size() < 2 || plugin.sums.answers < 200; ticks++) {
        if (ticks == 100 || ticks == 200 || ticks == 300) {
            for (std::thread &reload : reloads) reload.join();
            reloads.clear();
            Put(ticks == 200 ? second : first, live, ticks == 100 ? 2 : 1);
            reloads.push_back(plugin.Reload());
        }
        plugin.GameFrame();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (std::thread &reload : reloads) reload.join();
    plugin.GameFrame();
    const unsigned generation = static_cast<unsigned>(plugin.Generation());
    plugin.LevelShutdown();
    std::printf("%u ticks, %llu answers, %llu ways, generation %u, %llu refused, %u threads\n", ticks,
                static_cast<unsigned long long>(plugin.sums.answers), static_cast<unsigned long long>(plugin.sums.ways), generation,
                static_cast<unsigned long long>(plugin.sums.refused.load()),
                static_cast<unsigned>(plugin.sums.threads.size()));
    return 0;
}
#endif

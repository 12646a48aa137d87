// What the three embedded stores have in common: the benchmark itself, its documents, timers and write counters.
// Modes: write (durable transactions of 1 and 100 documents), read (point reads over 1,000,000 documents), seed-seq and
// seed-rnd (10,000 durable transactions of 100 small values, keys ascending or scattered: the B+tree benchmark).
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using Pair = std::pair<std::string, std::string>;

struct Engine {
    // One durable transaction. Called from several threads only where concurrent_writes() says so.
    virtual void put(const std::vector<Pair> &pairs) = 0;
    // All documents under orders/1..n, as fast as the engine can, durability at the end only.
    virtual void load(const std::vector<std::string> &documents) = 0;
    // A point read in a snapshot of its own; returns the bytes found. Called from several threads.
    virtual size_t get(const std::string &key) = 0;
    virtual bool concurrent_writes() const { return false; }
    virtual ~Engine() = default;
};

using Opener = std::function<std::unique_ptr<Engine>()>;

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void report(const std::string &name, const char *metric, double value, const char *unit) {
    printf("%s %s %.6g %s\n", name.c_str(), metric, value, unit);
    fflush(stdout);
}

[[noreturn]] inline void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

inline double setting(const char *name, double absent) {
    const char *text = getenv(name);
    return text ? atof(text) : absent;
}

// Sectors of 512 bytes written to all disks so far. The process's own counter misses pages written back by the kernel.
inline uint64_t sectors_written() {
    FILE *file = fopen("/proc/diskstats", "r");
    char line[512], name[64];
    unsigned long long total = 0, sectors;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%*u %*u %63s %*u %*u %*u %*u %*u %*u %llu", name, &sectors) == 2 &&
            (!strcmp(name, "vda") || !strcmp(name, "sda") || !strcmp(name, "nvme0n1")))
            total += sectors;
    if (file) fclose(file);
    return total;
}

// The finalizer of splitmix64: scattered, repeatable numbers from a counter.
inline uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

inline std::string order_id(uint64_t number) { return "orders/" + std::to_string(number); }

inline std::vector<std::string> read_documents(const char *path, size_t count_max) {
    FILE *file = fopen(path, "r");
    if (!file) fail("cannot read the documents");
    std::vector<std::string> documents;
    char *line = nullptr;
    size_t capacity = 0;
    ssize_t length;
    while (documents.size() < count_max && (length = getline(&line, &capacity, file)) > 0)
        documents.emplace_back(line, length - 1);
    free(line);
    fclose(file);
    return documents;
}

class Latencies {
  public:
    void add(double seconds) { micros_.push_back(static_cast<float>(seconds * 1e6)); }
    void join(const Latencies &other) { micros_.insert(micros_.end(), other.micros_.begin(), other.micros_.end()); }
    void print(const std::string &name) {
        if (micros_.empty()) return;
        std::sort(micros_.begin(), micros_.end());
        report(name, "p50", micros_[micros_.size() / 2], "us");
        report(name, "p99", micros_[micros_.size() * 99 / 100], "us");
    }

  private:
    std::vector<float> micros_;
};

// Runs the body on that many threads until they return; gives each its number and its own latencies, joined at the end.
inline Latencies on_threads(int threads, const std::function<void(int, Latencies &)> &body) {
    std::vector<std::thread> running;
    std::vector<Latencies> own(threads);
    for (int t = 0; t < threads; t++) running.emplace_back([&, t] { body(t, own[t]); });
    for (auto &thread : running) thread.join();
    Latencies all;
    for (const auto &one : own) all.join(one);
    return all;
}

inline void bench_write(const std::string &name, const char *path, const Opener &open) {
    auto documents = read_documents(path, 20000);
    auto engine = open();
    double seconds = setting("SECS", 3);
    std::atomic<uint64_t> next{1};
    for (size_t batch : {size_t{1}, size_t{100}})
        for (int threads : {1, 2, 4, 8, 16, 32}) {
            if (threads > 1 && (!engine->concurrent_writes() || (batch == 100 && threads != 8))) continue;
            std::atomic<uint64_t> written{0};
            double start = now();
            auto latencies = on_threads(threads, [&](int, Latencies &own) {
                std::vector<Pair> pairs(batch);
                while (now() - start < seconds) {
                    for (auto &pair : pairs) {
                        uint64_t number = next++;
                        pair = {"w/" + std::to_string(mix(number)), documents[number % documents.size()]};
                    }
                    double begin = now();
                    engine->put(pairs);
                    own.add(now() - begin);
                    written += batch;
                }
            });
            auto cell = name + "-write-b" + std::to_string(batch) + "-t" + std::to_string(threads);
            report(cell, "rate", written / (now() - start), "docs/s");
            latencies.print(cell);
        }
}

inline void bench_read(const std::string &name, const char *path, const Opener &open) {
    auto engine = open();
    size_t count, bytes_each;
    {
        auto documents = read_documents(path, 1000000);
        count = documents.size();
        bytes_each = documents[0].size();
        double start = now();
        engine->load(documents);
        report(name + "-bulkload", "rate", count / (now() - start), "docs/s");
    }
    double seconds = setting("SECS", 3);
    for (int repetition = 0; repetition < setting("REPS", 3); repetition++)
        for (int threads : {1, 2}) {
            std::atomic<uint64_t> reads{0}, bytes{0};
            double start = now();
            auto latencies = on_threads(threads, [&](int thread, Latencies &own) {
                uint64_t seed = static_cast<uint64_t>(repetition * 64 + thread + 1) << 32, done = 0, found = 0;
                while (now() - start < seconds) {
                    double begin = now();
                    found += engine->get(order_id(1 + mix(seed++) % count));
                    own.add(now() - begin);
                    done++;
                }
                reads += done;
                bytes += found;
            });
            if (bytes != reads * bytes_each) fail("documents are missing");
            auto cell = name + "-read-t" + std::to_string(threads);
            report(cell, "rate", reads / (now() - start), "ops/s");
            latencies.print(cell);
        }
}

inline void bench_seed(const std::string &name, bool ascending, const Opener &open) {
    const int values = 100, value_bytes = 128;
    int transactions = static_cast<int>(setting("TX", 10000));
    auto engine = open();
    std::vector<Pair> pairs(values);
    Latencies latencies;
    uint64_t sectors = sectors_written();
    double start = now();
    for (int t = 0; t < transactions; t++) {
        for (int i = 0; i < values; i++) {
            uint64_t number = static_cast<uint64_t>(t) * values + i;
            char key[32];
            snprintf(key, sizeof key, "%016llx", static_cast<unsigned long long>(ascending ? number : mix(number)));
            std::string value(value_bytes, 0);
            for (int j = 0; j < value_bytes / 8; j++) {
                uint64_t random = mix(number * 16 + j);
                memcpy(&value[j * 8], &random, 8);
            }
            pairs[i] = {key, std::move(value)};
        }
        double begin = now();
        engine->put(pairs);
        latencies.add(now() - begin);
    }
    double seconds = now() - start;
    auto cell = name + (ascending ? "-seed-seq" : "-seed-rnd");
    report(cell, "transactions", transactions / seconds, "tx/s");
    report(cell, "values", 1.0 * transactions * values / seconds, "values/s");
    report(cell, "device_bytes", (sectors_written() - sectors) * 512.0 / transactions, "bytes/tx");
    latencies.print(cell);
}

// main of each store: MODE DIRECTORY DOCUMENTS.
inline int run(const char *name, int argc, char **argv, const std::function<std::unique_ptr<Engine>(const char *)> &open) {
    if (argc < 4) fail("usage: MODE DIRECTORY DOCUMENTS");
    std::string mode = argv[1];
    Opener opener = [&] { return open(argv[2]); };
    if (mode == "write") bench_write(name, argv[3], opener);
    else if (mode == "read") bench_read(name, argv[3], opener);
    else if (mode == "seed-seq" || mode == "seed-rnd") bench_seed(name, mode == "seed-seq", opener);
    else fail("unknown mode");
    return 0;
}

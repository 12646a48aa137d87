// hnsw DATA EDGES CANDIDATES THREADS EF...: the peer, in memory, on the same files. Processor time as in GraphBench.
#include <hnswlib/hnswlib.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <time.h>
#include <vector>

static double Seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static std::vector<float> Read(const std::string &path, size_t &count, size_t &dimensions) {
  FILE *file = fopen(path.c_str(), "rb");
  int header[2];
  if (!file || fread(header, 4, 2, file) != 2) exit(1);
  count = header[0];
  dimensions = header[1];
  std::vector<float> rows(count * dimensions);
  if (fread(rows.data(), 4, rows.size(), file) != rows.size()) exit(1);
  fclose(file);
  return rows;
}

int main(int argc, char **argv) {
  std::string data = argv[1];
  size_t edges = atoi(argv[2]), candidates = atoi(argv[3]), threads = atoi(argv[4]);
  size_t count, queryCount, dimensions;
  std::vector<float> base = Read(data + ".base", count, dimensions), queries = Read(data + ".query", queryCount, dimensions);
  std::vector<int> exact(queryCount * 10);
  FILE *file = fopen((data + ".exact").c_str(), "rb");
  if (!file || fread(exact.data(), 4, exact.size(), file) != exact.size()) return 1;
  fclose(file);

  hnswlib::InnerProductSpace space(dimensions);
  hnswlib::HierarchicalNSW<float> graph(&space, count, edges, candidates);
  double processor = Seconds(CLOCK_PROCESS_CPUTIME_ID), wall = Seconds(CLOCK_MONOTONIC);
  graph.addPoint(base.data(), 0);
  std::atomic<size_t> next{1};
  std::vector<std::thread> workers;
  for (size_t i = 0; i < threads; i++)
    workers.emplace_back([&] {
      for (size_t at; (at = next++) < count;) graph.addPoint(&base[at * dimensions], at);
    });
  for (auto &worker : workers) worker.join();
  printf("peer: build %zu x %zu, M %zu, ef %zu, %zu threads: %.1f us of processor per vector, %.2f s\n", count, dimensions, edges, candidates, threads,
         (Seconds(CLOCK_PROCESS_CPUTIME_ID) - processor) / count * 1e6, Seconds(CLOCK_MONOTONIC) - wall);
  for (int i = 5; i < argc; i++) {
    graph.setEf(atoi(argv[i]));
    for (int turn = 0; turn < 2; turn++) {
      size_t found = 0;
      double began = Seconds(CLOCK_PROCESS_CPUTIME_ID);
      for (size_t query = 0; query < queryCount; query++)
        for (auto result = graph.searchKnn(&queries[query * dimensions], 10); !result.empty(); result.pop())
          for (int k = 0; k < 10; k++) found += exact[query * 10 + k] == (int)result.top().second;
      double time = (Seconds(CLOCK_PROCESS_CPUTIME_ID) - began) / queryCount * 1e6;
      if (turn) printf("peer: ef %s: recall@10 %.4f, %.1f us of processor per query\n", argv[i], found / 10.0 / queryCount, time);
    }
    fflush(stdout);
  }
}

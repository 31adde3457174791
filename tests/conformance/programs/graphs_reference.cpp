// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of graphs.cu.
#include <algorithm>
#include <deque>
#include <set>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

constexpr int nodes = 150;

/// Arguments 0 to 3 of every case but one: undirected, sparse, in a few components; lists are sorted.
Arguments graphAnd(Arguments more) {
  std::vector<std::set<int>> lists(nodes);
  const std::vector<std::uint32_t> bits = scrambled<std::uint32_t>(5 * nodes, 41);
  for (std::size_t i = 0; i + 1 < bits.size(); i += 2) {
    const int a = static_cast<int>(bits[i] % nodes), b = static_cast<int>(bits[i + 1] % nodes);
    if (a == b || a % 3 != b % 3) continue;
    lists[static_cast<std::size_t>(a)].insert(b);
    lists[static_cast<std::size_t>(b)].insert(a);
  }
  std::vector<int> first = {0}, to, weight;
  for (int a = 0; a < nodes; ++a) {
    for (const int b : lists[static_cast<std::size_t>(a)]) {
      to.push_back(b);
      weight.push_back(1 + (a * b) % 17);
    }
    first.push_back(static_cast<int>(to.size()));
  }
  Arguments out = {array(first), array(to), array(weight), value(nodes)};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

/// Calls visit(to, weight) for each edge of `node`.
template <class Visit>
void eachEdge(Arguments& a, int node, const Visit& visit) {
  for (int e = a[0].as<int>()[node]; e < a[0].as<int>()[node + 1]; ++e) visit(a[1].as<int>()[e], a[2].as<int>()[e]);
}

void levels(Arguments& a, const Environment&) {
  const int start = *a[4].as<int>();
  int* const level = a[5].as<int>();
  std::fill(level, level + nodes, -1);
  level[start] = 0;
  for (std::deque<int> queue = {start}; !queue.empty(); queue.pop_front())
    eachEdge(a, queue.front(), [&](int next, int) {
      if (level[next] >= 0) return;
      level[next] = level[queue.front()] + 1;
      queue.push_back(next);
    });
}

/// Bellman and Ford's rounds: as many as nodes.
void distances(Arguments& a, const Environment&) {
  int* const distance = a[5].as<int>();
  std::fill(distance, distance + nodes, 0x3fffffff);
  distance[*a[4].as<int>()] = 0;
  for (int round = 0; round < nodes; ++round)
    for (int node = 0; node < nodes; ++node)
      eachEdge(a, node,
               [&](int next, int weight) { distance[next] = std::min(distance[next], distance[node] + weight); });
  for (int i = 0; i < nodes; ++i)
    if (distance[i] > 0x3fffffff - 10000) distance[i] = 0x3fffffff;
}

void labels(Arguments& a, const Environment&) {
  int* const label = a[4].as<int>();
  std::fill(label, label + nodes, -1);
  for (int node = 0; node < nodes; ++node) {
    if (label[node] >= 0) continue;
    label[node] = node;
    for (std::deque<int> queue = {node}; !queue.empty(); queue.pop_front())
      eachEdge(a, queue.front(), [&](int next, int) {
        if (label[next] < 0) {
          label[next] = node;
          queue.push_back(next);
        }
      });
  }
}

void ranks(Arguments& a, const Environment&) {
  for (int node = 0; node < nodes; ++node) {
    const int degree = a[0].as<int>()[node + 1] - a[0].as<int>()[node];
    eachEdge(a, node, [&](int next, int) {
      a[5].as<float>()[next] += *a[6].as<float>() * a[4].as<float>()[node] / static_cast<float>(degree);
    });
  }
}

void allPairs(Arguments& a, const Environment&) {
  const int n = *a[1].as<int>();
  int* const d = a[0].as<int>();
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}
Argument distancesOf(int n) {
  std::vector<int> out = wholeNumbers<int>(static_cast<std::size_t>(n * n), 42, 200);
  for (int& x : out) x = x < 0 ? 100000 : x + 1;
  for (int i = 0; i < n; ++i) out[static_cast<std::size_t>(i * n + i)] = 0;
  return array(out);
}

void triangles(Arguments& a, const Environment&) {
  for (int x = 0; x < nodes; ++x)
    eachEdge(a, x, [&](int y, int) {
      eachEdge(a, y, [&](int z, int) {
        if (!(x < y && y < z)) return;
        eachEdge(a, x, [&](int other, int) { *a[4].as<int>() += other == z; });
      });
    });
}

}  // namespace

std::vector<Case> cases_programs_graphs() {
  constexpr auto n = static_cast<std::size_t>(nodes);
  return {{.name = "breadth_first",
           .kernel = "breadthFirst",
           .launch = {.grid = {1}, .group = {64}},
           .arguments = graphAnd({value(7), zeros<int>(n)}),
           .reference = levels},
          {.name = "shortest_paths",
           .kernel = "shortestPaths",
           .launch = {.grid = {1}, .group = {64}},
           .arguments = graphAnd({value(3), zeros<int>(n)}),
           .reference = distances},
          {.name = "components",
           .kernel = "components",
           .launch = {.grid = {1}, .group = {96}},
           .arguments = graphAnd({zeros<int>(n)}),
           .reference = labels},
          {.name = "rank_step",
           .kernel = "rankStep",
           .launch = {.grid = {3}, .group = {64}},
           .arguments = graphAnd({array(fractions(n, 43)), zeros<float>(n), value(0.85f)}),
           .reference = ranks,
           .tolerances = {{.absolute = 1e-5}}},
          {.name = "all_pairs",
           .kernel = "allPairs",
           .launch = {.grid = {1}, .group = {64}},
           .arguments = {distancesOf(37), value(37)},
           .reference = allPairs},
          {.name = "triangles",
           .kernel = "triangles",
           .launch = {.grid = {5}, .group = {64}},
           .arguments = graphAnd({zeros<int>(1)}),
           .reference = triangles}};
}

}  // namespace lathe::conformance

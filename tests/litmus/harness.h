// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device side of the litmus tests, in the kernel language; the programs themselves are generated behind it
// (source.cpp). Each item plays every role, each of another instance of the test, as in Levine, Guo, Cho, Baker,
// Levien, Neto, Quinn and Sorensen, "MC Mutants: evaluating and improving testing for memory consistency
// specifications" (ASPLOS 2023): so there are as many instances in flight as items. What Alglave et al. (ASPLOS 2015)
// found to bring weak outcomes out is varied from launch to launch: distance and arrangement of the words, other groups
// that write to other memory, waiting of random length.
#include <lathe/device.h>

#include "tests/litmus/plan.h"

namespace litmus {

using lathe::order;
using lathe::scope;

LATHE_INLINE unsigned scramble(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// The mutants: what a compiler makes that loses orders, or scopes.
#ifdef LITMUS_LOSE_ORDER
constexpr order kept(order) {
  return order::relaxed;
}
#else
constexpr order kept(order o) {
  return o;
}
#endif
#ifdef LITMUS_LOSE_SCOPE
constexpr scope kept(scope) {
  return scope::group;
}
#else
constexpr scope kept(scope s) {
  return s;
}
#endif

enum form { relaxed, acq_rel_access, acq_rel_fence, acq_rel_update, seq_cst_access, seq_cst_fence, seq_cst_update };

/// The accesses of a form.
template <form F, scope S>
struct accesses {
  static constexpr bool fences = F == acq_rel_fence || F == seq_cst_fence;
  static constexpr bool updates = F == acq_rel_update || F == seq_cst_update;
  static constexpr bool strongest = F == seq_cst_access || F == seq_cst_update;
  static constexpr bool ordered = F != relaxed && !fences;
  static constexpr order acquire = kept(strongest ? order::seq_cst : ordered ? order::acquire : order::relaxed);
  static constexpr order release = kept(strongest ? order::seq_cst : ordered ? order::release : order::relaxed);

  static LATHE_INLINE unsigned load(unsigned* p) {
    if constexpr (updates) return lathe::atomic_add<acquire, kept(S)>(p, 0u);
    return lathe::atomic_load<acquire, kept(S)>(p);
  }
  static LATHE_INLINE void store(unsigned* p, unsigned value) {
    if constexpr (updates)
      (void)lathe::atomic_exchange<release, kept(S)>(p, value);
    else
      lathe::atomic_store<release, kept(S)>(p, value);
  }
  static LATHE_INLINE unsigned add(unsigned* p, unsigned value) {
    return lathe::atomic_add<order::relaxed, kept(S)>(p, value);
  }
  static LATHE_INLINE unsigned exchange(unsigned* p, unsigned value) {
    return lathe::atomic_exchange<acquire, kept(S)>(p, value);
  }
  static LATHE_INLINE unsigned compare_exchange(unsigned* p, unsigned expected, unsigned value) {
    return lathe::atomic_compare_exchange<acquire, kept(S)>(p, expected, value);
  }
  /// Stands between each two accesses of a role.
  static LATHE_INLINE void between() {
    if constexpr (fences) lathe::fence<kept(F == seq_cst_fence ? order::seq_cst : order::acq_rel), kept(S)>();
  }
};

/// Where the words of an instance are. `mask` is one less than the instances that share `words`.
struct arrangement {
  const plan& p;
  unsigned* words;
  unsigned mask, stride;
  LATHE_INLINE unsigned* at(unsigned instance, unsigned place) const {
    const unsigned slot = (instance * p.place_factor[place] + p.place_offset[place]) & mask;
    return words + (static_cast<unsigned long>(place) * (mask + 1ul) + slot) * stride;
  }
};

/// Reads and writes of memory that no test uses.
LATHE_INLINE void wait(const plan& p, unsigned* scratch, unsigned random, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) {
    random = scramble(random + i);
    unsigned* const word = scratch + (random & (p.scratch_words - 1));
    if (random >> 31)
      lathe::atomic_store<order::relaxed, scope::device>(word, i);
    else
      (void)lathe::atomic_load<order::relaxed, scope::device>(word);
  }
}

/// The number of this group among the test groups; those from test_groups on make stress.
LATHE_INLINE unsigned test_group(const plan& p) {
  const unsigned groups = lathe::group_count().x;
  return (lathe::group_id().x + groups - p.first_group) % groups;
}

/// All roles, each of another instance; they begin with different ones from subgroup to subgroup.
template <class Test, class Accesses>
LATHE_INLINE void play(const plan& p, const arrangement& where, unsigned base, unsigned item, unsigned mask,
                       unsigned* results, unsigned* scratch) {
  const unsigned random = scramble(p.seed ^ (base + item));
  const unsigned first = scramble(p.seed + ((base + item) >> 5)) % Test::roles;
  for (unsigned n = 0; n < Test::roles; ++n) {
    const unsigned role = (first + n) % Test::roles;
    const unsigned instance = (item * p.role_factor[role] + p.role_offset[role]) & mask;
    if (p.jitter) wait(p, scratch, random + n, scramble(random ^ n) % p.jitter);
    Test::template play<Accesses>(
        role, [&](unsigned place) { return where.at(instance, place); },
        results + static_cast<unsigned long>(base + instance) * Test::registers);
  }
}

/// Instances between items of different groups.
template <class Test, form F, scope S>
LATHE_KERNEL void across_groups(plan p, unsigned* words, unsigned* results, unsigned* scratch) {
  const unsigned group = test_group(p), item = lathe::item_id().x;
  if (group >= p.test_groups) return wait(p, scratch, scramble(p.seed + group) + item, p.stress);
  play<Test, accesses<F, S>>(p, {p, words, p.instances - 1, p.stride}, 0, group * p.group_items + item, p.instances - 1,
                             results, scratch);
}

/// Instances between items of one group, in device memory.
template <class Test, form F>
LATHE_KERNEL void in_group(plan p, unsigned* words, unsigned* results, unsigned* scratch) {
  const unsigned group = test_group(p), item = lathe::item_id().x, base = group * p.group_items;
  if (group >= p.test_groups) return wait(p, scratch, scramble(p.seed + group) + item, p.stress);
  unsigned* const mine = words + static_cast<unsigned long>(base) * Test::places * p.stride;
  play<Test, accesses<F, scope::group>>(p, {p, mine, p.group_items - 1, p.stride}, base, item, p.group_items - 1,
                                        results, scratch);
}

/// The same in shared memory; the words go to device memory in the end.
template <class Test, form F>
LATHE_KERNEL void in_shared(plan p, unsigned* words, unsigned* results, unsigned* scratch) {
  const unsigned group = test_group(p), item = lathe::item_id().x, base = group * p.group_items;
  if (group >= p.test_groups) return wait(p, scratch, scramble(p.seed + group) + item, p.stress);
  unsigned* const shared = lathe::dynamic_shared<unsigned>();
  for (unsigned place = 0; place < Test::places; ++place) shared[place * p.group_items + item] = 0;
  lathe::barrier();
  play<Test, accesses<F, scope::group>>(p, {p, shared, p.group_items - 1, 1}, base, item, p.group_items - 1, results,
                                        scratch);
  lathe::barrier();
  unsigned* const mine = words + static_cast<unsigned long>(base) * Test::places * p.stride;
  for (unsigned place = 0; place < Test::places; ++place)
    mine[(place * p.group_items + item) * p.stride] = shared[place * p.group_items + item];
}

/// Waits until all roles of a team are here, but not for ever: they need not run at the same time.
LATHE_INLINE void meet(unsigned* arrived, unsigned all) {
  (void)lathe::atomic_add<order::acq_rel, scope::device>(arrived, 1u);
  for (unsigned i = 0; i < 16384; ++i)
    if (lathe::atomic_load<order::acquire, scope::device>(arrived) >= all) return;
}

/// For devices that run few groups at a time, each on a thread: every group has one item and one role, which it plays
/// in one instance after another, side by side with its partners. The launch is cooperative, so that they run together.
/// The words behind the scratch are 0 when it begins.
template <class Test, form F, scope S>
LATHE_KERNEL void side_by_side(plan p, unsigned* words, unsigned* results, unsigned* scratch) {
  const unsigned group = lathe::group_id().x, role = group % Test::roles, team = group / Test::roles;
  const arrangement where{p, words, p.instances - 1, p.stride};
  const unsigned random = scramble(p.seed + group);
  for (unsigned n = 0; n < p.steps; ++n) {
    if ((n & (p.batch - 1)) == 0) meet(scratch + p.scratch_words + 16 * team, (n / p.batch + 1) * Test::roles);
    const unsigned instance = team * p.steps + n;
    if (p.jitter) wait(p, scratch, random + n, scramble(random ^ n) % p.jitter);
    Test::template play<accesses<F, S>>(
        role, [&](unsigned place) { return where.at(instance, place); },
        results + static_cast<unsigned long>(instance) * Test::registers);
  }
}

/// Counts each instance's outcome and makes its words 0 again. `mask` as the kernel had it.
template <class Test>
LATHE_KERNEL void tally(plan p, unsigned mask, unsigned* words, unsigned* results, unsigned* histogram) {
  const unsigned instance = lathe::global_id().x, base = instance & ~mask;
  const arrangement where{p, words + static_cast<unsigned long>(base) * Test::places * p.stride, mask, p.stride};
  unsigned outcome = 0, at = 0;
  for (unsigned r = 0; r < Test::registers; ++r, at += 2)
    outcome |= (results[static_cast<unsigned long>(instance) * Test::registers + r] & 3) << at;
  for (unsigned place = 0; place < Test::places; ++place, at += 2) {
    unsigned* const word = where.at(instance & mask, place);
    outcome |= (*word & 3) << at;
    *word = 0;
  }
  lathe::atomic_add(&histogram[outcome], 1u);
}

// Locks. What they protect is two plain words that always hold the same number.

struct exchange_lock {
  template <class A>
  static LATHE_INLINE bool take(unsigned* lock, unsigned tries, unsigned&) {
    for (unsigned i = 0; i < tries; ++i)
      if (A::exchange(lock, 1) == 0) return true;
    return false;
  }
  template <class A>
  static LATHE_INLINE void give(unsigned* lock, unsigned) {
    A::store(lock, 0);
  }
};

struct compare_exchange_lock {
  template <class A>
  static LATHE_INLINE bool take(unsigned* lock, unsigned tries, unsigned&) {
    for (unsigned i = 0; i < tries; ++i)
      if (A::compare_exchange(lock, 0, 1) == 0) return true;
    return false;
  }
  template <class A>
  static LATHE_INLINE void give(unsigned* lock, unsigned) {
    A::store(lock, 0);
  }
};

struct ticket_lock {
  template <class A>
  static LATHE_INLINE bool take(unsigned* lock, unsigned tries, unsigned& ticket) {
    ticket = A::add(lock + 1, 1);
    for (unsigned i = 0; i < tries; ++i)
      if (A::load(lock) == ticket) return true;
    return false;
  }
  template <class A>
  static LATHE_INLINE void give(unsigned* lock, unsigned ticket) {
    A::store(lock, ticket + 1);
  }
};

/// Of a lock's four words two are the lock and two are what it protects. One item of each 32 takes part. Nobody tries
/// for ever: counts[1] are those who stopped, and do not count.
template <class Lock, class Accesses>
LATHE_INLINE void contend(const plan& p, unsigned* lock, unsigned* counts) {
  unsigned got = 0, torn = 0, stopped = 0, ticket = 0;
  for (unsigned turn = 0; turn < p.turns && !stopped; ++turn) {
    if (!Lock::template take<Accesses>(lock, p.tries, ticket)) {
      stopped = 1;
      continue;
    }
    Accesses::between();
    const unsigned first = lock[2], second = lock[3];
    torn += first != second;
    lock[2] = first + 1;
    lock[3] = second + 1;
    ++got;
    Accesses::between();
    Lock::template give<Accesses>(lock, ticket);
  }
  lathe::atomic_add(&counts[0], got);
  lathe::atomic_add(&counts[1], stopped);
  lathe::atomic_add(&counts[2], torn);
}

template <class Lock, form F, scope S>
LATHE_KERNEL void locks_across_groups(plan p, unsigned* words, unsigned* counts) {
  if (lathe::item_id().x % 32 == 0)
    contend<Lock, accesses<F, S>>(p, words + static_cast<unsigned long>(lathe::group_id().x % p.locks) * 4 * p.stride,
                                  counts);
}
template <class Lock, form F>
LATHE_KERNEL void locks_in_group(plan p, unsigned* words, unsigned* counts) {
  if (lathe::item_id().x % 32 == 0)
    contend<Lock, accesses<F, scope::group>>(p, words + static_cast<unsigned long>(lathe::group_id().x) * 4 * p.stride,
                                             counts);
}
template <class Lock, form F>
LATHE_KERNEL void locks_in_shared(plan p, unsigned* words, unsigned* counts) {
  LATHE_SHARED unsigned lock[4];
  const unsigned item = lathe::item_id().x;
  if (item < 4) lock[item] = 0;
  lathe::barrier();
  if (item % 32 == 0) contend<Lock, accesses<F, scope::group>>(p, lock, counts);
  lathe::barrier();
  if (item < 4) words[static_cast<unsigned long>(lathe::group_id().x) * 4 * p.stride + item] = lock[item];
}

}  // namespace litmus

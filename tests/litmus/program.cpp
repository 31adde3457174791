// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/litmus/program.h"

namespace lathe::litmus {
namespace {

constexpr unsigned x = 0, y = 1, z = 2;

Access write(unsigned place, unsigned value) {
  return {Access::Kind::write, place, value};
}
Access read(unsigned place, int reg) {
  return {Access::Kind::read, place, 0, reg};
}
/// Always relaxed: the operation in the middle of a release sequence.
Access add(unsigned place, int reg) {
  return {Access::Kind::add, place, 1, reg};
}
Access writePlain(unsigned place, unsigned value) {
  return {Access::Kind::plainWrite, place, value};
}
Access readPlain(unsigned place, int reg, int guard, unsigned guardValue) {
  return {Access::Kind::plainRead, place, 0, reg, guard, guardValue};
}

using enum Forbidden;

// clang-format off
const Program table[] = {
    {"MP", "message passing", {{write(x, 1), write(y, 1)}, {read(y, 0), read(x, 1)}}, 2, 2, acquireRelease},
    {"MP+plain", "message passing, the message plain data",
     {{writePlain(x, 1), write(y, 1)}, {read(y, 0), readPlain(x, 1, 0, 1)}}, 2, 2, acquireRelease},
    {"SB", "store buffering", {{write(x, 1), read(y, 0)}, {write(y, 1), read(x, 1)}}, 2, 2, sequentialConsistency},
    {"LB", "load buffering", {{read(x, 0), write(y, 1)}, {read(y, 1), write(x, 1)}}, 2, 2, acquireRelease},
    {"S", "a write after what was read", {{write(x, 2), write(y, 1)}, {read(y, 0), write(x, 1)}}, 2, 1, acquireRelease},
    {"R", "a read after the later write", {{write(x, 1), write(y, 1)}, {write(y, 2), read(x, 0)}}, 2, 1,
     sequentialConsistency},
    {"2+2W", "two writes each, crosswise", {{write(x, 1), write(y, 2)}, {write(y, 1), write(x, 2)}}, 2, 0,
     sequentialConsistency},
    {"WRC", "write-to-read causality",
     {{write(x, 1)}, {read(x, 0), write(y, 1)}, {read(y, 1), read(x, 2)}}, 2, 3, acquireRelease},
    {"RWC", "read-to-write causality",
     {{write(x, 1)}, {read(x, 0), read(y, 1)}, {write(y, 1), read(x, 2)}}, 2, 3, sequentialConsistency},
    {"ISA2", "message passing by way of a third",
     {{write(x, 1), write(y, 1)}, {read(y, 0), write(z, 1)}, {read(z, 1), read(x, 2)}}, 3, 3, acquireRelease},
    {"IRIW", "independent reads of independent writes",
     {{write(x, 1)}, {write(y, 1)}, {read(x, 0), read(y, 1)}, {read(y, 2), read(x, 3)}}, 2, 4, sequentialConsistency},
    {"CoRR", "coherence: two reads", {{write(x, 1)}, {read(x, 0), read(x, 1)}}, 1, 2, always},
    {"CoRR2", "coherence: two readers, two writers",
     {{write(x, 1)}, {write(x, 2)}, {read(x, 0), read(x, 1)}, {read(x, 2), read(x, 3)}}, 1, 4, always},
    {"CoWW", "coherence: two writes", {{write(x, 1), write(x, 2)}}, 1, 0, always},
    {"CoWR", "coherence: a write, then a read", {{write(x, 1), read(x, 0)}, {write(x, 2)}}, 1, 1, always},
    {"CoRW", "coherence: a read, then a write", {{read(x, 0), write(x, 1)}, {write(x, 2)}}, 1, 1, always},
    {"RelSeq", "a release sequence goes on through another's addition",
     {{write(x, 1), write(y, 1)}, {add(y, 0)}, {read(y, 1), read(x, 2)}}, 2, 3, acquireRelease},
    {"RelSeq+plain", "the same, the message plain data",
     {{writePlain(x, 1), write(y, 1)}, {add(y, 0)}, {read(y, 1), readPlain(x, 2, 1, 2)}}, 2, 3, acquireRelease},
    {"Atomicity", "two additions", {{add(x, 0)}, {add(x, 1)}}, 1, 2, always},
};
// clang-format on

}  // namespace

std::span<const Program> programs() {
  return table;
}

std::string_view nameOf(Form form) noexcept {
  constexpr std::string_view names[] = {"relaxed",        "acq_rel access", "acq_rel fence", "acq_rel update",
                                        "seq_cst access", "seq_cst fence",  "seq_cst update"};
  return names[static_cast<unsigned>(form)];
}

std::string_view nameOf(Place place) noexcept {
  constexpr std::string_view names[] = {"group (shared)", "group", "device", "system"};
  return names[static_cast<unsigned>(place)];
}

}  // namespace lathe::litmus

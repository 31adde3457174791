// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of subgroup_flow.cu on the host.
#include "tests/conformance/suite/cuda_on_items.h"
#include "tests/conformance/suite/flow_cases.h"

namespace lathe::conformance {
namespace {
#include "tests/conformance/cuda/subgroup_flow.cu"
}  // namespace

std::vector<Case> cases_cuda_subgroup_flow() {
#define SHAPE(kernel) flowCase(#kernel, kernel)
  return {SHAPE(straight),
          SHAPE(countedLoop),
          SHAPE(turnsOfTheWarp),
          SHAPE(branchOfTheWarp),
          SHAPE(halves),
          SHAPE(quartersOfHalves),
          SHAPE(leaveOneByOne),
          SHAPE(whileAny),
          SHAPE(untilAll),
          SHAPE(conditionOfShuffle),
          SHAPE(meetInBranch),
          SHAPE(branchesOfUnlikeLength),
          SHAPE(loopsOfHalves),
          SHAPE(returnBeforeSum),
          SHAPE(returnFromLoop),
          SHAPE(sharedOfHalves),
          SHAPE(leaderOfEach),
          SHAPE(matches),
          SHAPE(caseOfEach),
          SHAPE(insideFunctions),
          SHAPE(leaveTwoLoops),
          SHAPE(jumpIntoByWarp),
          SHAPE(betweenGroupBarriers),
          SHAPE(warpsAtTheirPace),
          SHAPE(warpsReturn),
          SHAPE(lanesReturnThenBarrier),
          SHAPE(masksNameTheGone),
          SHAPE(countThoseHere),
          SHAPE(scanOfWarp)};
#undef SHAPE
}

}  // namespace lathe::conformance

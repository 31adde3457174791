// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of group_flow.cu on the host.
#include "tests/conformance/suite/cuda_on_items.h"
#include "tests/conformance/suite/flow_cases.h"

namespace lathe::conformance {
namespace {
#include "tests/conformance/cuda/group_flow.cu"
}  // namespace

std::vector<Case> cases_cuda_group_flow() {
#define SHAPE(kernel) flowCase(#kernel, kernel)
  return {SHAPE(straight),
          SHAPE(countedLoop),
          SHAPE(loopLeftByShared),
          SHAPE(loopWithTwoExits),
          SHAPE(loopThatContinues),
          SHAPE(loopByVote),
          SHAPE(boundByCount),
          SHAPE(loopsInLoops),
          SHAPE(exitsOfNestedLoops),
          SHAPE(uniformBranches),
          SHAPE(behindDivergentBranch),
          SHAPE(behindDivergentLoop),
          SHAPE(divergentLoopBetween),
          SHAPE(someReturnFirst),
          SHAPE(firstReturn),
          SHAPE(returnOneByOne),
          SHAPE(returnOfGroups),
          SHAPE(cases),
          SHAPE(states),
          SHAPE(insideFunctions),
          SHAPE(insideTemplatesAndLambdas),
          SHAPE(inConditions),
          SHAPE(jumpBack),
          SHAPE(jumpInto),
          SHAPE(muchIsLive),
          SHAPE(scan)};
#undef SHAPE
}

}  // namespace lathe::conformance

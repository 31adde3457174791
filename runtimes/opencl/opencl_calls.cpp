// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the host's functions by a queue, and whether a queue is done.
#include <memory>

#include "runtimes/opencl/opencl_context.h"

namespace lathe::detail {
namespace {

/// A call that a queue has come to, or will.
struct QueuedCall {
  const ClFunctions& cl;
  Background& calls;
  HostCall host;
  ClEvent gate;  ///< which what comes behind the call waits for
};

/// On any thread; `state` is an error where the work in front of the call failed.
void callAndOpen(ClEvent reached, std::int32_t state, void* data) {
  std::unique_ptr<QueuedCall> call(static_cast<QueuedCall*>(data));
  Background& calls = call->calls;
  calls.add([call = std::move(call), reached, state] {
    if (state == ClEventInfo::complete)
      call->host.function(call->host.data);
    else if (call->host.drop)
      call->host.drop(call->host.data);
    (void)call->cl.SetUserEventStatus(call->gate, state);
    (void)call->cl.ReleaseEvent(call->gate);
    (void)call->cl.ReleaseEvent(reached);
  });
}

}  // namespace

ClStatus OpenClContext::call(OpenClQueue* queue, const HostCall& host) {
  ClStatus status = 0;
  const ClEvent gate = cl_.CreateUserEvent(context_, &status);
  if (status != 0) return status;
  auto call = std::make_unique<QueuedCall>(QueuedCall{cl_, calls_, host, gate});
  ClEvent reached = nullptr;
  status = enqueue(queue, [&](ClQueue one) {
    const ClStatus marked = cl_.EnqueueMarkerWithWaitList(one, 0, nullptr, &reached);
    return marked == 0 ? cl_.EnqueueBarrierWithWaitList(one, 1, &gate, nullptr) : marked;
  });
  if (status == 0) status = cl_.SetEventCallback(reached, ClEventInfo::complete, callAndOpen, call.get());
  if (status == 0) {
    (void)call.release();  // the callback's
    return 0;
  }
  (void)cl_.SetUserEventStatus(gate, status);  // nothing may wait for it for ever
  (void)cl_.ReleaseEvent(gate);
  if (reached) (void)cl_.ReleaseEvent(reached);
  return status;
}

ClStatus OpenClContext::isDone(bool& out, OpenClQueue* queue) {
  const std::scoped_lock lock(mutex_);
  OpenClQueue& target = queue ? *queue : *default_;
  bool isNew = !target.mark_ || target.marked_ != target.work_;
  if (!queue)  // which the others' work is part of
    for (const auto& other : queues_) isNew |= other->unjoined_;
  if (isNew) {
    ClEvent mark = nullptr;
    ClStatus status = order(target);
    if (status == 0) status = cl_.EnqueueMarkerWithWaitList(target.queue_, 0, nullptr, &mark);
    if (status == 0) status = cl_.Flush(target.queue_);
    if (mark && target.mark_) (void)cl_.ReleaseEvent(target.mark_);
    if (mark) target.mark_ = mark;
    if (status != 0) return status;
    target.marked_ = target.work_;
  }
  std::int32_t state = 0;
  const ClStatus status = cl_.GetEventInfo(target.mark_, ClEventInfo::state, sizeof(state), &state, nullptr);
  out = state == ClEventInfo::complete;
  return status == 0 && state < 0 ? state : status;
}

}  // namespace lathe::detail

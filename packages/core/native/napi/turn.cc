#include "napi/turn.h"

#ifndef _WIN32
#include <dlfcn.h>
#endif

namespace cl {
namespace {

/// A prefix of uv_metrics_t, which begins with the number of loop iterations, with room for later fields.
struct Metrics {
  uint64_t turns = 0;
  uint64_t others[63] = {};
};

using MetricsInfo = int (*)(struct uv_loop_s* loop, Metrics* metrics);

MetricsInfo findMetricsInfo() {
#ifdef _WIN32
  return nullptr;
#else
  return reinterpret_cast<MetricsInfo>(dlsym(RTLD_DEFAULT, "uv_metrics_info"));
#endif
}

}  // namespace

std::optional<uint64_t> currentTurn(Napi::Env env) {
  static const MetricsInfo metricsInfo = findMetricsInfo();
  if (metricsInfo == nullptr) return std::nullopt;
  struct uv_loop_s* loop = nullptr;
  if (napi_get_uv_event_loop(env, &loop) != napi_ok || loop == nullptr) return std::nullopt;
  Metrics metrics;
  if (metricsInfo(loop, &metrics) != 0) return std::nullopt;
  return metrics.turns;
}

}  // namespace cl

// Samplers.
#include "exports.h"

namespace cl {
namespace {

/// Creates a sampler in OpenCL 1.x, which has no property lists. Throws for other properties.
cl_sampler createOlder(const Runtime& runtime, cl_context context, const std::vector<cl_sampler_properties>& list) {
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  for (size_t i = 0; i + 1 < list.size(); i += 2) {
    switch (list[i]) {
      case CL_SAMPLER_NORMALIZED_COORDS:
        normalized = static_cast<cl_bool>(list[i + 1]);
        break;
      case CL_SAMPLER_ADDRESSING_MODE:
        addressing = static_cast<cl_addressing_mode>(list[i + 1]);
        break;
      case CL_SAMPLER_FILTER_MODE:
        filter = static_cast<cl_filter_mode>(list[i + 1]);
        break;
      default:
        throw Failure{"NOT_SUPPORTED", "clCreateSamplerWithProperties", CL_SUCCESS, "2.0", -1};
    }
  }
  cl_int status = CL_SUCCESS;
  const cl_sampler sampler = runtime.clCreateSampler(context, normalized, addressing, filter, &status);
  check(status, "clCreateSampler");
  return sampler;
}

/// createSampler(context, properties: BigUint64Array of pairs)
Napi::Value createSampler(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  auto properties = call.properties<cl_sampler_properties>(1);
  const Runtime& runtime = *context.runtime;
  cl_sampler sampler = nullptr;
  if (runtime.clCreateSamplerWithProperties) {
    if (properties.empty()) properties.push_back(0);
    cl_int status = CL_SUCCESS;
    sampler = runtime.clCreateSamplerWithProperties(context.as<cl_context>(), properties.data(), &status);
    check(status, "clCreateSamplerWithProperties");
  } else {
    sampler = createOlder(runtime, context.as<cl_context>(), properties);
  }
  return call.result(call.environment->handles.add(Kind::Sampler, sampler, runtime, context.object));
}

}  // namespace

void addSamplerExports(Exports& exports) { exports.add({{"createSampler", function<createSampler>}}); }

}  // namespace cl

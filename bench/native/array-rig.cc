#include "array-rig.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace bench::array {

namespace {

template <typename Value>
Value deviceInfo(cl_device_id device, cl_device_info what) {
  Value value{};
  check(clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

std::vector<float> randomValues(size_t size, uint32_t state) {
  std::vector<float> values(size);
  for (float& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(state >> 8) / static_cast<float>(1 << 24);
  }
  return values;
}

}  // namespace

Operands::Operands(cl_context context, size_t elements)
    : size(elements),
      hostA(randomValues(size, 1)),
      hostB(randomValues(size, 2)),
      hostC(randomValues(size, 3)),
      a(createBuffer(context, size * sizeof(float), hostA.data())),
      b(createBuffer(context, size * sizeof(float), hostB.data())),
      c(createBuffer(context, size * sizeof(float), hostC.data())),
      out(createBuffer(context, size * sizeof(float), hostA.data())) {}

Rig::Rig(const std::string& kernelFolder)
    : folder(kernelFolder),
      device(chooseDevice()),
      gpu((deviceInfo<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0),
      units(deviceInfo<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS)),
      context(createContext(device)),
      queue(createQueue(context.get(), device)) {}

Program Rig::program(const std::string& family, const std::string& defines) const {
  const std::string file = folder + (gpu ? "gpu-" : "cpu-") + family + ".cl";
  return buildSource(context.get(), device, defines + readText(file));
}

Operands& Rig::operands(size_t size) {
  std::unique_ptr<Operands>& operands = operands_[size];
  if (operands == nullptr) operands = std::make_unique<Operands>(context.get(), size);
  return *operands;
}

std::vector<float> Rig::read(cl_mem memory, size_t size) const {
  std::vector<float> values(size);
  check(clEnqueueReadBuffer(queue.get(), memory, CL_TRUE, 0, size * sizeof(float), values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return values;
}

bool Rig::exceedsCache(size_t bytes) const {
  return bytes > deviceInfo<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
}

void Launch::set(cl_uint index, size_t size, const void* value) const {
  check(clSetKernelArg(kernel_.get(), index, size, value), "clSetKernelArg");
}

void Launch::enqueue(cl_command_queue queue) const {
  check(clEnqueueNDRangeKernel(queue, kernel_.get(), static_cast<cl_uint>(range_.global.size()), nullptr,
                               range_.global.data(), range_.local.data(), 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
}

Range chunks(size_t groups) { return {{groups}, {1}}; }

Range items(size_t count, size_t local) { return {{(count + local - 1) / local * local}, {local}}; }

Job launchesJob(Rig& rig, const std::string& name, std::function<Launches()> prepare) {
  auto launches = std::make_shared<Launches>();
  return {name, [&rig, launches, prepare = std::move(prepare)](long count) {
            if (launches->empty()) *launches = prepare();
            const double start = now();
            for (long done = 0; done < count; done += batch) {
              for (long i = 0; i < std::min(batch, count - done); ++i)
                for (const Launch& launch : *launches) launch.enqueue(rig.queue.get());
              check(clFinish(rig.queue.get()), "clFinish");
            }
            return (now() - start) / static_cast<double>(count);
          }};
}

void expectNear(double value, double expected, double tolerance, const std::string& job) {
  if (std::abs(value - expected) <= tolerance * std::max(1.0, std::abs(expected))) return;
  throw std::runtime_error(job + " returned " + std::to_string(value) + ", expected " + std::to_string(expected));
}

std::string named(const char* job, const Size& size) { return std::string(job) + '-' + size.name; }

}  // namespace bench::array

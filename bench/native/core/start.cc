// Warm starts: the time until the first kernel has run in a program that caches its binaries.
//
// A PoCL binary contains the work-group functions only if it is fetched after the kernels have run with their local
// size, so the preparation launches every kernel before it saves the binary.
#include <stdexcept>

#include "jobs.h"

namespace bench::core {

namespace {

struct Bench {
  cl_device_id device = chooseDevice();
  Context context = createContext(device);
  Queue queue = createQueue(context.get(), device);
};

void saveBinary(const Bench& bench, const std::string& source, const std::vector<std::string>& names,
                const std::string& path) {
  const Program program = buildSource(bench.context.get(), bench.device, source);
  const Buffer a = createBuffer(bench.context.get(), workItems * sizeof(float));
  const Buffer b = createBuffer(bench.context.get(), workItems * sizeof(float));
  for (const std::string& name : names) {
    const Kernel kernel = createKernel(program.get(), name);
    setArguments(kernel.get(), a.get(), b.get());
    enqueue(bench.queue.get(), kernel.get());
  }
  check(clFinish(bench.queue.get()), "clFinish");
  writeBytes(path, programBinary(program.get()));
}

void prepare(const std::string& kernels, const std::string& cache) {
  const Bench bench;
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) names.push_back(kernelName(i));
  saveBinary(bench, readText(kernels + "/twenty.cl"), names, cache + "/twenty.bin");
  saveBinary(bench, readText(kernels + "/launch.cl"), {"scale"}, cache + "/launch.bin");
}

double buildTwenty(const std::string& cache) {
  const Bench bench;
  const double start = now();
  const Program program = buildBinary(bench.context.get(), bench.device, readBytes(cache + "/twenty.bin"));
  return now() - start;
}

// The same program through the runtime's build cache, which the preparation has filled.
double buildTwentyRuntime(const std::string& kernels) {
  const Bench bench;
  const std::string source = readText(kernels + "/twenty.cl");
  const double start = now();
  const Program program = buildSource(bench.context.get(), bench.device, source);
  return now() - start;
}

double firstKernel(const std::string& cache, double start) {
  const Bench bench;
  const Program program = buildBinary(bench.context.get(), bench.device, readBytes(cache + "/launch.bin"));
  const Kernel kernel = createKernel(program.get(), "scale");
  std::vector<float> values(workItems, 2.0F);
  const Buffer a = createBuffer(bench.context.get(), workItems * sizeof(float), values.data());
  const Buffer b = createBuffer(bench.context.get(), workItems * sizeof(float));
  setArguments(kernel.get(), a.get(), b.get());
  enqueue(bench.queue.get(), kernel.get());
  check(clEnqueueReadBuffer(bench.queue.get(), b.get(), CL_TRUE, 0, workItems * sizeof(float), values.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
  const double elapsed = now() - start;
  if (values.back() != 3.0F) throw std::runtime_error("the first kernel's result is wrong");
  return elapsed;
}

}  // namespace

double startJob(const std::string& name, const std::string& kernels, const std::string& cache, double start) {
  if (name == "prepare") {
    prepare(kernels, cache);
    return 0;
  }
  if (name == "build-20-warm") return buildTwenty(cache);
  if (name == "build-20-runtime") return buildTwentyRuntime(kernels);
  if (name == "first-kernel-warm") return firstKernel(cache, start);
  throw std::runtime_error("unknown job: " + name);
}

}  // namespace bench::core

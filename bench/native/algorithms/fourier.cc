// Fourier transforms with clFFT. The library is loaded at the first transform: without it these jobs report an error
// and the others still run.
#include <dlfcn.h>

#include <cmath>
#include <complex>
#include <stdexcept>

#include "jobs.h"

namespace bench::algorithms {

namespace {

// Declarations from clFFT.h.
using Plan = size_t;
struct SetupData {
  cl_uint major, minor, patch;
  cl_ulong debugFlags;
};
constexpr int oneDimension = 1, single = 1, interleaved = 1, outOfPlace = 2, forward = -1;

template <typename Function>
Function* symbol(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) throw std::runtime_error(std::string("libclFFT.so.2 has no ") + name);
  return reinterpret_cast<Function*>(found);
}

// The clFFT library. It is never unloaded.
struct Library {
  void* file = open();
  cl_int (*setup)(const SetupData*) = symbol<cl_int(const SetupData*)>(file, "clfftSetup");
  cl_int (*create)(Plan*, cl_context, int,
                   const size_t*) = symbol<cl_int(Plan*, cl_context, int, const size_t*)>(file,
                                                                                          "clfftCreateDefaultPlan");
  cl_int (*precision)(Plan, int) = symbol<cl_int(Plan, int)>(file, "clfftSetPlanPrecision");
  cl_int (*layout)(Plan, int, int) = symbol<cl_int(Plan, int, int)>(file, "clfftSetLayout");
  cl_int (*location)(Plan, int) = symbol<cl_int(Plan, int)>(file, "clfftSetResultLocation");
  cl_int (*bake)(Plan, cl_uint, cl_command_queue*, void*,
                 void*) = symbol<cl_int(Plan, cl_uint, cl_command_queue*, void*, void*)>(file, "clfftBakePlan");
  cl_int (*scratch)(Plan, size_t*) = symbol<cl_int(Plan, size_t*)>(file, "clfftGetTmpBufSize");
  cl_int (*enqueue)(Plan, int, cl_uint, cl_command_queue*, cl_uint, const cl_event*, cl_event*, cl_mem*, cl_mem*,
                    cl_mem) = symbol<cl_int(Plan, int, cl_uint, cl_command_queue*, cl_uint, const cl_event*, cl_event*,
                                            cl_mem*, cl_mem*, cl_mem)>(file, "clfftEnqueueTransform");

  Library() {
    const SetupData data{2, 12, 2, 0};
    check(setup(&data), "clfftSetup");
  }

  static void* open() {
    void* file = dlopen("libclFFT.so.2", RTLD_NOW | RTLD_LOCAL);
    if (file == nullptr) throw std::runtime_error("libclFFT.so.2 was not found; install it: apt install libclfft2");
    return file;
  }
};

// A transform plan with its buffers.
class Transform {
 public:
  Transform(Rig& rig, size_t length) : queue_(rig.queue.get()), length_(length), values_(2 * length) {
    static Library library;
    library_ = &library;
    for (size_t i = 0; i < values_.size(); ++i) values_[i] = static_cast<float>(i * 7919 % 65537) / 65537 - 0.5f;
    const size_t bytes = values_.size() * sizeof(float);
    in_ = createBuffer(rig.context.get(), bytes, values_.data());
    out_ = createBuffer(rig.context.get(), bytes);
    check(library.create(&plan_, rig.context.get(), oneDimension, &length), "clfftCreateDefaultPlan");
    check(library.precision(plan_, single), "clfftSetPlanPrecision");
    check(library.layout(plan_, interleaved, interleaved), "clfftSetLayout");
    check(library.location(plan_, outOfPlace), "clfftSetResultLocation");
    check(library.bake(plan_, 1, &queue_, nullptr, nullptr), "clfftBakePlan");
    size_t scratchBytes = 0;
    check(library.scratch(plan_, &scratchBytes), "clfftGetTmpBufSize");
    if (scratchBytes > 0) scratch_ = createBuffer(rig.context.get(), scratchBytes);
    enqueue();
    verify(rig);
  }

  void enqueue() {
    cl_mem in = in_.get(), out = out_.get();
    check(library_->enqueue(plan_, forward, 1, &queue_, 0, nullptr, nullptr, &in, &out, scratch_.get()),
          "clfftEnqueueTransform");
  }

 private:
  // Checks the elements at multiples of length/4: their roots of unity are 1, -1, i and -i, so plain sums suffice.
  void verify(const Rig& rig) const {
    const std::vector<float> found = rig.read(out_.get(), 2 * length_);
    for (size_t quarter = 0; quarter < 4; ++quarter) {
      if (quarter * length_ % 4 != 0) continue;
      const std::complex<double> roots[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
      std::complex<double> sum;
      for (size_t j = 0; j < length_; ++j)
        sum += std::complex<double>(values_[2 * j], values_[2 * j + 1]) * roots[j * quarter % 4];
      const size_t k = quarter * length_ / 4;
      const double tolerance = 1e-5 * std::sqrt(static_cast<double>(length_));
      expectNear(found[2 * k], sum.real(), tolerance, "fft");
      expectNear(found[2 * k + 1], sum.imag(), tolerance, "fft");
    }
  }

  Library* library_;
  cl_command_queue queue_;
  size_t length_;
  std::vector<float> values_;
  Buffer in_, out_, scratch_;
  Plan plan_ = 0;
};

Job fourierJob(Rig& rig, const std::string& name, size_t length) {
  return {name, [&rig, length, transform = std::shared_ptr<Transform>()](long count) mutable {
            if (transform == nullptr) transform = std::make_shared<Transform>(rig, length);
            const double start = now();
            for (long done = 0; done < count; done += batch) {
              for (long i = 0; i < std::min(batch, count - done); ++i) transform->enqueue();
              check(clFinish(rig.queue.get()), "clFinish");
            }
            return (now() - start) / static_cast<double>(count);
          }};
}

}  // namespace

std::vector<Job> fourierJobs(Rig& rig) {
  std::vector<Job> jobs;
  for (const Size& size : sizes) {
    const auto power = size_t{1} << std::lround(std::log2(static_cast<double>(size.elements)));
    jobs.push_back(fourierJob(rig, named("fft", size), power));
    jobs.push_back(fourierJob(rig, named("fft-decimal", size), size.elements));
  }
  return jobs;
}

}  // namespace bench::algorithms

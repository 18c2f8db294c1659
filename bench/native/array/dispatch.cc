// Overhead of an operation on a few elements: setting the arguments and enqueueing the kernel, with existing buffers.
#include <algorithm>

#include "jobs.h"

namespace bench::array {

namespace {

struct Small {
  Program program;
  Kernel add;
  Kernel fused;
};

void setAll(cl_kernel kernel, std::initializer_list<cl_mem> arguments) {
  cl_uint index = 0;
  for (const cl_mem argument : arguments)
    check(clSetKernelArg(kernel, index++, sizeof argument, &argument), "clSetKernelArg");
}

// Nanoseconds per call, in batches of `depth` that end with a finish.
template <typename Enqueue>
double timed(const Rig& rig, long count, long depth, Enqueue&& enqueue) {
  const double start = now();
  for (long done = 0; done < count; done += depth) {
    for (long i = 0; i < std::min(depth, count - done); ++i) enqueue();
    check(clFinish(rig.queue.get()), "clFinish");
  }
  return (now() - start) / static_cast<double>(count);
}

void launch(const Rig& rig, cl_kernel kernel, size_t elements) {
  check(clEnqueueNDRangeKernel(rig.queue.get(), kernel, 1, nullptr, &elements, &elements, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
}

}  // namespace

std::vector<Job> dispatchJobs(Rig& rig) {
  Program program = buildSource(rig.context.get(), rig.device, readText(rig.folder + "dispatch.cl"));
  Kernel add = createKernel(program.get(), "add"), fused = createKernel(program.get(), "fused");
  const auto small = std::make_shared<Small>(Small{std::move(program), std::move(add), std::move(fused)});
  constexpr long deep = 500;
  const auto addOf = [&rig, small](size_t elements, long depth) {
    return [&rig, small, elements, depth](long count) {
      const Operands& operands = rig.operands(elements);
      return timed(rig, count, depth, [&] {
        setAll(small->add.get(), {operands.a.get(), operands.b.get(), operands.out.get()});
        launch(rig, small->add.get(), elements);
      });
    };
  };
  return {{"dispatch-add", addOf(64, deep)},
          {"dispatch-fused",
           [&rig, small](long count) {
             const Operands& operands = rig.operands(64);
             return timed(rig, count, deep, [&] {
               setAll(small->fused.get(), {operands.a.get(), operands.b.get(), operands.c.get(), operands.out.get()});
               launch(rig, small->fused.get(), 64);
             });
           }},
          {"small-add", addOf(1000, 1)}};
}

}  // namespace bench::array

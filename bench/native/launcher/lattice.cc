// Steps of the flow in examples/lattice-boltzmann, two kernels that alternate, launched one by one. The unit is the
// update of one cell.
#include <algorithm>
#include <memory>

#include "jobs.h"

namespace bench::launcher {

namespace {

struct Lattice {
  Lattice(const Rig& rig, size_t side)
      : queue(rig.queue.get()),
        cells(side * side * side),
        cube{side, side, side},
        program(programOf(rig, side)),
        populations(createBuffer(rig.context.get(), 19 * sizeof(float) * cells)),
        flags(createBuffer(rig.context.get(), cells, std::vector<char>(cells).data())),
        even(createKernel(program.get(), "even")),
        odd(createKernel(program.get(), "odd")) {
    for (const Kernel* kernel : {&even, &odd}) {
      setBuffer(kernel->get(), 0, populations);
      setBuffer(kernel->get(), 1, flags);
    }
    std::vector<float> velocity(3 * cells);
    for (size_t i = 0; i < velocity.size(); ++i) velocity[i] = static_cast<float>(i % 17) * 1e-3F;
    const Buffer initial = createBuffer(rig.context.get(), velocity.size() * sizeof(float), velocity.data());
    const Kernel start = createKernel(program.get(), "start");
    setBuffer(start.get(), 0, populations);
    setBuffer(start.get(), 1, initial);
    check(clEnqueueNDRangeKernel(queue, start.get(), 1, nullptr, &cells, nullptr, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
  }

  static Program programOf(const Rig& rig, size_t side) {
    const std::string n = std::to_string(side);
    return buildSource(rig.context.get(), rig.device,
                       readText(rig.folder + "/../../examples/lattice-boltzmann/lattice.cl"),
                       "-D NX=" + n + " -D NY=" + n + " -D NZ=" + n);
  }

  static void setBuffer(cl_kernel kernel, cl_uint index, const Buffer& buffer) {
    const cl_mem memory = buffer.get();
    check(clSetKernelArg(kernel, index, sizeof memory, &memory), "clSetKernelArg");
  }

  void enqueue(cl_kernel kernel, cl_uint dimensions, const size_t* global, cl_float omega, cl_float inflow) const {
    check(clSetKernelArg(kernel, 2, sizeof omega, &omega), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof inflow, &inflow), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, nullptr, global, nullptr, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }

  void twoSteps(cl_float omega, cl_float inflow) const {
    enqueue(even.get(), 1, &cells, omega, inflow);
    enqueue(odd.get(), 3, cube, omega, inflow);
  }

  cl_command_queue queue;
  size_t cells;
  size_t cube[3];
  Program program;
  Buffer populations;
  Buffer flags;
  Kernel even;
  Kernel odd;
};

double timed(const Lattice& lattice, long count) {
  const long kernels = count / static_cast<long>(lattice.cells);
  const double start = now();
  for (long done = 0; done < kernels; done += batch) {
    for (long i = 0; i < std::min(batch, kernels - done); i += 2)
      lattice.twoSteps(1.7F + static_cast<float>(i) * 1e-6F, 0.1F);
    check(clFinish(lattice.queue), "clFinish");
  }
  return (now() - start) / static_cast<double>(count);
}

Job latticeJob(const Rig& rig, size_t side) {
  const auto lattice = std::make_shared<std::unique_ptr<Lattice>>();
  return {"lbm-d3q19-" + std::to_string(side), [&rig, lattice, side](long count) {
            if (!*lattice) *lattice = std::make_unique<Lattice>(rig, side);
            return timed(**lattice, count);
          }};
}

}  // namespace

std::vector<Job> latticeJobs(const Rig& rig) {
  std::vector<Job> jobs;
  for (const size_t side : {32, 64, 128, 256}) jobs.push_back(latticeJob(rig, side));
  return jobs;
}

}  // namespace bench::launcher

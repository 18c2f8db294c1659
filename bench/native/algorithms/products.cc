// Matrix products with CLBlast. The library is loaded at the first product: without it these jobs report an error and
// the others still run.
#include <dlfcn.h>

#include <stdexcept>

#include "jobs.h"

namespace bench::algorithms {

namespace {

// Declarations from clblast_c.h.
constexpr int rowMajor = 101, notTransposed = 111;
using Gemm = int(int, int, int, size_t, size_t, size_t, float, cl_mem, size_t, size_t, cl_mem, size_t, size_t, float,
                 cl_mem, size_t, size_t, cl_command_queue*, cl_event*);

Gemm* gemm() {
  void* file = dlopen("libclblast.so.1", RTLD_NOW | RTLD_LOCAL);
  if (file == nullptr) throw std::runtime_error("libclblast.so.1 was not found; install it: apt install libclblast1");
  void* found = dlsym(file, "CLBlastSgemm");
  if (found == nullptr) throw std::runtime_error("libclblast.so.1 has no CLBlastSgemm");
  return reinterpret_cast<Gemm*>(found);
}

// The product of two square matrices, with its buffers.
class Product {
 public:
  Product(Rig& rig, size_t extent)
      : queue_(rig.queue.get()), extent_(extent), operands_(rig.operands(extent * extent)) {
    enqueue();
    const std::vector<float> found = rig.read(operands_.out.get(), extent * extent);
    // Checks some elements of the first and the last row.
    for (size_t i : {size_t{0}, extent - 1}) {
      for (size_t j : {size_t{0}, extent / 2, extent - 1}) {
        double sum = 0;
        for (size_t k = 0; k < extent; ++k)
          sum += static_cast<double>(operands_.hostA[i * extent + k]) * operands_.hostB[k * extent + j];
        expectNear(found[i * extent + j], sum, 1e-5 * sum, "matmul");
      }
    }
  }

  void enqueue() {
    static Gemm* const multiply = gemm();
    const int status =
        multiply(rowMajor, notTransposed, notTransposed, extent_, extent_, extent_, 1, operands_.a.get(), 0, extent_,
                 operands_.b.get(), 0, extent_, 0, operands_.out.get(), 0, extent_, &queue_, nullptr);
    check(status, "CLBlastSgemm");
  }

 private:
  cl_command_queue queue_;
  size_t extent_;
  Operands& operands_;
};

Job productJob(Rig& rig, const std::string& name, size_t extent) {
  return {name, [&rig, extent, product = std::shared_ptr<Product>()](long count) mutable {
            if (product == nullptr) product = std::make_shared<Product>(rig, extent);
            const double start = now();
            for (long done = 0; done < count; ++done) {
              product->enqueue();
              check(clFinish(rig.queue.get()), "clFinish");
            }
            return (now() - start) / static_cast<double>(count);
          }};
}

}  // namespace

std::vector<Job> productJobs(Rig& rig) {
  return {productJob(rig, "matmul-1024", 1024), productJob(rig, "matmul-2048", 2048),
          productJob(rig, "matmul-4096", 4096), productJob(rig, "matmul-8192", 8192)};
}

}  // namespace bench::algorithms

// Runs scenarios against the fake library for its tests: `driver SCENARIO` prints lines of `name value`.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

extern "C" int fake_live(const char* kind);
extern "C" int fake_misuse();

namespace {

void print(const char* name, long value) { std::printf("%s %ld\n", name, value); }

/** A context and a queue on the first device, and functions that create objects in them. */
struct Setup {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  Setup() {
    clGetPlatformIDs(1, &platform, nullptr);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, nullptr);
  }

  ~Setup() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
};

void print_live() {
  for (const char* kind : {"context", "queue", "mem"}) {
    if (fake_live(kind) != 0) print(kind, fake_live(kind));
  }
  print("misuse", fake_misuse());
}

void misuses() {
  const Setup setup;
  const cl_mem mem = clCreateBuffer(setup.context, CL_MEM_READ_WRITE, 16, nullptr, nullptr);
  char host[32] = {};
  print("beyond", clEnqueueReadBuffer(setup.queue, mem, CL_TRUE, 8, 16, host, 0, nullptr, nullptr));
  print("kind", clReleaseMemObject(reinterpret_cast<cl_mem>(setup.queue)));
  print("foreign", clRetainMemObject(reinterpret_cast<cl_mem>(host)));
  clReleaseMemObject(mem);
  print("dead", clEnqueueReadBuffer(setup.queue, mem, CL_TRUE, 0, 16, host, 0, nullptr, nullptr));
  print("twice", clReleaseMemObject(mem));
}

void failures() {
  const Setup setup;
  for (int call = 1; call <= 4; ++call) {
    cl_int status = 0;
    const cl_mem mem = clCreateBuffer(setup.context, CL_MEM_READ_WRITE, 16, nullptr, &status);
    print("status", status);
    if (mem != nullptr) print("release", clReleaseMemObject(mem));
  }
}

}  // namespace

int main(int, char** arguments) {
  (std::strcmp(arguments[1], "misuses") == 0 ? misuses : failures)();
  print_live();
  return 0;
}

// Runs scenarios against the fake library for its tests: `driver SCENARIO [ARGUMENT…]` prints lines of `name value`.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

extern "C" int fake_live(const char* kind);
extern "C" int fake_calls(const char* routine);
extern "C" int fake_misuse();
extern "C" void fake_complete_all();

namespace {

void print(const char* name, long value) { std::printf("%s %ld\n", name, value); }

/** A context and a queue on the first device, and functions that create objects in them. */
struct Setup {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  explicit Setup(void(CL_CALLBACK* notify)(const char*, const void*, std::size_t, void*) = nullptr) {
    clGetPlatformIDs(1, &platform, nullptr);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    context = clCreateContext(nullptr, 1, &device, notify, nullptr, nullptr);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, nullptr);
  }

  ~Setup() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }

  cl_mem buffer(std::size_t size) const { return clCreateBuffer(context, CL_MEM_READ_WRITE, size, nullptr, nullptr); }

  cl_program program(const char* source) const {
    return clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  }
};

void print_live() {
  for (const char* kind :
       {"context", "queue", "mem", "event", "program", "kernel", "sampler", "device", "svm", "map"}) {
    if (fake_live(kind) != 0) print(kind, fake_live(kind));
  }
  print("misuse", fake_misuse());
}

/** Polls a condition for up to 5 s and returns its last value. */
template <class Condition>
bool eventually(Condition&& condition) {
  for (int tries = 0; tries < 5000 && !condition(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

void symbols(int count, char** arguments) {
  void* const library = dlopen(arguments[0], RTLD_NOW | RTLD_LOCAL);
  for (int at = 1; at < count; ++at) {
    if (dlsym(library, arguments[at]) == nullptr) std::printf("missing %s\n", arguments[at]);
  }
  cl_platform_id platform = nullptr;
  const auto ids = reinterpret_cast<decltype(&clGetPlatformIDs)>(dlsym(library, "clGetPlatformIDs"));
  const auto info = reinterpret_cast<decltype(&clGetPlatformInfo)>(dlsym(library, "clGetPlatformInfo"));
  char text[8192];
  ids(1, &platform, nullptr);
  info(platform, CL_PLATFORM_VERSION, sizeof text, text, nullptr);
  std::printf("version %.10s\n", text);
}

void discovery() {
  cl_uint count = 77;
  print("platforms_status", clGetPlatformIDs(0, nullptr, &count));
  print("platforms", count);
  std::vector<cl_platform_id> platforms(count);
  if (count == 0 || clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return;
  print("devices_status", clGetDeviceIDs(platforms.back(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
  print("devices", count);
  std::size_t size = 0;
  print("name_status", clGetPlatformInfo(platforms[0], CL_PLATFORM_NAME, 0, nullptr, &size));
  print("name_size", static_cast<long>(size));
  std::vector<char> name(size);
  print("short_status", clGetPlatformInfo(platforms[0], CL_PLATFORM_NAME, size - 1, name.data(), nullptr));
}

void transfers() {
  const Setup setup;
  const cl_mem a = setup.buffer(64);
  const cl_mem b = setup.buffer(64);
  unsigned char host[64];
  for (unsigned at = 0; at < 64; ++at) host[at] = static_cast<unsigned char>(at);
  clEnqueueWriteBuffer(setup.queue, a, CL_TRUE, 0, 64, host, 0, nullptr, nullptr);
  clEnqueueCopyBuffer(setup.queue, a, b, 8, 0, 16, 0, nullptr, nullptr);
  const unsigned char pattern = 99;
  clEnqueueFillBuffer(setup.queue, b, &pattern, 1, 4, 4, 0, nullptr, nullptr);
  // Two rows of three bytes, 8 bytes apart: 0 1 2, 8 9 10.
  const std::size_t origin[3] = {0, 0, 0};
  const std::size_t region[3] = {3, 2, 1};
  const std::size_t target[3] = {32, 0, 0};
  clEnqueueCopyBufferRect(setup.queue, a, b, origin, target, region, 8, 0, 3, 0, 0, nullptr, nullptr);
  const auto mapped = static_cast<unsigned char*>(
      clEnqueueMapBuffer(setup.queue, b, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, nullptr));
  print("copied", mapped[0]);
  print("filled", mapped[4]);
  print("rect", mapped[32 + 3]);
  print("maps", fake_live("map"));
  clEnqueueUnmapMemObject(setup.queue, b, mapped, 0, nullptr, nullptr);
  const cl_image_format format{CL_R, CL_UNSIGNED_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  const cl_mem image =
      clCreateImage(setup.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, host, nullptr);
  const std::size_t corner[3] = {1, 1, 0};
  const std::size_t box[3] = {2, 2, 1};
  unsigned char pixels[4] = {};
  clEnqueueReadImage(setup.queue, image, CL_TRUE, corner, box, 0, 0, pixels, 0, nullptr, nullptr);
  print("pixel", pixels[3]);
  for (const cl_mem mem : {a, b, image}) clReleaseMemObject(mem);
}

void kernels() {
  const Setup setup;
  const cl_program program = setup.program(R"(
    // kernel void commented(int a) {}
    #define WIDTH 4
    __kernel __attribute__((reqd_work_group_size(8, 1, 1))) void
    add(__global const float4 *restrict a, __local int *scratch, unsigned int n, read_only image2d_t image) {}
    kernel void other(void) {}
  )");
  print("build", clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  cl_kernel kernel[2];
  cl_uint count = 0;
  clCreateKernelsInProgram(program, 2, kernel, &count);
  print("kernels", count);
  cl_uint arguments = 0;
  clGetKernelInfo(kernel[0], CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr);
  for (cl_uint at = 0; at < arguments; ++at) {
    char type[32];
    char name[32];
    clGetKernelArgInfo(kernel[0], at, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, nullptr);
    clGetKernelArgInfo(kernel[0], at, CL_KERNEL_ARG_NAME, sizeof name, name, nullptr);
    std::printf("argument %s %s\n", type, name);
  }
  const cl_uint n = 1;
  const std::size_t global = 8;
  print("index", clSetKernelArg(kernel[0], 4, sizeof n, &n));
  print("size", clSetKernelArg(kernel[0], 2, 8, &n));
  print("unset", clEnqueueNDRangeKernel(setup.queue, kernel[0], 1, nullptr, &global, &global, 0, nullptr, nullptr));
  print("launch", clEnqueueNDRangeKernel(setup.queue, kernel[1], 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  for (const cl_kernel each : kernel) clReleaseKernel(each);
  clReleaseProgram(program);
}

void misuses() {
  const Setup setup;
  const cl_mem mem = setup.buffer(16);
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

std::atomic<int> called{0};
std::atomic<int> called_status{0};
std::atomic<bool> called_elsewhere{false};
std::thread::id main_thread;

void note_call(int status) {
  called_status = status;
  called_elsewhere = std::this_thread::get_id() != main_thread;
  ++called;
}

void CL_CALLBACK on_event(cl_event, cl_int status, void*) { note_call(status); }

void CL_CALLBACK on_error(const char*, const void*, std::size_t, void*) { note_call(1); }

void CL_CALLBACK on_build(cl_program, void*) { note_call(0); }

void print_callback() {
  print("called", eventually([] { return called > 0; }));
  print("status", called_status);
  print("elsewhere", called_elsewhere);
}

void events() {
  const Setup setup;
  cl_event event = nullptr;
  clEnqueueMarkerWithWaitList(setup.queue, 0, nullptr, &event);
  clSetEventCallback(event, CL_COMPLETE, on_event, nullptr);
  cl_int status = 0;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  print("before", status);
  fake_complete_all();
  print("wait", clWaitForEvents(1, &event));
  print_callback();
  cl_ulong times[2] = {};
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(cl_ulong), &times[0], nullptr);
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(cl_ulong), &times[1], nullptr);
  print("took", static_cast<long>(times[1] - times[0]));
  clReleaseEvent(event);
}

void user_events() {
  const Setup setup;
  const cl_event gate = clCreateUserEvent(setup.context, nullptr);
  const cl_mem mem = setup.buffer(4);
  const int value = 7;
  int host = 0;
  clEnqueueWriteBuffer(setup.queue, mem, CL_FALSE, 0, 4, &value, 1, &gate, nullptr);
  clEnqueueReadBuffer(setup.queue, mem, CL_FALSE, 0, 4, &host, 0, nullptr, nullptr);
  print("before", host);
  clSetUserEventStatus(gate, CL_COMPLETE);
  clFinish(setup.queue);
  print("after", host);
  clReleaseMemObject(mem);
  clReleaseEvent(gate);
}

void builds() {
  const Setup setup;
  const cl_program program = setup.program("kernel void f(void) {}");
  print("build", clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  char log[256];
  clGetProgramBuildInfo(program, setup.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
  std::printf("log %.13s\n", log);
  print("again", clBuildProgram(program, 0, nullptr, nullptr, on_build, nullptr));
  print_callback();
  clReleaseProgram(program);
  eventually([] { return fake_live("program") == 0; });
}

void context_errors() {
  const Setup setup(on_error);
  for (int at = 0; at < 2; ++at) clEnqueueBarrierWithWaitList(setup.queue, 0, nullptr, nullptr);
  print_callback();
  print("times", called);
}

}  // namespace

int main(int count, char** arguments) {
  main_thread = std::this_thread::get_id();
  const std::map<std::string, std::function<void()>> scenarios{{"symbols", [&] { symbols(count - 2, arguments + 2); }},
                                                               {"discovery", discovery},
                                                               {"transfers", transfers},
                                                               {"kernels", kernels},
                                                               {"misuses", misuses},
                                                               {"failures", failures},
                                                               {"events", events},
                                                               {"user-events", user_events},
                                                               {"builds", builds},
                                                               {"context-errors", context_errors}};
  scenarios.at(arguments[1])();
  eventually([] { return fake_live("event") == 0; });
  print_live();
  return 0;
}

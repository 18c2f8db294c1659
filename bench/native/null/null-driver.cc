// The null driver: the launch entry points as no-ops, everything else as the real library has it.
//
// What remains when the driver's share of a launch is nothing is the wrapper's share, and that is stable to a few
// per cent where the driver's is not. A program gets it by preloading (C++, Python), or by opening this library in
// the place of libOpenCL: it depends on the real one, so a symbol looked up in its handle is found there.
//
// PyOpenCL asks for an event with every launch. It gets one fixed fake, and the reference counts of that fake are
// ignored here; anything dearer would be charged to PyOpenCL's wrapper.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>

namespace {

char fakeEventStorage[256];
cl_event const fakeEvent = reinterpret_cast<cl_event>(fakeEventStorage);

using EventCall = cl_int (*)(cl_event);

EventCall next(const char* name) { return reinterpret_cast<EventCall>(dlsym(RTLD_NEXT, name)); }

}  // namespace

extern "C" {

cl_int clSetKernelArg(cl_kernel, cl_uint, size_t, const void*) { return CL_SUCCESS; }

cl_int clSetKernelArgSVMPointer(cl_kernel, cl_uint, const void*) { return CL_SUCCESS; }

cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*,
                              cl_uint, const cl_event*, cl_event* event) {
  if (event != nullptr) *event = fakeEvent;
  return CL_SUCCESS;
}

cl_int clRetainEvent(cl_event event) {
  static const EventCall real = next("clRetainEvent");
  return event == fakeEvent ? CL_SUCCESS : real(event);
}

cl_int clReleaseEvent(cl_event event) {
  static const EventCall real = next("clReleaseEvent");
  return event == fakeEvent ? CL_SUCCESS : real(event);
}

}  // extern "C"

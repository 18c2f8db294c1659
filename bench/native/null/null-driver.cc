// The null driver: the launch entry points as no-ops, everything else from the real library.
//
// With the driver's share of a launch removed, the wrapper's share remains, and it is stable to a few percent where
// the driver's is not. A program loads it with LD_PRELOAD (C++, Python) or opens it in place of libOpenCL: it is linked
// to the real library, so looking up a symbol in its handle also finds the real ones.
//
// PyOpenCL requests an event with every launch. It gets a fixed fake event whose reference counts are ignored here;
// anything more expensive would be charged to PyOpenCL's wrapper.
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

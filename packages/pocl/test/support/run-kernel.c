// Runs a kernel with an OpenCL library, and prints the name of its device, its extensions and the results, one per
// line.
//   run-kernel LIBRARY COUNT SOURCE
// SOURCE has `__kernel void f(__global float *x)`, which runs in one work-group of COUNT work-items on COUNT elements,
// each initially equal to its index.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void* library;

static void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: status %d\n", what, status);
  exit(1);
}

// Declares a function of the library.
#define FROM_LIBRARY(name) __typeof__(&name) name##_ = (__typeof__(&name))dlsym(library, #name)

static void print_device(cl_device_id device) {
  FROM_LIBRARY(clGetDeviceInfo);
  static char text[1 << 16];
  const cl_device_info parameters[] = {CL_DEVICE_NAME, CL_DEVICE_EXTENSIONS};
  for (int i = 0; i < 2; i++) {
    check(clGetDeviceInfo_(device, parameters[i], sizeof(text), text, NULL), "clGetDeviceInfo");
    puts(text);
  }
}

static cl_program build(cl_context context, cl_device_id device, const char* source) {
  FROM_LIBRARY(clCreateProgramWithSource);
  FROM_LIBRARY(clBuildProgram);
  FROM_LIBRARY(clGetProgramBuildInfo);
  cl_int status;
  const cl_program program = clCreateProgramWithSource_(context, 1, &source, NULL, &status);
  check(status, "clCreateProgramWithSource");
  status = clBuildProgram_(program, 1, &device, "", NULL, NULL);
  static char log[1 << 16];
  clGetProgramBuildInfo_(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
  fputs(log, stderr);
  check(status, "clBuildProgram");
  return program;
}

static void run(cl_context context, cl_device_id device, cl_program program, float* values, size_t count) {
  FROM_LIBRARY(clCreateCommandQueueWithProperties);
  FROM_LIBRARY(clCreateBuffer);
  FROM_LIBRARY(clCreateKernel);
  FROM_LIBRARY(clSetKernelArg);
  FROM_LIBRARY(clEnqueueNDRangeKernel);
  FROM_LIBRARY(clEnqueueReadBuffer);
  cl_int status;
  const cl_command_queue queue = clCreateCommandQueueWithProperties_(context, device, NULL, &status);
  check(status, "clCreateCommandQueueWithProperties");
  const size_t bytes = count * sizeof(float);
  const cl_mem buffer = clCreateBuffer_(context, CL_MEM_COPY_HOST_PTR, bytes, values, &status);
  check(status, "clCreateBuffer");
  const cl_kernel kernel = clCreateKernel_(program, "f", &status);
  check(status, "clCreateKernel");
  check(clSetKernelArg_(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
  check(clEnqueueNDRangeKernel_(queue, kernel, 1, NULL, &count, &count, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer_(queue, buffer, CL_TRUE, 0, bytes, values, 0, NULL, NULL), "clEnqueueReadBuffer");
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  FROM_LIBRARY(clGetPlatformIDs);
  FROM_LIBRARY(clGetDeviceIDs);
  FROM_LIBRARY(clCreateContext);
  cl_platform_id platform;
  check(clGetPlatformIDs_(1, &platform, NULL), "clGetPlatformIDs");
  cl_device_id device;
  check(clGetDeviceIDs_(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  print_device(device);
  cl_int status;
  const cl_context context = clCreateContext_(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  const size_t count = strtoul(argv[2], NULL, 10);
  float* values = malloc(count * sizeof(float));
  for (size_t i = 0; i < count; i++) values[i] = (float)i;
  run(context, device, build(context, device, argv[3]), values, count);
  for (size_t i = 0; i < count; i++) printf("%.9g\n", values[i]);
  free(values);
  return 0;
}

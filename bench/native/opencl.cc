#include "opencl.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace bench {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool isGpu(cl_device_id device) {
  cl_device_type type = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr), "clGetDeviceInfo");
  return (type & CL_DEVICE_TYPE_GPU) != 0;
}

std::string platformName(cl_platform_id platform) {
  size_t size = 0;
  check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &size), "clGetPlatformInfo");
  std::string name(size, '\0');
  check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, size, name.data(), nullptr), "clGetPlatformInfo");
  return name;
}

}  // namespace

void check(cl_int status, const char* routine) {
  if (status != CL_SUCCESS) throw std::runtime_error(std::string(routine) + " failed: " + std::to_string(status));
}

cl_device_id chooseDevice() {
  cl_uint count = 0;
  check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");

  const char* selector = std::getenv("CL_DEVICE");
  std::vector<cl_device_id> found;
  for (cl_platform_id platform : platforms) {
    cl_uint devices = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices) != CL_SUCCESS) continue;
    std::vector<cl_device_id> ids(devices);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices, ids.data(), nullptr), "clGetDeviceIDs");
    for (cl_device_id id : ids) {
      const std::string names = selector == nullptr ? "" : lower(platformName(platform) + ' ' + deviceName(id));
      if (selector == nullptr || names.find(lower(selector)) != std::string::npos) found.push_back(id);
    }
  }
  if (found.empty()) throw std::runtime_error("no OpenCL device");
  const auto gpu = std::find_if(found.begin(), found.end(), isGpu);
  return gpu == found.end() ? found.front() : *gpu;
}

std::string deviceName(cl_device_id device) {
  size_t size = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_NAME, 0, nullptr, &size), "clGetDeviceInfo");
  std::string name(size, '\0');
  check(clGetDeviceInfo(device, CL_DEVICE_NAME, size, name.data(), nullptr), "clGetDeviceInfo");
  name.resize(size - 1);
  return name;
}

Context createContext(cl_device_id device) {
  cl_int status = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status));
  check(status, "clCreateContext");
  return context;
}

Queue createQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int status = CL_SUCCESS;
  Queue queue(clCreateCommandQueueWithProperties(context, device, list, &status));
  check(status, "clCreateCommandQueueWithProperties");
  return queue;
}

Buffer createBuffer(cl_context context, size_t bytes, const void* data) {
  const cl_mem_flags flags = data == nullptr ? CL_MEM_READ_WRITE : CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_int status = CL_SUCCESS;
  Buffer buffer(clCreateBuffer(context, flags, bytes, const_cast<void*>(data), &status));
  check(status, "clCreateBuffer");
  return buffer;
}

Kernel createKernel(cl_program program, const std::string& name) {
  cl_int status = CL_SUCCESS;
  Kernel kernel(clCreateKernel(program, name.c_str(), &status));
  check(status, "clCreateKernel");
  return kernel;
}

Program buildSource(cl_context context, cl_device_id device, const std::string& source, const std::string& options) {
  const char* text = source.data();
  const size_t length = source.size();
  cl_int status = CL_SUCCESS;
  Program program(clCreateProgramWithSource(context, 1, &text, &length, &status));
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr), "clBuildProgram");
  return program;
}

Program buildBinary(cl_context context, cl_device_id device, const std::vector<unsigned char>& binary) {
  const unsigned char* bytes = binary.data();
  const size_t length = binary.size();
  cl_int status = CL_SUCCESS;
  cl_int binaryStatus = CL_SUCCESS;
  Program program(clCreateProgramWithBinary(context, 1, &device, &length, &bytes, &binaryStatus, &status));
  check(status, "clCreateProgramWithBinary");
  check(binaryStatus, "clCreateProgramWithBinary");
  check(clBuildProgram(program.get(), 1, &device, "", nullptr, nullptr), "clBuildProgram");
  return program;
}

std::vector<unsigned char> programBinary(cl_program program) {
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "clGetProgramInfo");
  std::vector<unsigned char> binary(size);
  unsigned char* bytes = binary.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr), "clGetProgramInfo");
  return binary;
}

std::string kernelName(int index) {
  return {'k', static_cast<char>('0' + index / 10), static_cast<char>('0' + index % 10)};
}

std::vector<unsigned char> readBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string readText(const std::string& path) {
  const std::vector<unsigned char> bytes = readBytes(path);
  return {bytes.begin(), bytes.end()};
}

void writeBytes(const std::string& path, const std::vector<unsigned char>& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace bench

// Programs: the four ways to create one, and their queries.
#include "program.h"

#include <algorithm>

namespace fake {

std::string binary_of(const _cl_program& program) {
  if (program.status != CL_BUILD_SUCCESS) return {};
  return std::string(binary_magic) + std::to_string(program.binary_type) + program.source;
}

cl_program make_program(_cl_context& context) {
  const auto program = make<_cl_program>();
  program->context = &context;
  program->devices = context.devices;
  hold(context);
  return program;
}

void on_destroy(_cl_program& program) { unhold(*program.context); }

namespace {

void check_devices(const _cl_context& context, cl_uint count, const cl_device_id* devices) {
  require(count > 0 && devices != nullptr, CL_INVALID_VALUE, "no devices");
  for (cl_uint at = 0; at < count; ++at) {
    check(devices[at], CL_INVALID_DEVICE);
    const auto& known = context.devices;
    require(std::find(known.begin(), known.end(), devices[at]) != known.end(), CL_INVALID_DEVICE,
            "a device that is not in the context");
  }
}

/** Reads the source from a binary; returns false if the fake library did not make it. */
bool read_binary(std::string_view binary, _cl_program& program) {
  if (!binary.starts_with(binary_magic) || binary.size() <= binary_magic.size()) return false;
  program.binary_type = static_cast<cl_program_binary_type>(binary[binary_magic.size()] - '0');
  program.source = binary.substr(binary_magic.size() + 1);
  return true;
}

std::string kernel_names(const _cl_program& program) {
  std::string names;
  for (const auto& kernel : program.kernels) names += (names.empty() ? "" : ";") + kernel.name;
  return names;
}

/** Copies each binary to the caller's buffer for it; null pointers are skipped. */
void write_binaries(const _cl_program& program, std::size_t size, void* value, std::size_t* size_ret) {
  const std::size_t needed = program.devices.size() * sizeof(unsigned char*);
  if (value != nullptr && size < needed) fail(CL_INVALID_VALUE);
  if (size_ret != nullptr) *size_ret = needed;
  if (value == nullptr) return;
  const std::string binary = binary_of(program);
  for (std::size_t at = 0; at < program.devices.size(); ++at) {
    const auto place = static_cast<unsigned char**>(value)[at];
    if (place != nullptr) std::memcpy(place, binary.data(), binary.size());
  }
}

}  // namespace
cl_program program_from_il(cl_context context, const void* il, std::size_t length) {
  auto& c = check(context, CL_INVALID_CONTEXT);
  require(il != nullptr && length > 0, CL_INVALID_VALUE, "no intermediate language");
  if (length < sizeof spirv_magic || std::memcmp(il, &spirv_magic, sizeof spirv_magic) != 0) fail(CL_INVALID_VALUE);
  const auto program = make_program(c);
  program->il.assign(static_cast<const char*>(il), length);
  program->source = program->il.substr(sizeof spirv_magic);
  return program;
}

}  // namespace fake

using namespace fake;

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                     const std::size_t* lengths, cl_int* errcode_ret) {
  return create_routine("clCreateProgramWithSource", errcode_ret, [&] {
    auto& c = check(context, CL_INVALID_CONTEXT);
    require(count > 0 && strings != nullptr, CL_INVALID_VALUE, "no source");
    std::string source;
    for (cl_uint at = 0; at < count; ++at) {
      require(strings[at] != nullptr, CL_INVALID_VALUE, "a null source string");
      const bool terminated = lengths == nullptr || lengths[at] == 0;
      source += terminated ? std::string(strings[at]) : std::string(strings[at], lengths[at]);
    }
    const auto program = make_program(c);
    program->source = std::move(source);
    program->from_source = true;
    return program;
  });
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id* devices,
                                     const std::size_t* lengths, const unsigned char** binaries, cl_int* binary_status,
                                     cl_int* errcode_ret) {
  return create_routine("clCreateProgramWithBinary", errcode_ret, [&] {
    auto& c = check(context, CL_INVALID_CONTEXT);
    check_devices(c, count, devices);
    require(lengths != nullptr && binaries != nullptr, CL_INVALID_VALUE, "no binaries");
    _cl_program content;
    bool valid = true;
    for (cl_uint at = 0; at < count; ++at) {
      require(lengths[at] > 0 && binaries[at] != nullptr, CL_INVALID_VALUE, "an empty binary");
      const bool ours = read_binary({reinterpret_cast<const char*>(binaries[at]), lengths[at]}, content);
      if (binary_status != nullptr) binary_status[at] = ours ? CL_SUCCESS : CL_INVALID_BINARY;
      valid = valid && ours;
    }
    if (!valid) fail(CL_INVALID_BINARY);
    const auto program = make_program(c);
    program->devices.assign(devices, devices + count);
    program->source = std::move(content.source);
    program->binary_type = content.binary_type;
    return program;
  });
}

cl_program clCreateProgramWithIL(cl_context context, const void* il, std::size_t length, cl_int* errcode_ret) {
  return create_routine("clCreateProgramWithIL", errcode_ret, [&] { return program_from_il(context, il, length); });
}

cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint count, const cl_device_id* devices,
                                             const char* names, cl_int* errcode_ret) {
  return create_routine("clCreateProgramWithBuiltInKernels", errcode_ret, [&] {
    auto& c = check(context, CL_INVALID_CONTEXT);
    check_devices(c, count, devices);
    require(names != nullptr, CL_INVALID_VALUE, "no names");
    std::string source;
    const std::string list = std::string(names) + ";";
    for (std::size_t start = 0; start < list.size();) {
      const auto end = list.find(';', start);
      const auto name = list.substr(start, end - start);
      if (name != "fake_fill" && name != "fake_copy") fail(CL_INVALID_VALUE);
      source += "kernel void " + name + "(global int *to, global const int *from) {}\n";
      start = end + 1;
    }
    const auto program = make_program(c);
    program->devices.assign(devices, devices + count);
    program->kernels = parse_signatures(source);
    program->status = CL_BUILD_SUCCESS;
    return program;
  });
}

cl_int clRetainProgram(cl_program program) {
  return routine("clRetainProgram", [&] { retain(program, CL_INVALID_PROGRAM); });
}

cl_int clReleaseProgram(cl_program program) {
  return release_routine("clReleaseProgram", [&] { release(program, CL_INVALID_PROGRAM); });
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, std::size_t size, void* value,
                        std::size_t* size_ret) {
  return info_routine("clGetProgramInfo", size, value, size_ret, [&](Info& out) {
    const auto& p = check(program, CL_INVALID_PROGRAM);
    const bool executable = p.status == CL_BUILD_SUCCESS;
    switch (name) {
      case CL_PROGRAM_REFERENCE_COUNT:
        return out.put<cl_uint>(static_cast<cl_uint>(p.refs));
      case CL_PROGRAM_CONTEXT:
        return out.put<cl_context>(p.context);
      case CL_PROGRAM_NUM_DEVICES:
        return out.put<cl_uint>(static_cast<cl_uint>(p.devices.size()));
      case CL_PROGRAM_DEVICES:
        return out.list(p.devices);
      case CL_PROGRAM_SOURCE:
        return out.text(p.from_source ? p.source : "");
      case CL_PROGRAM_BINARY_SIZES:
        return out.list(std::vector<std::size_t>(p.devices.size(), binary_of(p).size()));
      case CL_PROGRAM_BINARIES:
        return write_binaries(p, size, value, size_ret);
      case CL_PROGRAM_NUM_KERNELS:
        if (!executable) fail(CL_INVALID_PROGRAM_EXECUTABLE);
        return out.put<std::size_t>(p.kernels.size());
      case CL_PROGRAM_KERNEL_NAMES:
        if (!executable) fail(CL_INVALID_PROGRAM_EXECUTABLE);
        return out.text(kernel_names(p));
      case CL_PROGRAM_IL:
        require_version(210);
        return out.bytes(p.il.data(), p.il.size());
      case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
      case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        require_version(220);
        return out.put<cl_bool>(CL_FALSE);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint id, std::size_t size, const void* value) {
  return routine("clSetProgramSpecializationConstant", [&] {
    const auto& p = check(program, CL_INVALID_PROGRAM);
    if (p.il.empty()) fail(CL_INVALID_PROGRAM);
    require(value != nullptr && size > 0 && size <= 8, CL_INVALID_VALUE, "a constant of an invalid size");
    // Modules of the fake library declare the constants 0 to 15.
    if (id > 15) fail(CL_INVALID_SPEC_ID);
  });
}

cl_int clSetProgramReleaseCallback(cl_program program, void(CL_CALLBACK*)(cl_program, void*), void*) {
  return routine("clSetProgramReleaseCallback", [&] {
    check(program, CL_INVALID_PROGRAM);
    fail(CL_INVALID_OPERATION);
  });
}

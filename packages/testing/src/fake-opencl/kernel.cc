// Kernels: creation, cloning, arguments and queries.
#include <algorithm>

#include "memory.h"

namespace fake {

void on_destroy(_cl_kernel& kernel) { unhold(*kernel.program); }

namespace {

cl_kernel make_kernel(_cl_program& program, const Signature& signature) {
  const auto kernel = make<_cl_kernel>();
  kernel->program = &program;
  kernel->signature = signature;
  kernel->arguments.resize(signature.parameters.size());
  hold(program);
  return kernel;
}

_cl_program& executable(cl_program program) {
  auto& p = check(program, CL_INVALID_PROGRAM);
  const bool built = p.status == CL_BUILD_SUCCESS && p.binary_type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  if (!built) fail(CL_INVALID_PROGRAM_EXECUTABLE);
  return p;
}

/** Checks and sets an object argument. It is checked again at every launch, since setting it does not retain it. */
void set_object(_cl_kernel& kernel, const Parameter& parameter, _cl_kernel::Argument& argument, const void* value) {
  const auto context = kernel.program->context;
  if (parameter.is_sampler()) {
    if (value == nullptr) fail(CL_INVALID_SAMPLER);
    argument.sampler = *static_cast<const cl_sampler*>(value);
    check_in(context, argument.sampler, CL_INVALID_SAMPLER);
  } else if (value != nullptr && *static_cast<const cl_mem*>(value) != nullptr) {
    argument.mem = *static_cast<const cl_mem*>(value);
    check_in(context, argument.mem, CL_INVALID_MEM_OBJECT);
  } else {
    if (!parameter.type.ends_with('*')) fail(CL_INVALID_ARG_VALUE);
    argument.mem = nullptr;
  }
}

_cl_device_id& device_of(const _cl_kernel& kernel, cl_device_id device) {
  const auto& devices = kernel.program->devices;
  if (device == nullptr) {
    if (devices.size() != 1) fail(CL_INVALID_DEVICE);
    return *devices.front();
  }
  check(device, CL_INVALID_DEVICE);
  if (std::find(devices.begin(), devices.end(), device) == devices.end()) fail(CL_INVALID_DEVICE);
  return *device;
}

}  // namespace
}  // namespace fake

using namespace fake;

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* errcode_ret) {
  return create_routine("clCreateKernel", errcode_ret, [&]() -> cl_kernel {
    auto& p = executable(program);
    require(name != nullptr, CL_INVALID_VALUE, "no name");
    for (const auto& signature : p.kernels) {
      if (signature.name == name) return make_kernel(p, signature);
    }
    fail(CL_INVALID_KERNEL_NAME);
  });
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint entries, cl_kernel* kernels, cl_uint* count) {
  return routine("clCreateKernelsInProgram", [&] {
    auto& p = executable(program);
    require(kernels == nullptr || entries >= p.kernels.size(), CL_INVALID_VALUE, "too few entries for the kernels");
    if (count != nullptr) *count = static_cast<cl_uint>(p.kernels.size());
    for (std::size_t at = 0; kernels != nullptr && at < p.kernels.size(); ++at) {
      kernels[at] = make_kernel(p, p.kernels[at]);
    }
  });
}

cl_kernel clCloneKernel(cl_kernel source, cl_int* errcode_ret) {
  return create_routine("clCloneKernel", errcode_ret, [&] {
    const auto& from = check(source, CL_INVALID_KERNEL);
    const auto kernel = make_kernel(*from.program, from.signature);
    kernel->arguments = from.arguments;
    return kernel;
  });
}

cl_int clRetainKernel(cl_kernel kernel) {
  return routine("clRetainKernel", [&] { retain(kernel, CL_INVALID_KERNEL); });
}

cl_int clReleaseKernel(cl_kernel kernel) {
  return release_routine("clReleaseKernel", [&] { release(kernel, CL_INVALID_KERNEL); });
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, std::size_t size, const void* value) {
  return routine("clSetKernelArg", [&] {
    auto& k = check(kernel, CL_INVALID_KERNEL);
    if (index >= k.arguments.size()) fail(CL_INVALID_ARG_INDEX);
    const auto& parameter = k.signature.parameters[index];
    auto& argument = k.arguments[index];
    if (parameter.is_local()) {
      if (value != nullptr) fail(CL_INVALID_ARG_VALUE);
      if (size == 0) fail(CL_INVALID_ARG_SIZE);
    } else {
      if (size == 0 || (parameter.size != 0 && size != parameter.size)) fail(CL_INVALID_ARG_SIZE);
      if (parameter.is_mem() || parameter.is_sampler()) {
        set_object(k, parameter, argument, value);
      } else if (value == nullptr) {
        fail(CL_INVALID_ARG_VALUE);
      }
    }
    argument.set = true;
  });
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void* value) {
  return routine("clSetKernelArgSVMPointer", [&] {
    auto& k = check(kernel, CL_INVALID_KERNEL);
    if (index >= k.arguments.size()) fail(CL_INVALID_ARG_INDEX);
    if (!k.signature.parameters[index].is_mem()) fail(CL_INVALID_ARG_VALUE);
    require(value == nullptr || is_shared(value, 0), CL_INVALID_ARG_VALUE, "no SVM pointer");
    k.arguments[index] = {true, nullptr, nullptr};
  });
}

cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, std::size_t size, const void* value) {
  return routine("clSetKernelExecInfo", [&] {
    check(kernel, CL_INVALID_KERNEL);
    require(value != nullptr && size > 0, CL_INVALID_VALUE, "no value");
    if (name == CL_KERNEL_EXEC_INFO_SVM_PTRS) {
      require(size % sizeof(void*) == 0, CL_INVALID_VALUE, "a size that is not a multiple of the pointer size");
      for (std::size_t at = 0; at < size / sizeof(void*); ++at) {
        require(is_shared(static_cast<void* const*>(value)[at], 0), CL_INVALID_VALUE, "no SVM pointer");
      }
    } else if (name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM) {
      const bool enabled = *static_cast<const cl_bool*>(value) != CL_FALSE;
      if (enabled && (svm_capabilities() & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) == 0) fail(CL_INVALID_OPERATION);
    } else {
      fail(CL_INVALID_VALUE);
    }
  });
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, std::size_t size, void* value, std::size_t* size_ret) {
  return info_routine("clGetKernelInfo", size, value, size_ret, [&](Info& out) {
    const auto& k = check(kernel, CL_INVALID_KERNEL);
    switch (name) {
      case CL_KERNEL_FUNCTION_NAME:
        return out.text(k.signature.name);
      case CL_KERNEL_NUM_ARGS:
        return out.put<cl_uint>(static_cast<cl_uint>(k.arguments.size()));
      case CL_KERNEL_REFERENCE_COUNT:
        return out.put<cl_uint>(static_cast<cl_uint>(k.refs));
      case CL_KERNEL_CONTEXT:
        return out.put<cl_context>(k.program->context);
      case CL_KERNEL_PROGRAM:
        return out.put<cl_program>(k.program);
      case CL_KERNEL_ATTRIBUTES:
        require_version(120);
        return out.text(k.signature.attributes);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, std::size_t size, void* value,
                          std::size_t* size_ret) {
  return info_routine("clGetKernelArgInfo", size, value, size_ret, [&](Info& out) {
    const auto& k = check(kernel, CL_INVALID_KERNEL);
    if (index >= k.arguments.size()) fail(CL_INVALID_ARG_INDEX);
    if (control("FAKE_CL_ARG_INFO") == "absent") fail(CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    const auto& parameter = k.signature.parameters[index];
    switch (name) {
      case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return out.put<cl_kernel_arg_address_qualifier>(parameter.address);
      case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return out.put<cl_kernel_arg_access_qualifier>(parameter.access);
      case CL_KERNEL_ARG_TYPE_NAME:
        return out.text(parameter.type);
      case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return out.put<cl_kernel_arg_type_qualifier>(parameter.qualifiers);
      case CL_KERNEL_ARG_NAME:
        return out.text(parameter.name);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name, std::size_t size,
                                void* value, std::size_t* size_ret) {
  return info_routine("clGetKernelWorkGroupInfo", size, value, size_ret, [&](Info& out) {
    const auto& k = check(kernel, CL_INVALID_KERNEL);
    device_of(k, device);
    switch (name) {
      case CL_KERNEL_WORK_GROUP_SIZE:
        return out.put<std::size_t>(1024);
      case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return out.put<Triple>(k.signature.required);
      case CL_KERNEL_LOCAL_MEM_SIZE:
      case CL_KERNEL_PRIVATE_MEM_SIZE:
        return out.put<cl_ulong>(0);
      case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return out.put<std::size_t>(32);
      default:
        // Also for CL_KERNEL_GLOBAL_WORK_SIZE, which is only for built-in kernels and custom devices.
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                               std::size_t input_size, const void* input, std::size_t size, void* value,
                               std::size_t* size_ret) {
  return info_routine("clGetKernelSubGroupInfo", size, value, size_ret, [&](Info& out) {
    const auto& k = check(kernel, CL_INVALID_KERNEL);
    device_of(k, device);
    const auto sizes = static_cast<const std::size_t*>(input);
    switch (name) {
      case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        require(sizes != nullptr && input_size >= sizeof *sizes, CL_INVALID_VALUE, "no local size");
        return out.put<std::size_t>(32);
      case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: {
        require(sizes != nullptr && input_size >= sizeof *sizes, CL_INVALID_VALUE, "no local size");
        std::size_t items = 1;
        for (std::size_t at = 0; at < input_size / sizeof *sizes; ++at) items *= sizes[at];
        return out.put<std::size_t>((items + 31) / 32);
      }
      case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
        require(sizes != nullptr && input_size == sizeof *sizes, CL_INVALID_VALUE, "no sub-group count");
        Triple local{*sizes * 32, 1, 1};
        return out.bytes(local.data(), std::min(sizeof local, std::max(size, sizeof *sizes)));
      }
      case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return out.put<std::size_t>(32);
      case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        return out.put<std::size_t>(0);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

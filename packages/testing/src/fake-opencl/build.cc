// Building, compiling and linking; FAKE_CL_BUILD holds "fail", "slow" or both.
//
// With a callback, the work runs on a separate thread and the routine returns immediately, as the specification
// requires. A slow build sleeps without the lock, so that other threads can continue.
#include <algorithm>
#include <chrono>
#include <thread>

#include "program.h"

namespace fake {
namespace {

using Notify = void(CL_CALLBACK*)(cl_program, void*);

/** The value of FAKE_CL_BUILD at the start of the build, since other threads must not read the variable. */
struct Plan {
  bool fails;
  bool slow;
  cl_program_binary_type type;
  cl_int failure;
};

Plan plan_for(cl_program_binary_type type, cl_int failure) {
  const std::string mode = control("FAKE_CL_BUILD");
  return {mode.find("fail") != std::string::npos, mode.find("slow") != std::string::npos, type, failure};
}

void settle(_cl_program& program, const Plan& plan) {
  if (plan.fails) {
    program.status = CL_BUILD_ERROR;
    program.binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
    program.log = "fake.cl:3:5: error: use of undeclared identifier 'foo'\n1 error generated.\n";
    return;
  }
  program.status = CL_BUILD_SUCCESS;
  program.binary_type = plan.type;
  program.log.clear();
  if (plan.type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) program.kernels = parse_signatures(program.source);
}

void sleep_slow_build() { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }

void run(_cl_program& program, const Plan& plan, Notify notify, void* user_data) {
  program.status = CL_BUILD_IN_PROGRESS;
  hold(program);
  if (notify != nullptr) {
    std::thread([&program, plan, notify, user_data] {
      if (plan.slow) sleep_slow_build();
      {
        const std::lock_guard lock(mutex());
        settle(program, plan);
      }
      notify(&program, user_data);
      const std::lock_guard lock(mutex());
      unhold(program);
    }).detach();
    return;
  }
  if (plan.slow) {
    mutex().unlock();
    sleep_slow_build();
    mutex().lock();
  }
  settle(program, plan);
  unhold(program);
  if (plan.fails) fail(plan.failure);
}

/** Checks the arguments that building, compiling and linking have in common. */
void check_request(const _cl_context& context, cl_uint count, const cl_device_id* devices, const char* options,
                   Notify notify, const void* user_data, cl_int bad_options) {
  require((count == 0) == (devices == nullptr), CL_INVALID_VALUE, "a device list and its count disagree");
  require(notify != nullptr || user_data == nullptr, CL_INVALID_VALUE, "user data without a callback");
  for (cl_uint at = 0; at < count; ++at) {
    check(devices[at], CL_INVALID_DEVICE);
    const auto& known = context.devices;
    if (std::find(known.begin(), known.end(), devices[at]) == known.end()) fail(CL_INVALID_DEVICE);
  }
  if (options != nullptr && std::string_view(options).find("-fake-invalid") != std::string_view::npos) {
    fail(bad_options);
  }
}

void check_idle(const _cl_program& program) {
  // Only kernels and running builds hold a program.
  if (program.holds != 0) fail(CL_INVALID_OPERATION);
}

}  // namespace
}  // namespace fake

using namespace fake;

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      Notify notify, void* user_data) {
  return routine("clBuildProgram", [&] {
    auto& p = check(program, CL_INVALID_PROGRAM);
    check_request(*p.context, count, devices, options, notify, user_data, CL_INVALID_BUILD_OPTIONS);
    check_idle(p);
    p.options = options == nullptr ? "" : options;
    run(p, plan_for(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, CL_BUILD_PROGRAM_FAILURE), notify, user_data);
  });
}

cl_int clCompileProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                        cl_uint header_count, const cl_program* headers, const char** names, Notify notify,
                        void* user_data) {
  return routine("clCompileProgram", [&] {
    auto& p = check(program, CL_INVALID_PROGRAM);
    check_request(*p.context, count, devices, options, notify, user_data, CL_INVALID_COMPILER_OPTIONS);
    const bool complete = headers != nullptr && names != nullptr;
    require(header_count == 0 ? headers == nullptr && names == nullptr : complete, CL_INVALID_VALUE,
            "headers, their names and their count disagree");
    for (cl_uint at = 0; at < header_count; ++at) {
      check(headers[at], CL_INVALID_PROGRAM);
      require(names[at] != nullptr, CL_INVALID_VALUE, "a header without a name");
    }
    if (!p.from_source && p.il.empty()) fail(CL_INVALID_OPERATION);
    check_idle(p);
    p.options = options == nullptr ? "" : options;
    run(p, plan_for(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_COMPILE_PROGRAM_FAILURE), notify, user_data);
  });
}

cl_program clLinkProgram(cl_context context, cl_uint count, const cl_device_id* devices, const char* options,
                         cl_uint input_count, const cl_program* inputs, Notify notify, void* user_data,
                         cl_int* errcode_ret) {
  return create_routine("clLinkProgram", errcode_ret, [&] {
    auto& c = check(context, CL_INVALID_CONTEXT);
    check_request(c, count, devices, options, notify, user_data, CL_INVALID_LINKER_OPTIONS);
    require(input_count > 0 && inputs != nullptr, CL_INVALID_VALUE, "nothing to link");
    std::string source;
    for (cl_uint at = 0; at < input_count; ++at) {
      const auto& input = check_in(context, inputs[at], CL_INVALID_PROGRAM);
      const bool object = input.binary_type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                          input.binary_type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
      if (!object) fail(CL_INVALID_OPERATION);
      source += input.source + "\n";
    }
    const auto program = make_program(c);
    if (count > 0) program->devices.assign(devices, devices + count);
    program->source = std::move(source);
    program->options = options == nullptr ? "" : options;
    const bool library = program->options.find("-create-library") != std::string::npos;
    const auto type = library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    try {
      run(*program, plan_for(static_cast<cl_program_binary_type>(type), CL_LINK_PROGRAM_FAILURE), notify, user_data);
    } catch (...) {
      release(program, CL_INVALID_PROGRAM);
      throw;
    }
    return program;
  });
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name, std::size_t size,
                             void* value, std::size_t* size_ret) {
  return info_routine("clGetProgramBuildInfo", size, value, size_ret, [&](Info& out) {
    const auto& p = check(program, CL_INVALID_PROGRAM);
    check(device, CL_INVALID_DEVICE);
    require(std::find(p.devices.begin(), p.devices.end(), device) != p.devices.end(), CL_INVALID_DEVICE,
            "a device that the program is not for");
    switch (name) {
      case CL_PROGRAM_BUILD_STATUS:
        return out.put<cl_build_status>(p.status);
      case CL_PROGRAM_BUILD_OPTIONS:
        return out.text(p.options);
      case CL_PROGRAM_BUILD_LOG:
        return out.text(padded(p.log));
      case CL_PROGRAM_BINARY_TYPE:
        require_version(120);
        return out.put<cl_program_binary_type>(p.binary_type);
      case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        require_version(200);
        return out.put<std::size_t>(0);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

// Programs: creation from source, binaries and IL; build, compile, link; binaries.
//
// Building may take seconds, and PoCL and others block the caller even if a callback is given. An asynchronous build
// therefore runs the blocking call on another thread (Channel::run), with everything it uses retained. A blocking build
// also runs on another thread, because compilers need a large stack (large_stack.h).
#include <mutex>
#include <optional>
#include <utility>

#include "driver/extensions.h"
#include "driver/large_stack.h"
#include "exports.h"
#include "objects/info.h"

namespace cl {
namespace {

std::vector<cl_device_id> readDevices(const Call& call, size_t i) {
  std::vector<cl_device_id> devices;
  for (const Handle handle : call.integers(i))
    devices.push_back(call.environment->handles.get(handle, Kind::Device, static_cast<int>(i)).as<cl_device_id>());
  return devices;
}

const cl_device_id* data(const std::vector<cl_device_id>& devices) {
  return devices.empty() ? nullptr : devices.data();
}

Napi::Value add(Call& call, const Slot& context, cl_program program) {
  return call.result(call.environment->handles.add(Kind::Program, program, *context.runtime, context.object));
}

/// programFromSource(context, source)
Napi::Value programFromSource(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const std::string source = call.string(1);
  const char* text = source.data();
  const size_t length = source.size();
  cl_int status = CL_SUCCESS;
  const cl_program program =
      context.runtime->clCreateProgramWithSource(context.as<cl_context>(), 1, &text, &length, &status);
  check(status, "clCreateProgramWithSource");
  return add(call, context, program);
}

/// programFromBinaries(context, devices: Int32Array, binaries: Uint8Array[])
Napi::Value programFromBinaries(Call& call) {
  // Read first, because the array's elements may be getters, which run JavaScript.
  const auto binaries = call.byteArrays(2);
  const Slot context = call.slot(0, Kind::Context);
  const auto devices = readDevices(call, 1);
  if (devices.size() != binaries.size() || devices.empty()) invalid("expected one binary for each device", 2);
  std::vector<const unsigned char*> pointers;
  std::vector<size_t> lengths;
  for (const HostBytes& binary : binaries) {
    pointers.push_back(binary.data);
    lengths.push_back(binary.bytes);
  }
  std::vector<cl_int> statuses(devices.size(), CL_SUCCESS);
  cl_int status = CL_SUCCESS;
  const cl_program program = context.runtime->clCreateProgramWithBinary(
      context.as<cl_context>(), static_cast<cl_uint>(devices.size()), devices.data(), lengths.data(), pointers.data(),
      statuses.data(), &status);
  for (size_t i = 0; i < statuses.size() && status != CL_SUCCESS; ++i) {
    if (statuses[i] != CL_SUCCESS)
      throw Failure{"DRIVER", "clCreateProgramWithBinary", statuses[i], {}, static_cast<int>(i)};
  }
  check(status, "clCreateProgramWithBinary");
  return add(call, context, program);
}

/// programFromIL(context, il: Uint8Array)
Napi::Value programFromIL(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const HostBytes il = call.bytes(1);
  const Runtime& runtime = *context.runtime;
  const auto object = context.as<cl_context>();
  cl_int status = CL_SUCCESS;
  cl_program program = nullptr;
  // Before OpenCL 2.1, an extension provides this function.
  if (!runtime.clCreateProgramWithIL) {
    const auto& older = extensionsOf(runtime, object).clCreateProgramWithILKHR;
    if (older) {
      program = older(object, il.data, il.bytes, &status);
      check(status, older.name);
      return add(call, context, program);
    }
  }
  program = runtime.clCreateProgramWithIL(object, il.data, il.bytes, &status);
  check(status, "clCreateProgramWithIL");
  return add(call, context, program);
}

/// programFromBuiltInKernels(context, devices: Int32Array, names)
Napi::Value programFromBuiltInKernels(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto devices = readDevices(call, 1);
  cl_int status = CL_SUCCESS;
  const cl_program program = context.runtime->clCreateProgramWithBuiltInKernels(
      context.as<cl_context>(), static_cast<cl_uint>(devices.size()), data(devices), call.string(2).c_str(), &status);
  check(status, "clCreateProgramWithBuiltInKernels");
  return add(call, context, program);
}

/// Runs `work` on a compiler thread. Without a completion id at position i, waits for it and returns its status.
template <typename Work>
Napi::Value perform(Call& call, size_t i, Work work) {
  if (call.has(i)) {
    call.environment->channel->run(call.number(i), std::move(work), Channel::Stack::Large);
    return {};
  }
  return call.result(runCompiling(work));
}

/// Holds a reference to a program on another thread. Movable, so that the JavaScript thread keeps no reference: PoCL
/// locks a program during its build, and releasing one would block until the build has ended.
class RetainedProgram {
 public:
  RetainedProgram(const Runtime& runtime, cl_program program) : runtime_(&runtime), program_(program) {
    check(runtime.clRetainProgram(program), "clRetainProgram");
  }
  RetainedProgram(RetainedProgram&& other) noexcept
      : runtime_(other.runtime_), program_(std::exchange(other.program_, nullptr)) {}
  RetainedProgram(const RetainedProgram& other) : RetainedProgram(*other.runtime_, other.program_) {}
  RetainedProgram& operator=(const RetainedProgram&) = delete;
  ~RetainedProgram() {
    if (program_ != nullptr) runtime_->clReleaseProgram.quietly(program_);
  }
  cl_program get() const { return program_; }

 private:
  const Runtime* runtime_;
  cl_program program_;
};

/// buildProgram(program, devices: Int32Array, options, id?) -> status. A failed build is a status, not an exception.
Napi::Value buildProgram(Call& call) {
  const Slot program = call.slot(0, Kind::Program);
  return perform(call, 3,
                 [runtime = program.runtime, held = RetainedProgram(*program.runtime, program.as<cl_program>()),
                  devices = readDevices(call, 1), options = call.string(2)]() -> double {
                   return runtime->clBuildProgram(held.get(), static_cast<cl_uint>(devices.size()), data(devices),
                                                  options.c_str(), nullptr, nullptr);
                 });
}

std::vector<RetainedProgram> readPrograms(const Call& call, size_t i) {
  std::vector<RetainedProgram> programs;
  for (const Handle handle : call.integers(i)) {
    const Slot& slot = call.environment->handles.get(handle, Kind::Program, static_cast<int>(i));
    programs.emplace_back(*slot.runtime, slot.as<cl_program>());
  }
  return programs;
}

std::vector<cl_program> raw(const std::vector<RetainedProgram>& programs) {
  std::vector<cl_program> list;
  for (const RetainedProgram& program : programs) list.push_back(program.get());
  return list;
}

/// compileProgram(program, devices: Int32Array, options, headers: Int32Array, headerNames: string[], id?) -> status
Napi::Value compileProgram(Call& call) {
  // Read first, because the array's elements may be getters, which run JavaScript.
  auto names = call.strings(4);
  const Slot program = call.slot(0, Kind::Program);
  program.runtime->clCompileProgram.require();
  auto headers = readPrograms(call, 3);
  if (names.size() != headers.size()) invalid("expected one name for each header", 4);
  return perform(call, 5,
                 [runtime = program.runtime, held = RetainedProgram(*program.runtime, program.as<cl_program>()),
                  devices = readDevices(call, 1), options = call.string(2), headers = std::move(headers),
                  names = std::move(names)]() -> double {
                   std::vector<const char*> texts;
                   for (const std::string& name : names) texts.push_back(name.c_str());
                   const std::vector<cl_program> programs = raw(headers);
                   return runtime->clCompileProgram(held.get(), static_cast<cl_uint>(devices.size()), data(devices),
                                                    options.c_str(), static_cast<cl_uint>(programs.size()),
                                                    programs.empty() ? nullptr : programs.data(),
                                                    texts.empty() ? nullptr : texts.data(), nullptr, nullptr);
                 });
}

/// The result of a link until linkedProgram() takes it.
struct Linked final : Record {
  const Runtime* runtime = nullptr;
  cl_program program = nullptr;
  ~Linked() override {
    if (program != nullptr) runtime->clReleaseProgram.quietly(program);
  }
};

/// linkProgram(context, devices: Int32Array, options, programs: Int32Array, id?) -> [link, status]; see
/// linkedProgram().
Napi::Value linkProgram(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  context.runtime->clLinkProgram.require();
  auto linked = std::make_shared<Linked>();
  linked->runtime = context.runtime;
  auto work = [linked, context = context.as<cl_context>(), devices = readDevices(call, 1), options = call.string(2),
               programs = readPrograms(call, 3)]() -> double {
    const std::vector<cl_program> inputs = raw(programs);
    cl_int status = CL_SUCCESS;
    linked->program =
        linked->runtime->clLinkProgram(context, static_cast<cl_uint>(devices.size()), data(devices), options.c_str(),
                                       static_cast<cl_uint>(inputs.size()), inputs.data(), nullptr, nullptr, &status);
    return status;
  };
  HandleTable& handles = call.environment->handles;
  const auto add = [&] { return handles.add(Kind::Map, linked.get(), *context.runtime, context.object, linked); };
  if (call.has(4)) {
    call.environment->channel->run(call.number(4), std::move(work), Channel::Stack::Large);
    return call.result(std::vector<int32_t>{add(), CL_SUCCESS});
  }
  const auto status = static_cast<int32_t>(runCompiling(work));
  return call.result(std::vector<int32_t>{add(), status});
}

/// linkedProgram(link) -> program handle, or 0 if the link created none. Releases the link.
Napi::Value linkedProgram(Call& call) {
  // Links have handles of kind Map, as landings do.
  const Slot slot = call.slot(0, Kind::Map);
  auto* linked = dynamic_cast<Linked*>(slot.record.get());
  if (linked == nullptr) throw Failure{"WRONG_KIND", "map", CL_SUCCESS, "link", 0};
  const cl_program program = std::exchange(linked->program, nullptr);
  call.environment->handles.recycle(call.integer(0));
  if (program == nullptr) return call.result(0);
  return call.result(call.environment->handles.add(Kind::Program, program, *slot.runtime, slot.context));
}

using Binaries = std::vector<std::vector<uint8_t>>;

/// Returns the binaries of a program. PoCL compiles every kernel again at the first query of a program's binaries,
/// which takes 60 ms per kernel, and each query waits until no thread compiles.
Binaries queryBinaries(const Runtime& runtime, cl_program program) {
  const auto& entry = runtime.clGetProgramInfo;
  const auto bytes = queryInfo(
      [&](size_t n, void* p, size_t* need) { return entry(program, CL_PROGRAM_BINARY_SIZES, n, p, need); }, entry.name);
  const auto* sizes = reinterpret_cast<const size_t*>(bytes.data());
  Binaries binaries(bytes.size() / sizeof(size_t));
  std::vector<uint8_t*> pointers;
  for (auto& binary : binaries) {
    binary.resize(*sizes++);
    pointers.push_back(binary.empty() ? nullptr : binary.data());
  }
  if (!pointers.empty())
    check(entry(program, CL_PROGRAM_BINARIES, pointers.size() * sizeof(uint8_t*), pointers.data(), nullptr),
          entry.name);
  return binaries;
}

/// Binaries that another thread has queried, until they are read.
class PreparedBinaries final : public Record {
 public:
  void set(Binaries binaries) {
    const std::lock_guard lock(mutex_);
    binaries_ = std::move(binaries);
  }
  std::optional<Binaries> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(binaries_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<Binaries> binaries_;
};

/// programBinaries(program) -> Uint8Array[], one for each device; empty for a device without a binary. After
/// prepareBinaries() it does not call the driver.
Napi::Value programBinaries(Call& call) {
  const Slot& program = call.slot(0, Kind::Program);
  auto* prepared = dynamic_cast<PreparedBinaries*>(program.record.get());
  auto binaries = prepared == nullptr ? std::nullopt : prepared->take();
  if (!binaries) binaries = runCompiling([&] { return queryBinaries(*program.runtime, program.as<cl_program>()); });
  const auto array = Napi::Array::New(call.env, binaries->size());
  uint32_t i = 0;
  for (const auto& binary : *binaries) array.Set(i++, call.resultBytes(binary.data(), binary.size()));
  return array;
}

/// prepareBinaries(program, id?) -> status. Queries the binaries for programBinaries(); with an id, on another thread.
Napi::Value prepareBinaries(Call& call) {
  Slot& program = call.environment->handles.get(call.integer(0), Kind::Program, 0);
  if (program.record == nullptr) program.record = std::make_shared<PreparedBinaries>();
  return perform(call, 1,
                 [held = RetainedProgram(*program.runtime, program.as<cl_program>()), runtime = program.runtime,
                  prepared = std::dynamic_pointer_cast<PreparedBinaries>(program.record)]() -> double {
                   prepared->set(queryBinaries(*runtime, held.get()));
                   return CL_SUCCESS;
                 });
}

/// discardProgram(program, id): recycles the handle, and releases the program on another thread, since PoCL waits until
/// no thread compiles.
Napi::Value discardProgram(Call& call) {
  const Slot program = call.slot(0, Kind::Program);
  RetainedProgram held(*program.runtime, program.as<cl_program>());
  call.environment->handles.recycle(call.integer(0));
  call.environment->channel->run(call.number(1), [held = std::move(held)]() -> double { return CL_SUCCESS; });
  return {};
}

/// setSpecializationConstant(program, id, bytes: Uint8Array)
Napi::Value setSpecializationConstant(Call& call) {
  const Slot& program = call.slot(0, Kind::Program);
  const HostBytes value = call.bytes(2);
  check(program.runtime->clSetProgramSpecializationConstant(program.as<cl_program>(), call.uint32(1), value.bytes,
                                                            value.data),
        "clSetProgramSpecializationConstant");
  return {};
}

}  // namespace

void addProgramExports(Exports& exports) {
  exports.add({{"programFromSource", function<programFromSource>},
               {"programFromBinaries", function<programFromBinaries>},
               {"programFromIL", function<programFromIL>},
               {"programFromBuiltInKernels", function<programFromBuiltInKernels>},
               {"buildProgram", function<buildProgram>},
               {"compileProgram", function<compileProgram>},
               {"linkProgram", function<linkProgram>},
               {"linkedProgram", function<linkedProgram>},
               {"programBinaries", function<programBinaries>},
               {"prepareBinaries", function<prepareBinaries>},
               {"discardProgram", function<discardProgram>},
               {"setSpecializationConstant", function<setSpecializationConstant>}});
}

}  // namespace cl

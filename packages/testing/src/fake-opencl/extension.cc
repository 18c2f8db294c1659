// Extensions: semaphores, external memory, suggested local sizes and the creation functions of older versions. Command
// buffers are in command-buffer.cc. A semaphore's descriptor refers to an anonymous file, which identifies the
// semaphore when it is imported. A memory descriptor may be any file, which is mapped.
#include "extension.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "command-buffer.h"
#include "commands.h"
#include "memory.h"
#include "program.h"

namespace fake {
namespace {

constexpr cl_version version_1_0_0 = CL_MAKE_VERSION(1, 0, 0);

cl_name_version named(const std::string& name, cl_version version) {
  cl_name_version entry{};
  entry.version = version;
  std::strncpy(entry.name, name.c_str(), sizeof entry.name - 1);
  return entry;
}

const std::vector<cl_name_version>& optional_extensions() {
  static const std::vector<cl_name_version> list{
      named("cl_khr_semaphore", version_1_0_0),
      named("cl_khr_external_semaphore", version_1_0_0),
      named("cl_khr_external_semaphore_opaque_fd", version_1_0_0),
      named("cl_khr_external_memory", version_1_0_0),
      named("cl_khr_external_memory_opaque_fd", version_1_0_0),
      named("cl_khr_suggested_local_work_size", version_1_0_0),
      named("cl_khr_create_command_queue", version_1_0_0),
      named("cl_khr_il_program", version_1_0_0),
      named("cl_khr_device_uuid", version_1_0_0),
      named("cl_khr_pci_bus_info", version_1_0_0),
      named("cl_khr_integer_dot_product", CL_MAKE_VERSION(2, 0, 0)),
      named("cl_khr_command_buffer", CL_MAKE_VERSION(0, 9, 4)),
  };
  return list;
}

cl_version parse(const std::string& text) {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  std::sscanf(text.c_str(), "%u.%u.%u", &major, &minor, &patch);
  return CL_MAKE_VERSION(major, minor, patch);
}

std::vector<cl_name_version> enabled_extensions() {
  const std::string setting = control("FAKE_CL_EXTENSIONS");
  if (setting == "all") return optional_extensions();
  std::vector<cl_name_version> list;
  std::istringstream entries(setting);
  for (std::string entry; std::getline(entries, entry, ',');) {
    const auto at = entry.find('@');
    const std::string name = entry.substr(0, at);
    for (const auto& known : optional_extensions()) {
      if (known.name != name) continue;
      list.push_back(at == std::string::npos ? known : named(name, parse(entry.substr(at + 1))));
    }
  }
  return list;
}

/** State shared by all handles of a semaphore, by its file's inode. */
struct Payload {
  bool signalled = false;
};

std::map<ino_t, std::shared_ptr<Payload>>& payloads() {
  static auto* const instance = new std::map<ino_t, std::shared_ptr<Payload>>;
  return *instance;
}

ino_t number_of(int descriptor) {
  struct stat about{};
  if (fstat(descriptor, &about) != 0) fail(CL_INVALID_VALUE);
  return about.st_ino;
}

}  // namespace

std::vector<cl_name_version> extension_list() {
  std::vector<cl_name_version> list{named("cl_khr_byte_addressable_store", version_1_0_0),
                                    named("cl_khr_fp64", version_1_0_0), named("cl_khr_priority_hints", version_1_0_0),
                                    named("cl_khr_throttle_hints", version_1_0_0)};
  for (const auto& extension : enabled_extensions()) list.push_back(extension);
  return list;
}

bool has_extension(std::string_view name) {
  for (const auto& extension : extension_list()) {
    if (name == extension.name) return true;
  }
  return false;
}

bool is_external_memory(cl_mem_properties type) {
  return type == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR && has_extension("cl_khr_external_memory_opaque_fd");
}

}  // namespace fake

using namespace fake;

struct _cl_semaphore_khr : fake::Object {
  static constexpr fake::Kind tag = fake::Kind::semaphore;
  _cl_semaphore_khr() : Object(tag) {}
  cl_context context = nullptr;
  std::vector<cl_semaphore_properties_khr> properties;
  std::vector<cl_ulong> exported;
  std::shared_ptr<Payload> payload = std::make_shared<Payload>();
  int file = -1;
};

namespace fake {

void destroy_semaphore(Object& object) {
  auto& semaphore = static_cast<_cl_semaphore_khr&>(object);
  if (semaphore.file >= 0) close(semaphore.file);
  unhold(*semaphore.context);
}

namespace {

/** Before version 1.0.0, semaphores used memory's property key for their devices. */
cl_semaphore_properties_khr device_list_key() {
  for (const auto& extension : extension_list()) {
    if (extension.name == std::string_view("cl_khr_semaphore") && extension.version < version_1_0_0)
      return kDeviceHandleList;
  }
  return 0x2053;
}

cl_semaphore_khr create_semaphore(cl_context context, const cl_semaphore_properties_khr* properties, cl_int* error) {
  return create_routine("clCreateSemaphoreWithPropertiesKHR", error, [&]() -> cl_semaphore_khr {
    auto& c = check(context, CL_INVALID_CONTEXT);
    require(properties != nullptr, CL_INVALID_VALUE, "no properties");
    std::vector<cl_semaphore_properties_khr> list;
    std::vector<cl_ulong> exported;
    cl_ulong type = 0;
    int imported = -2;
    auto at = properties;
    while (*at != 0) {
      const auto key = *at;
      list.push_back(*at++);
      if (key == device_list_key() || key == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR) {
        for (; *at != 0; ++at) {
          if (key == device_list_key()) {
            const auto device = reinterpret_cast<cl_device_id>(*at);
            const bool in_context = std::find(c.devices.begin(), c.devices.end(), device) != c.devices.end();
            require(in_context, CL_INVALID_DEVICE, "a device that is not in the context");
          } else {
            if (*at != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR) fail(CL_INVALID_VALUE);
            exported.push_back(*at);
          }
          list.push_back(*at);
        }
        list.push_back(*at++);
      } else if (key == CL_SEMAPHORE_TYPE_KHR) {
        type = *at;
        list.push_back(*at++);
      } else if (key == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR) {
        imported = static_cast<int>(*at);
        list.push_back(*at++);
      } else {
        fail(CL_INVALID_PROPERTY);
      }
    }
    list.push_back(0);
    require(type == CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_VALUE, "no type");
    std::shared_ptr<Payload> payload;
    if (imported != -2) {
      const auto found = payloads().find(number_of(imported));
      if (found == payloads().end()) fail(CL_INVALID_VALUE);
      payload = found->second;
      close(imported);
    }
    const auto semaphore = make<_cl_semaphore_khr>();
    semaphore->context = context;
    semaphore->properties = std::move(list);
    semaphore->exported = std::move(exported);
    if (payload) semaphore->payload = std::move(payload);
    hold(c);
    return semaphore;
  });
}

cl_int retain_semaphore(cl_semaphore_khr semaphore) {
  return routine("clRetainSemaphoreKHR", [&] { retain(semaphore, CL_INVALID_SEMAPHORE_KHR); });
}

cl_int release_semaphore(cl_semaphore_khr semaphore) {
  return release_routine("clReleaseSemaphoreKHR", [&] { release(semaphore, CL_INVALID_SEMAPHORE_KHR); });
}

cl_int semaphore_info(cl_semaphore_khr semaphore, cl_semaphore_info_khr name, std::size_t size, void* value,
                      std::size_t* size_ret) {
  return info_routine("clGetSemaphoreInfoKHR", size, value, size_ret, [&](Info& out) {
    const auto& s = check(semaphore, CL_INVALID_SEMAPHORE_KHR);
    switch (name) {
      case CL_SEMAPHORE_CONTEXT_KHR:
        return out.put<cl_context>(s.context);
      case CL_SEMAPHORE_REFERENCE_COUNT_KHR:
        return out.put<cl_uint>(static_cast<cl_uint>(s.refs));
      case CL_SEMAPHORE_PROPERTIES_KHR:
        return out.list(s.properties);
      case CL_SEMAPHORE_TYPE_KHR:
        return out.put<cl_uint>(CL_SEMAPHORE_TYPE_BINARY_KHR);
      case CL_SEMAPHORE_PAYLOAD_KHR:
        return out.put<cl_ulong>(s.payload->signalled ? 1 : 0);
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int enqueue_semaphores(const char* name, cl_command_type type, bool signals, cl_command_queue queue, cl_uint count,
                          const cl_semaphore_khr* list, cl_uint wait_count, const cl_event* wait_list,
                          cl_event* event) {
  return routine(name, [&] {
    auto& q = check(queue, CL_INVALID_COMMAND_QUEUE);
    require(count > 0 && list != nullptr, CL_INVALID_VALUE, "no semaphores");
    std::vector<Object*> uses;
    std::vector<std::shared_ptr<Payload>> all;
    for (cl_uint i = 0; i < count; ++i) {
      auto& semaphore = check_in(q.context, list[i], CL_INVALID_SEMAPHORE_KHR);
      // A real driver would wait forever.
      if (!signals && !semaphore.payload->signalled) fail(CL_INVALID_OPERATION);
      uses.push_back(&semaphore);
      all.push_back(semaphore.payload);
    }
    submit({queue, type, wait_count, wait_list, event}, uses, [all, signals] {
      for (const auto& payload : all) payload->signalled = signals;
    });
  });
}

cl_int signal_semaphores(cl_command_queue queue, cl_uint count, const cl_semaphore_khr* list, const cl_ulong*,
                         cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
  return enqueue_semaphores("clEnqueueSignalSemaphoresKHR", CL_COMMAND_SEMAPHORE_SIGNAL_KHR, true, queue, count, list,
                            wait_count, wait_list, event);
}

cl_int wait_semaphores(cl_command_queue queue, cl_uint count, const cl_semaphore_khr* list, const cl_ulong*,
                       cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
  return enqueue_semaphores("clEnqueueWaitSemaphoresKHR", CL_COMMAND_SEMAPHORE_WAIT_KHR, false, queue, count, list,
                            wait_count, wait_list, event);
}

cl_int semaphore_handle(cl_semaphore_khr semaphore, cl_device_id device, cl_external_semaphore_handle_type_khr type,
                        std::size_t size, void* value, std::size_t* size_ret) {
  return info_routine("clGetSemaphoreHandleForTypeKHR", size, value, size_ret, [&](Info& out) {
    auto& s = check(semaphore, CL_INVALID_SEMAPHORE_KHR);
    check(device, CL_INVALID_DEVICE);
    if (std::find(s.exported.begin(), s.exported.end(), type) == s.exported.end()) fail(CL_INVALID_VALUE);
    if (s.file < 0) {
      s.file = memfd_create("semaphore", 0);
      payloads()[number_of(s.file)] = s.payload;
    }
    return out.put<int>(dup(s.file));
  });
}

cl_int enqueue_external(const char* name, cl_command_type type, cl_command_queue queue, cl_uint count,
                        const cl_mem* list, cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
  return routine(name, [&] {
    require(count > 0 && list != nullptr, CL_INVALID_VALUE, "no memory objects");
    std::vector<Object*> uses;
    for (cl_uint i = 0; i < count; ++i) {
      auto& mem = mem_for(queue, list[i]);
      if (!mem.external) fail(CL_INVALID_MEM_OBJECT);
      uses.push_back(&mem);
    }
    keep_list(list, count * sizeof *list);
    submit({queue, type, wait_count, wait_list, event}, uses, {});
  });
}

cl_int acquire_external(cl_command_queue queue, cl_uint count, const cl_mem* list, cl_uint wait_count,
                        const cl_event* wait_list, cl_event* event) {
  return enqueue_external("clEnqueueAcquireExternalMemObjectsKHR", CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, queue,
                          count, list, wait_count, wait_list, event);
}

cl_int release_external(cl_command_queue queue, cl_uint count, const cl_mem* list, cl_uint wait_count,
                        const cl_event* wait_list, cl_event* event) {
  return enqueue_external("clEnqueueReleaseExternalMemObjectsKHR", CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, queue,
                          count, list, wait_count, wait_list, event);
}

cl_int suggested_size(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const std::size_t*,
                      const std::size_t* global, std::size_t* local) {
  return routine("clGetKernelSuggestedLocalWorkSizeKHR", [&] {
    check(queue, CL_INVALID_COMMAND_QUEUE);
    const auto& k = check(kernel, CL_INVALID_KERNEL);
    require(dimensions >= 1 && dimensions <= 3 && global != nullptr, CL_INVALID_WORK_DIMENSION, "no global size");
    for (const auto& argument : k.arguments) {
      if (!argument.set) fail(CL_INVALID_KERNEL_ARGS);
    }
    for (cl_uint axis = 0; axis < dimensions; ++axis) local[axis] = global[axis] % 2 == 0 ? 2 : 1;
  });
}

cl_command_queue create_queue(cl_context context, cl_device_id device, const cl_queue_properties* properties,
                              cl_int* error) {
  return create_routine("clCreateCommandQueueWithPropertiesKHR", error,
                        [&]() -> cl_command_queue { return queue_with(context, device, properties); });
}

cl_program create_with_il(cl_context context, const void* il, std::size_t length, cl_int* error) {
  return create_routine("clCreateProgramWithILKHR", error,
                        [&]() -> cl_program { return program_from_il(context, il, length); });
}

struct Function {
  const char* name;
  const char* extension;
  void* address;
};

std::vector<Function> functions() {
  std::vector<Function> list{
      {"clCreateSemaphoreWithPropertiesKHR", "cl_khr_semaphore", address(create_semaphore)},
      {"clRetainSemaphoreKHR", "cl_khr_semaphore", address(retain_semaphore)},
      {"clReleaseSemaphoreKHR", "cl_khr_semaphore", address(release_semaphore)},
      {"clGetSemaphoreInfoKHR", "cl_khr_semaphore", address(semaphore_info)},
      {"clEnqueueSignalSemaphoresKHR", "cl_khr_semaphore", address(signal_semaphores)},
      {"clEnqueueWaitSemaphoresKHR", "cl_khr_semaphore", address(wait_semaphores)},
      {"clGetSemaphoreHandleForTypeKHR", "cl_khr_external_semaphore", address(semaphore_handle)},
      {"clEnqueueAcquireExternalMemObjectsKHR", "cl_khr_external_memory", address(acquire_external)},
      {"clEnqueueReleaseExternalMemObjectsKHR", "cl_khr_external_memory", address(release_external)},
      {"clGetKernelSuggestedLocalWorkSizeKHR", "cl_khr_suggested_local_work_size", address(suggested_size)},
      {"clCreateCommandQueueWithPropertiesKHR", "cl_khr_create_command_queue", address(create_queue)},
      {"clCreateProgramWithILKHR", "cl_khr_il_program", address(create_with_il)},
  };
  const auto enabled = enabled_extensions();
  const bool takes_properties = std::any_of(enabled.begin(), enabled.end(), [](const cl_name_version& extension) {
    return std::string_view(extension.name) == "cl_khr_command_buffer" && extension.version >= CL_MAKE_VERSION(0, 9, 5);
  });
  for (const auto& [name, function] : command_buffer_functions(takes_properties))
    list.push_back({name, "cl_khr_command_buffer", function});
  return list;
}

}  // namespace
}  // namespace fake

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char* name) {
  // On failure the call returns null; it has no status.
  routine("clGetExtensionFunctionAddressForPlatform", [&] { check(platform, CL_INVALID_PLATFORM); });
  for (const auto& function : functions()) {
    if (std::string_view(name) == function.name) return has_extension(function.extension) ? function.address : nullptr;
  }
  return nullptr;
}

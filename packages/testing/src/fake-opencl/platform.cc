// Platforms, root devices by type, and routines without an object.
#include <algorithm>
#include <array>

#include "objects.h"

namespace fake {
namespace {

constexpr int max_platforms = 16;
constexpr int max_devices = 16;

struct Machine {
  std::array<_cl_platform_id, max_platforms> platforms;
  std::array<std::array<_cl_device_id, max_devices>, max_platforms> devices;

  Machine() {
    for (int p = 0; p < max_platforms; ++p) {
      platforms[p].index = p;
      enroll(platforms[p]);
      for (int d = 0; d < max_devices; ++d) {
        devices[p][d].platform = &platforms[p];
        devices[p][d].index = d;
        enroll(devices[p][d]);
      }
    }
  }
};

Machine& machine() {
  static Machine* const instance = new Machine;
  return *instance;
}

/** Returns a list in the form of clGetPlatformIDs and clGetDeviceIDs. */
template <class T>
void write_list(const std::vector<T>& list, cl_uint entries, T* out, cl_uint* count) {
  require(out != nullptr || count != nullptr, CL_INVALID_VALUE, "neither a list nor a count requested");
  require(out == nullptr || entries > 0, CL_INVALID_VALUE, "a list of 0 entries");
  if (out != nullptr) std::copy_n(list.begin(), std::min<std::size_t>(entries, list.size()), out);
  if (count != nullptr) *count = static_cast<cl_uint>(list.size());
}

}  // namespace

cl_platform_id platform_at(int index) { return &machine().platforms[static_cast<std::size_t>(index)]; }

cl_device_type device_type(const _cl_device_id& device) {
  constexpr std::array<cl_device_type, 3> types{CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ACCELERATOR};
  return types[static_cast<std::size_t>(device.index) % types.size()];
}

std::vector<cl_device_id> root_devices(cl_platform_id platform) {
  auto& devices = machine().devices[static_cast<std::size_t>(platform->index)];
  const long count = std::clamp(control("FAKE_CL_DEVICES", 1), 0L, static_cast<long>(max_devices));
  std::vector<cl_device_id> roots;
  for (long d = 0; d < count; ++d) roots.push_back(&devices[static_cast<std::size_t>(d)]);
  return roots;
}

}  // namespace fake

using namespace fake;

cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  return routine("clGetPlatformIDs", [&] {
    const long configured = control("FAKE_CL_PLATFORMS", 1);
    if (configured < 0) fail(static_cast<cl_int>(configured));
    std::vector<cl_platform_id> list;
    for (int p = 0; p < std::min<long>(configured, max_platforms); ++p) list.push_back(platform_at(p));
    write_list(list, entries, platforms, count);
  });
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, std::size_t size, void* value,
                         std::size_t* size_ret) {
  return info_routine("clGetPlatformInfo", size, value, size_ret, [&](Info& out) {
    machine();
    const auto& p = check(platform, CL_INVALID_PLATFORM);
    switch (name) {
      case CL_PLATFORM_PROFILE:
        return out.text("FULL_PROFILE");
      case CL_PLATFORM_VERSION:
        return out.text(padded("OpenCL " + version_text() + " fake"));
      case CL_PLATFORM_NAME:
        if (const std::string name = control("FAKE_CL_PLATFORM_NAME"); !name.empty()) return out.text(name);
        return out.text(padded("Fake Platform " + std::to_string(p.index)));
      case CL_PLATFORM_VENDOR:
        return out.text(padded("Fake Vendor"));
      case CL_PLATFORM_EXTENSIONS:
        return out.text(padded("cl_khr_icd"));
      case CL_PLATFORM_ICD_SUFFIX_KHR:
        return out.text("FAKE");
      case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        require_version(210);
        return out.put<cl_ulong>(1);
      case CL_PLATFORM_NUMERIC_VERSION:
        require_version(300);
        return out.put<cl_version>(CL_MAKE_VERSION(3, 0, 0));
      case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        require_version(300);
        return out.put<cl_name_version>({CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd"});
      default:
        fail(CL_INVALID_VALUE);
    }
  });
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint entries, cl_device_id* devices,
                      cl_uint* count) {
  return routine("clGetDeviceIDs", [&] {
    machine();
    check(platform, CL_INVALID_PLATFORM);
    constexpr cl_device_type known_types = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                           CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    require(type == CL_DEVICE_TYPE_ALL || (type != 0 && (type & ~known_types) == 0), CL_INVALID_DEVICE_TYPE,
            "an unknown device type");
    std::vector<cl_device_id> found;
    for (const auto device : root_devices(platform)) {
      const bool is_default = (type & CL_DEVICE_TYPE_DEFAULT) != 0 && device->index == 0;
      if (is_default || (type & device_type(*device)) != 0) found.push_back(device);
    }
    if (found.empty()) {
      if (count != nullptr) *count = 0;
      fail(CL_DEVICE_NOT_FOUND);
    }
    write_list(found, entries, devices, count);
  });
}

void* clGetExtensionFunctionAddress(const char*) {
  routine("clGetExtensionFunctionAddress", [] {});
  return nullptr;
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
  return routine("clUnloadPlatformCompiler", [&] { check(platform, CL_INVALID_PLATFORM); });
}

cl_int clUnloadCompiler() {
  return routine("clUnloadCompiler", [] {});
}

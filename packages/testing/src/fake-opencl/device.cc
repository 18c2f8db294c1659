// Device queries, partitioning and timers.
#include <algorithm>
#include <numeric>

#include "extension.h"
#include "memory.h"
#include "objects.h"

namespace fake {
namespace {

std::string extension_words() {
  std::string words;
  for (const auto& extension : extension_list()) words += (words.empty() ? "" : " ") + std::string(extension.name);
  return words;
}

/** Returns the version that introduced a query. The constants are numbered in order of versions. */
int introduced(cl_device_info name) {
  if (name < 0x1034) return 100;
  if (name < 0x103E) return 110;
  if (name < 0x104A) return 120;
  if (name < 0x105B) return 200;
  return name < 0x105E ? 210 : 300;
}

cl_name_version named(const char* name, cl_version version) {
  cl_name_version entry{};
  entry.version = version;
  std::strncpy(entry.name, name, sizeof entry.name - 1);
  return entry;
}

/** Answers queries with the same small number on every fake device; returns false for other queries. */
bool answer_number(cl_device_info name, Info& out) {
  switch (name) {
    case CL_DEVICE_VENDOR_ID:
      return out.put<cl_uint>(0xFA4E), true;
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return out.put<cl_uint>(3), true;
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
      return out.put<cl_uint>(1), true;
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
    case CL_DEVICE_MAX_PIPE_ARGS:
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
      return out.put<cl_uint>(0), true;
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
      return out.put<cl_uint>(1000), true;
    case CL_DEVICE_ADDRESS_BITS:
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
      return out.put<cl_uint>(64), true;
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
      return out.put<cl_uint>(128), true;
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
      return out.put<cl_uint>(64), true;
    case CL_DEVICE_MAX_SAMPLERS:
      return out.put<cl_uint>(16), true;
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      return out.put<cl_uint>(Storage::alignment * 8), true;
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
      return out.put<cl_uint>(Storage::alignment), true;
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
      return out.put<cl_device_mem_cache_type>(CL_READ_WRITE_CACHE), true;
    case CL_DEVICE_MAX_CONSTANT_ARGS:
      return out.put<cl_uint>(8), true;
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return out.put<cl_device_local_mem_type>(CL_LOCAL), true;
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
      return out.put<cl_uint>(1), true;
    case CL_DEVICE_NUMERIC_VERSION:
      return out.put<cl_version>(CL_MAKE_VERSION(3, 0, 0)), true;
    default:
      return false;
  }
}

bool answer_size(cl_device_info name, Info& out) {
  switch (name) {
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return out.put<std::size_t>(1024), true;
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return out.list<std::size_t>({1024, 1024, 64}), true;
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
      return out.put<std::size_t>(16384), true;
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
      return out.put<std::size_t>(2048), true;
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
      return out.put<std::size_t>(65536), true;
    case CL_DEVICE_MAX_PARAMETER_SIZE:
      return out.put<std::size_t>(1024), true;
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
      return out.put<std::size_t>(1 << 20), true;
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      return out.put<std::size_t>(1), true;
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
      return out.put<std::size_t>(0), true;
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return out.put<std::size_t>(32), true;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return out.put<cl_ulong>(256UL << 20), true;
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return out.put<cl_ulong>(1UL << 30), true;
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return out.put<cl_ulong>(64UL << 10), true;
    default:
      return false;
  }
}

bool answer_capability(cl_device_info name, Info& out) {
  switch (name) {
    case CL_DEVICE_PIPE_SUPPORT:
      return out.put<cl_bool>(control("FAKE_CL_PIPES", 0) != 0), true;
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
      return out.put<cl_uint>(control("FAKE_CL_PIPES", 0) != 0 ? 1024 : 0), true;
    case CL_DEVICE_IMAGE_SUPPORT:
      return out.put<cl_bool>(control("FAKE_CL_IMAGES", 1) != 0), true;
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
      return out.put<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
      return out.put<cl_bool>(CL_FALSE), true;
    case CL_DEVICE_SINGLE_FP_CONFIG:
    case CL_DEVICE_DOUBLE_FP_CONFIG:
      return out.put<cl_device_fp_config>(CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_DENORM), true;
    case CL_DEVICE_EXECUTION_CAPABILITIES:
      return out.put<cl_device_exec_capabilities>(CL_EXEC_KERNEL), true;
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
      return out.put<cl_command_queue_properties>(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
             true;
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
      return out.put<cl_command_queue_properties>(0), true;
    case CL_DEVICE_SVM_CAPABILITIES:
      return out.put<cl_device_svm_capabilities>(svm_capabilities()), true;
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
      return out.put<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP),
             true;
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
      return out.put<cl_device_device_enqueue_capabilities>(0), true;
    default:
      return false;
  }
}

bool answer_text(const _cl_device_id& device, cl_device_info name, Info& out) {
  const std::string version = version_text();
  switch (name) {
    case CL_DEVICE_NAME:
      return out.text(
                 padded("Fake Device " + std::to_string(device.platform->index) + ":" + std::to_string(device.index))),
             true;
    case CL_DEVICE_VENDOR:
      return out.text(padded("Fake Vendor")), true;
    case CL_DRIVER_VERSION:
      return out.text(padded("1.0 fake")), true;
    case CL_DEVICE_PROFILE:
      return out.text("FULL_PROFILE"), true;
    case CL_DEVICE_VERSION:
      return out.text(padded("OpenCL " + version + " fake")), true;
    case CL_DEVICE_OPENCL_C_VERSION:
      return out.text(padded("OpenCL C " + std::string(opencl_version < 120 ? "1.1" : "1.2") + " fake")), true;
    case CL_DEVICE_EXTENSIONS:
      return out.text(padded(extension_words())), true;
    case CL_DEVICE_BUILT_IN_KERNELS:
      return out.text("fake_fill;fake_copy"), true;
    case CL_DEVICE_IL_VERSION:
      return out.text("SPIR-V_1.2"), true;
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
      return out.text(padded("v2020-01-01-00")), true;
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
      return out.list(extension_list()), true;
    case CL_DEVICE_ILS_WITH_VERSION:
      return out.list<cl_name_version>({named("SPIR-V", CL_MAKE_VERSION(1, 2, 0))}), true;
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
      return out.list<cl_name_version>({named("fake_fill", CL_MAKE_VERSION(1, 0, 0))}), true;
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
      return out.list<cl_name_version>({named("OpenCL C", CL_MAKE_VERSION(1, 2, 0))}), true;
    case CL_DEVICE_OPENCL_C_FEATURES:
      return out.list<cl_name_version>({}), true;
    default:
      return false;
  }
}

/** Answers queries of supported extensions; returns false for other queries. */
bool answer_extension(cl_device_info name, Info& out) {
  const auto with = [](const char* extension) {
    if (!has_extension(extension)) fail(CL_INVALID_VALUE);
  };
  switch (name) {
    case CL_DEVICE_UUID_KHR:
    case CL_DRIVER_UUID_KHR:
      with("cl_khr_device_uuid");
      return out.list<unsigned char>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), true;
    case CL_DEVICE_LUID_KHR:
      with("cl_khr_device_uuid");
      return out.list<unsigned char>({7, 6, 5, 4, 3, 2, 1, 0}), true;
    case CL_DEVICE_LUID_VALID_KHR:
      with("cl_khr_device_uuid");
      return out.put<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_NODE_MASK_KHR:
      with("cl_khr_device_uuid");
      return out.put<cl_uint>(1), true;
    case CL_DEVICE_PCI_BUS_INFO_KHR:
      with("cl_khr_pci_bus_info");
      return out.put<cl_device_pci_bus_info_khr>({1, 2, 3, 4}), true;
    case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
      with("cl_khr_integer_dot_product");
      return out.put<cl_bitfield>(3), true;
    case CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR:
      with("cl_khr_command_buffer");
      return out.put<cl_bitfield>(CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR), true;
    case CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR:
      with("cl_khr_command_buffer");
      return out.put<cl_command_queue_properties>(0), true;
    case CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:
      with("cl_khr_external_memory");
      return out.list<cl_uint>({CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR}), true;
    case CL_DEVICE_SEMAPHORE_TYPES_KHR:
      with("cl_khr_semaphore");
      return out.list<cl_uint>({CL_SEMAPHORE_TYPE_BINARY_KHR}), true;
    case CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR:
    case CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
      with("cl_khr_external_semaphore");
      return out.list<cl_uint>({CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR}), true;
    default:
      return false;
  }
}

void answer_identity(const _cl_device_id& device, cl_device_info name, Info& out) {
  switch (name) {
    case CL_DEVICE_TYPE:
      return out.put<cl_device_type>(device_type(device) | (device.index == 0 ? CL_DEVICE_TYPE_DEFAULT : 0));
    case CL_DEVICE_MAX_COMPUTE_UNITS:
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
      return out.put<cl_uint>(device.units);
    case CL_DEVICE_PLATFORM:
      return out.put<cl_platform_id>(device.platform);
    case CL_DEVICE_PARENT_DEVICE:
      return out.put<cl_device_id>(device.parent);
    case CL_DEVICE_PARTITION_PROPERTIES:
      return out.list<cl_device_partition_property>(
          {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN});
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
      return out.put<cl_device_affinity_domain>(CL_DEVICE_AFFINITY_DOMAIN_NUMA |
                                                CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE);
    case CL_DEVICE_PARTITION_TYPE:
      return out.list(device.partition);
    case CL_DEVICE_REFERENCE_COUNT:
      return out.put<cl_uint>(static_cast<cl_uint>(device.refs));
    default:
      fail(CL_INVALID_VALUE);
  }
}

/** Returns the compute units of each part; empty if the device cannot be partitioned in this way. */
std::vector<cl_uint> split(const _cl_device_id& device, const cl_device_partition_property* properties,
                           std::size_t& length) {
  std::vector<cl_uint> parts;
  length = 3;
  if (properties[0] == CL_DEVICE_PARTITION_EQUALLY) {
    const auto units = static_cast<cl_uint>(properties[1]);
    if (units > 0) parts.assign(device.units / units, units);
  } else if (properties[0] == CL_DEVICE_PARTITION_BY_COUNTS) {
    std::size_t at = 1;
    for (; properties[at] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++at) {
      parts.push_back(static_cast<cl_uint>(properties[at]));
    }
    length = at + 2;
    if (std::accumulate(parts.begin(), parts.end(), 0UL) > device.units) fail(CL_INVALID_DEVICE_PARTITION_COUNT);
  } else if (properties[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) {
    parts.assign(2, device.units / 2);
  } else {
    misuse(CL_INVALID_VALUE, "an unknown kind of partition");
  }
  return parts;
}

}  // namespace

void on_destroy(_cl_device_id& device) {
  if (device.parent->parent != nullptr) unhold(*device.parent);
}

}  // namespace fake

using namespace fake;

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, std::size_t size, void* value, std::size_t* size_ret) {
  return info_routine("clGetDeviceInfo", size, value, size_ret, [&](Info& out) {
    const auto& d = check(device, CL_INVALID_DEVICE);
    require_version(introduced(name));
    if (answer_number(name, out) || answer_size(name, out) || answer_capability(name, out)) return;
    if (answer_extension(name, out)) return;
    if (!answer_text(d, name, out)) answer_identity(d, name, out);
  });
}

cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property* properties, cl_uint entries,
                          cl_device_id* devices, cl_uint* count) {
  return routine("clCreateSubDevices", [&] {
    auto& parent = check(device, CL_INVALID_DEVICE);
    require(properties != nullptr, CL_INVALID_VALUE, "no partition properties");
    std::size_t length = 0;
    const auto parts = split(parent, properties, length);
    if (parts.empty()) fail(CL_DEVICE_PARTITION_FAILED);
    require(devices == nullptr || entries >= parts.size(), CL_INVALID_VALUE, "too few entries for the sub-devices");
    if (count != nullptr) *count = static_cast<cl_uint>(parts.size());
    for (std::size_t at = 0; devices != nullptr && at < parts.size(); ++at) {
      const auto part = make<_cl_device_id>();
      part->platform = parent.platform;
      part->index = parent.index;
      part->parent = &parent;
      part->units = parts[at];
      part->partition.assign(properties, properties + length);
      if (parent.parent != nullptr) hold(parent);
      devices[at] = part;
    }
  });
}

// Root devices are never released: retain and release have no effect.

cl_int clRetainDevice(cl_device_id device) {
  return routine("clRetainDevice", [&] {
    if (check(device, CL_INVALID_DEVICE).parent != nullptr) retain(device, CL_INVALID_DEVICE);
  });
}

cl_int clReleaseDevice(cl_device_id device) {
  return release_routine("clReleaseDevice", [&] {
    if (!known(device, Kind::device) || device->parent != nullptr) release(device, CL_INVALID_DEVICE);
  });
}

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong* device_time, cl_ulong* host_time) {
  return routine("clGetDeviceAndHostTimer", [&] {
    check(device, CL_INVALID_DEVICE);
    require(device_time != nullptr && host_time != nullptr, CL_INVALID_VALUE, "a null pointer for a time");
    *device_time = *host_time = now();
  });
}

cl_int clGetHostTimer(cl_device_id device, cl_ulong* host_time) {
  return routine("clGetHostTimer", [&] {
    check(device, CL_INVALID_DEVICE);
    require(host_time != nullptr, CL_INVALID_VALUE, "a null pointer for a time");
    *host_time = now();
  });
}

cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue queue) {
  return routine("clSetDefaultDeviceCommandQueue", [&] {
    check(context, CL_INVALID_CONTEXT);
    check(device, CL_INVALID_DEVICE);
    check_in(context, queue, CL_INVALID_COMMAND_QUEUE);
    fail(CL_INVALID_OPERATION);
  });
}

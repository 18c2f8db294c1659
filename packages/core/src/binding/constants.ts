// Generated from CL/cl.h, CL/cl_ext.h and CL/cl_gl.h by scripts/generate-constants.mjs: do not edit.
// Header fingerprint: 3edb12c696d812b2
//
// Each group is an object and a type of the same name. A bit-field's type is number, because its values are combined.

type ValueOf<T> = T[keyof T];

/** Status codes that OpenCL calls return. */
export const Status = {
  SUCCESS: 0,
  DEVICE_NOT_FOUND: -1,
  DEVICE_NOT_AVAILABLE: -2,
  COMPILER_NOT_AVAILABLE: -3,
  MEM_OBJECT_ALLOCATION_FAILURE: -4,
  OUT_OF_RESOURCES: -5,
  OUT_OF_HOST_MEMORY: -6,
  PROFILING_INFO_NOT_AVAILABLE: -7,
  MEM_COPY_OVERLAP: -8,
  IMAGE_FORMAT_MISMATCH: -9,
  IMAGE_FORMAT_NOT_SUPPORTED: -10,
  BUILD_PROGRAM_FAILURE: -11,
  MAP_FAILURE: -12,
  MISALIGNED_SUB_BUFFER_OFFSET: -13,
  EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: -14,
  COMPILE_PROGRAM_FAILURE: -15,
  LINKER_NOT_AVAILABLE: -16,
  LINK_PROGRAM_FAILURE: -17,
  DEVICE_PARTITION_FAILED: -18,
  KERNEL_ARG_INFO_NOT_AVAILABLE: -19,
  INVALID_VALUE: -30,
  INVALID_DEVICE_TYPE: -31,
  INVALID_PLATFORM: -32,
  INVALID_DEVICE: -33,
  INVALID_CONTEXT: -34,
  INVALID_QUEUE_PROPERTIES: -35,
  INVALID_COMMAND_QUEUE: -36,
  INVALID_HOST_PTR: -37,
  INVALID_MEM_OBJECT: -38,
  INVALID_IMAGE_FORMAT_DESCRIPTOR: -39,
  INVALID_IMAGE_SIZE: -40,
  INVALID_SAMPLER: -41,
  INVALID_BINARY: -42,
  INVALID_BUILD_OPTIONS: -43,
  INVALID_PROGRAM: -44,
  INVALID_PROGRAM_EXECUTABLE: -45,
  INVALID_KERNEL_NAME: -46,
  INVALID_KERNEL_DEFINITION: -47,
  INVALID_KERNEL: -48,
  INVALID_ARG_INDEX: -49,
  INVALID_ARG_VALUE: -50,
  INVALID_ARG_SIZE: -51,
  INVALID_KERNEL_ARGS: -52,
  INVALID_WORK_DIMENSION: -53,
  INVALID_WORK_GROUP_SIZE: -54,
  INVALID_WORK_ITEM_SIZE: -55,
  INVALID_GLOBAL_OFFSET: -56,
  INVALID_EVENT_WAIT_LIST: -57,
  INVALID_EVENT: -58,
  INVALID_OPERATION: -59,
  INVALID_GL_OBJECT: -60,
  INVALID_BUFFER_SIZE: -61,
  INVALID_MIP_LEVEL: -62,
  INVALID_GLOBAL_WORK_SIZE: -63,
  INVALID_PROPERTY: -64,
  INVALID_IMAGE_DESCRIPTOR: -65,
  INVALID_COMPILER_OPTIONS: -66,
  INVALID_LINKER_OPTIONS: -67,
  INVALID_DEVICE_PARTITION_COUNT: -68,
  INVALID_PIPE_SIZE: -69,
  INVALID_DEVICE_QUEUE: -70,
  INVALID_SPEC_ID: -71,
  MAX_SIZE_RESTRICTION_EXCEEDED: -72,
  // cl_khr_command_buffer
  INVALID_COMMAND_BUFFER_KHR: -1138,
  INVALID_SYNC_POINT_WAIT_LIST_KHR: -1139,
  INCOMPATIBLE_COMMAND_QUEUE_KHR: -1140,
  // cl_khr_command_buffer_mutable_dispatch
  INVALID_MUTABLE_COMMAND_KHR: -1141,
  // cl_khr_icd
  PLATFORM_NOT_FOUND_KHR: -1001,
  // cl_khr_terminate_context
  CONTEXT_TERMINATED_KHR: -1121,
  // cl_ext_device_fission
  DEVICE_PARTITION_FAILED_EXT: -1057,
  INVALID_PARTITION_COUNT_EXT: -1058,
  INVALID_PARTITION_NAME_EXT: -1059,
  // cl_img_use_gralloc_ptr
  GRALLOC_RESOURCE_NOT_ACQUIRED_IMG: 0x40d4,
  INVALID_GRALLOC_OBJECT_IMG: 0x40d5,
  // cl_khr_semaphore
  INVALID_SEMAPHORE_KHR: -1142,
  // cl_arm_controlled_kernel_termination
  COMMAND_TERMINATED_ITSELF_WITH_FAILURE_ARM: -1108,
  // cl_intel_advanced_motion_estimation
  INVALID_ACCELERATOR_INTEL: -1094,
  INVALID_ACCELERATOR_TYPE_INTEL: -1095,
  INVALID_ACCELERATOR_DESCRIPTOR_INTEL: -1096,
  ACCELERATOR_TYPE_NOT_SUPPORTED_INTEL: -1097,
  // cl_khr_gl_sharing
  INVALID_GL_SHAREGROUP_REFERENCE_KHR: -1000,
} as const;
/** One of {@link Status}. */
export type Status = ValueOf<typeof Status>;

/** Queries of `clGetPlatformInfo`. */
export const PlatformInfo = {
  PROFILE: 0x900,
  VERSION: 0x901,
  NAME: 0x902,
  VENDOR: 0x903,
  EXTENSIONS: 0x904,
  HOST_TIMER_RESOLUTION: 0x905,
  NUMERIC_VERSION: 0x906,
  EXTENSIONS_WITH_VERSION: 0x907,
  // cl_khr_icd
  ICD_SUFFIX_KHR: 0x920,
  // cl_khr_extended_versioning
  NUMERIC_VERSION_KHR: 0x906,
  EXTENSIONS_WITH_VERSION_KHR: 0x907,
  // cl_khr_external_memory
  EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR: 0x2044,
  // cl_khr_external_semaphore
  SEMAPHORE_IMPORT_HANDLE_TYPES_KHR: 0x2037,
  SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: 0x2038,
  // cl_khr_semaphore
  SEMAPHORE_TYPES_KHR: 0x2036,
} as const;
/** One of {@link PlatformInfo}. */
export type PlatformInfo = ValueOf<typeof PlatformInfo>;

/** Kinds of device. */
export const DeviceType = { DEFAULT: 1, CPU: 2, GPU: 4, ACCELERATOR: 8, CUSTOM: 0x10, ALL: 0xffffffff } as const;
/** One of {@link DeviceType}, or several of them combined. */
export type DeviceType = number;

/** Keys of `clCreateSubDevices`: how to partition a device. */
export const DevicePartitionProperty = {
  EQUALLY: 0x1086,
  BY_COUNTS: 0x1087,
  BY_COUNTS_LIST_END: 0,
  BY_AFFINITY_DOMAIN: 0x1088,
  // cl_ext_device_fission
  EQUALLY_EXT: 0x4050,
  BY_COUNTS_EXT: 0x4051,
  BY_NAMES_EXT: 0x4052,
  BY_AFFINITY_DOMAIN_EXT: 0x4053,
  // cl_intel_device_partition_by_names
  BY_NAMES_INTEL: 0x4052,
  BY_NAMES_LIST_END_INTEL: -1,
} as const;
/** One of {@link DevicePartitionProperty}. */
export type DevicePartitionProperty = ValueOf<typeof DevicePartitionProperty>;

/** Affinity domains by which a device can be partitioned. */
export const DeviceAffinityDomain = {
  NUMA: 1,
  L4_CACHE: 2,
  L3_CACHE: 4,
  L2_CACHE: 8,
  L1_CACHE: 0x10,
  NEXT_PARTITIONABLE: 0x20,
} as const;
/** One of {@link DeviceAffinityDomain}, or several of them combined. */
export type DeviceAffinityDomain = number;

/** Affinity domains of cl_ext_device_fission. */
export const DeviceAffinityDomainExt = {
  L1_CACHE_EXT: 1,
  L2_CACHE_EXT: 2,
  L3_CACHE_EXT: 3,
  L4_CACHE_EXT: 4,
  NUMA_EXT: 0x10,
  NEXT_FISSIONABLE_EXT: 0x100,
} as const;
/** One of {@link DeviceAffinityDomainExt}. */
export type DeviceAffinityDomainExt = ValueOf<typeof DeviceAffinityDomainExt>;

/** Kinds of shared virtual memory that a device supports. */
export const DeviceSvmCapabilities = {
  COARSE_GRAIN_BUFFER: 1,
  FINE_GRAIN_BUFFER: 2,
  FINE_GRAIN_SYSTEM: 4,
  ATOMICS: 8,
  // cl_arm_shared_virtual_memory
  COARSE_GRAIN_BUFFER_ARM: 1,
  FINE_GRAIN_BUFFER_ARM: 2,
  FINE_GRAIN_SYSTEM_ARM: 4,
  ATOMICS_ARM: 8,
} as const;
/** One of {@link DeviceSvmCapabilities}, or several of them combined. */
export type DeviceSvmCapabilities = number;

/** Memory orders and scopes of a device's atomics. */
export const DeviceAtomicCapabilities = {
  ORDER_RELAXED: 1,
  ORDER_ACQ_REL: 2,
  ORDER_SEQ_CST: 4,
  SCOPE_WORK_ITEM: 8,
  SCOPE_WORK_GROUP: 0x10,
  SCOPE_DEVICE: 0x20,
  SCOPE_ALL_DEVICES: 0x40,
} as const;
/** One of {@link DeviceAtomicCapabilities}, or several of them combined. */
export type DeviceAtomicCapabilities = number;

/** Capabilities of a device for on-device queues. */
export const DeviceDeviceEnqueueCapabilities = { SUPPORTED: 1, REPLACEABLE_DEFAULT: 2 } as const;
/** One of {@link DeviceDeviceEnqueueCapabilities}, or several of them combined. */
export type DeviceDeviceEnqueueCapabilities = number;

/** Input forms of integer dot products (cl_khr_integer_dot_product). */
export const DeviceIntegerDotProductCapabilities = { INPUT_4x8BIT_PACKED_KHR: 1, INPUT_4x8BIT_KHR: 2 } as const;
/** One of {@link DeviceIntegerDotProductCapabilities}, or several of them combined. */
export type DeviceIntegerDotProductCapabilities = number;

/** Scheduling controls (cl_arm_scheduling_controls). */
export const DeviceSchedulingControlsCapabilitiesArm = {
  KERNEL_BATCHING_ARM: 1,
  WORKGROUP_BATCH_SIZE_ARM: 2,
  WORKGROUP_BATCH_SIZE_MODIFIER_ARM: 4,
  DEFERRED_FLUSH_ARM: 8,
  REGISTER_ALLOCATION_ARM: 0x10,
  WARP_THROTTLING_ARM: 0x20,
  COMPUTE_UNIT_BATCH_QUEUE_SIZE_ARM: 0x40,
} as const;
/** One of {@link DeviceSchedulingControlsCapabilitiesArm}, or several of them combined. */
export type DeviceSchedulingControlsCapabilitiesArm = number;

/** Ways in which a kernel may terminate itself (cl_arm_controlled_kernel_termination). */
export const DeviceControlledTerminationCapabilitiesArm = { SUCCESS_ARM: 1, FAILURE_ARM: 2, QUERY_ARM: 4 } as const;
/** One of {@link DeviceControlledTerminationCapabilitiesArm}, or several of them combined. */
export type DeviceControlledTerminationCapabilitiesArm = number;

/** Instruction features (cl_intel_device_attribute_query). */
export const DeviceFeatureCapabilitiesIntel = { DP4A_INTEL: 1, DPAS_INTEL: 2 } as const;
/** One of {@link DeviceFeatureCapabilitiesIntel}, or several of them combined. */
export type DeviceFeatureCapabilitiesIntel = number;

/** Kinds of device topology (cl_amd_device_attribute_query). */
export const DeviceTopologyTypeAmd = { PCIE_AMD: 1 } as const;
/** One of {@link DeviceTopologyTypeAmd}. */
export type DeviceTopologyTypeAmd = ValueOf<typeof DeviceTopologyTypeAmd>;

/** Keys of memory object properties. */
export const MemProperties = {
  // cl_img_mem_properties
  ALLOC_FLAGS_IMG: 0x40d7,
  // cl_khr_external_memory
  DEVICE_HANDLE_LIST_KHR: 0x2051,
  DEVICE_HANDLE_LIST_END_KHR: 0,
  // cl_intel_unified_shared_memory
  ALLOC_FLAGS_INTEL: 0x4195,
  // cl_intel_mem_alloc_buffer_location
  ALLOC_BUFFER_LOCATION_INTEL: 0x419e,
  // cl_intel_mem_channel_property
  CHANNEL_INTEL: 0x4213,
} as const;
/** One of {@link MemProperties}. */
export type MemProperties = ValueOf<typeof MemProperties>;

/** Queries of `clGetDeviceInfo`. */
export const DeviceInfo = {
  TYPE: 0x1000,
  VENDOR_ID: 0x1001,
  MAX_COMPUTE_UNITS: 0x1002,
  MAX_WORK_ITEM_DIMENSIONS: 0x1003,
  MAX_WORK_GROUP_SIZE: 0x1004,
  MAX_WORK_ITEM_SIZES: 0x1005,
  PREFERRED_VECTOR_WIDTH_CHAR: 0x1006,
  PREFERRED_VECTOR_WIDTH_SHORT: 0x1007,
  PREFERRED_VECTOR_WIDTH_INT: 0x1008,
  PREFERRED_VECTOR_WIDTH_LONG: 0x1009,
  PREFERRED_VECTOR_WIDTH_FLOAT: 0x100a,
  PREFERRED_VECTOR_WIDTH_DOUBLE: 0x100b,
  MAX_CLOCK_FREQUENCY: 0x100c,
  ADDRESS_BITS: 0x100d,
  MAX_READ_IMAGE_ARGS: 0x100e,
  MAX_WRITE_IMAGE_ARGS: 0x100f,
  MAX_MEM_ALLOC_SIZE: 0x1010,
  IMAGE2D_MAX_WIDTH: 0x1011,
  IMAGE2D_MAX_HEIGHT: 0x1012,
  IMAGE3D_MAX_WIDTH: 0x1013,
  IMAGE3D_MAX_HEIGHT: 0x1014,
  IMAGE3D_MAX_DEPTH: 0x1015,
  IMAGE_SUPPORT: 0x1016,
  MAX_PARAMETER_SIZE: 0x1017,
  MAX_SAMPLERS: 0x1018,
  MEM_BASE_ADDR_ALIGN: 0x1019,
  MIN_DATA_TYPE_ALIGN_SIZE: 0x101a,
  SINGLE_FP_CONFIG: 0x101b,
  GLOBAL_MEM_CACHE_TYPE: 0x101c,
  GLOBAL_MEM_CACHELINE_SIZE: 0x101d,
  GLOBAL_MEM_CACHE_SIZE: 0x101e,
  GLOBAL_MEM_SIZE: 0x101f,
  MAX_CONSTANT_BUFFER_SIZE: 0x1020,
  MAX_CONSTANT_ARGS: 0x1021,
  LOCAL_MEM_TYPE: 0x1022,
  LOCAL_MEM_SIZE: 0x1023,
  ERROR_CORRECTION_SUPPORT: 0x1024,
  PROFILING_TIMER_RESOLUTION: 0x1025,
  ENDIAN_LITTLE: 0x1026,
  AVAILABLE: 0x1027,
  COMPILER_AVAILABLE: 0x1028,
  EXECUTION_CAPABILITIES: 0x1029,
  QUEUE_PROPERTIES: 0x102a,
  QUEUE_ON_HOST_PROPERTIES: 0x102a,
  NAME: 0x102b,
  VENDOR: 0x102c,
  DRIVER_VERSION: 0x102d,
  PROFILE: 0x102e,
  VERSION: 0x102f,
  EXTENSIONS: 0x1030,
  PLATFORM: 0x1031,
  DOUBLE_FP_CONFIG: 0x1032,
  PREFERRED_VECTOR_WIDTH_HALF: 0x1034,
  HOST_UNIFIED_MEMORY: 0x1035,
  NATIVE_VECTOR_WIDTH_CHAR: 0x1036,
  NATIVE_VECTOR_WIDTH_SHORT: 0x1037,
  NATIVE_VECTOR_WIDTH_INT: 0x1038,
  NATIVE_VECTOR_WIDTH_LONG: 0x1039,
  NATIVE_VECTOR_WIDTH_FLOAT: 0x103a,
  NATIVE_VECTOR_WIDTH_DOUBLE: 0x103b,
  NATIVE_VECTOR_WIDTH_HALF: 0x103c,
  OPENCL_C_VERSION: 0x103d,
  LINKER_AVAILABLE: 0x103e,
  BUILT_IN_KERNELS: 0x103f,
  IMAGE_MAX_BUFFER_SIZE: 0x1040,
  IMAGE_MAX_ARRAY_SIZE: 0x1041,
  PARENT_DEVICE: 0x1042,
  PARTITION_MAX_SUB_DEVICES: 0x1043,
  PARTITION_PROPERTIES: 0x1044,
  PARTITION_AFFINITY_DOMAIN: 0x1045,
  PARTITION_TYPE: 0x1046,
  REFERENCE_COUNT: 0x1047,
  PREFERRED_INTEROP_USER_SYNC: 0x1048,
  PRINTF_BUFFER_SIZE: 0x1049,
  IMAGE_PITCH_ALIGNMENT: 0x104a,
  IMAGE_BASE_ADDRESS_ALIGNMENT: 0x104b,
  MAX_READ_WRITE_IMAGE_ARGS: 0x104c,
  MAX_GLOBAL_VARIABLE_SIZE: 0x104d,
  QUEUE_ON_DEVICE_PROPERTIES: 0x104e,
  QUEUE_ON_DEVICE_PREFERRED_SIZE: 0x104f,
  QUEUE_ON_DEVICE_MAX_SIZE: 0x1050,
  MAX_ON_DEVICE_QUEUES: 0x1051,
  MAX_ON_DEVICE_EVENTS: 0x1052,
  SVM_CAPABILITIES: 0x1053,
  GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: 0x1054,
  MAX_PIPE_ARGS: 0x1055,
  PIPE_MAX_ACTIVE_RESERVATIONS: 0x1056,
  PIPE_MAX_PACKET_SIZE: 0x1057,
  PREFERRED_PLATFORM_ATOMIC_ALIGNMENT: 0x1058,
  PREFERRED_GLOBAL_ATOMIC_ALIGNMENT: 0x1059,
  PREFERRED_LOCAL_ATOMIC_ALIGNMENT: 0x105a,
  IL_VERSION: 0x105b,
  MAX_NUM_SUB_GROUPS: 0x105c,
  SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: 0x105d,
  NUMERIC_VERSION: 0x105e,
  EXTENSIONS_WITH_VERSION: 0x1060,
  ILS_WITH_VERSION: 0x1061,
  BUILT_IN_KERNELS_WITH_VERSION: 0x1062,
  ATOMIC_MEMORY_CAPABILITIES: 0x1063,
  ATOMIC_FENCE_CAPABILITIES: 0x1064,
  NON_UNIFORM_WORK_GROUP_SUPPORT: 0x1065,
  OPENCL_C_ALL_VERSIONS: 0x1066,
  PREFERRED_WORK_GROUP_SIZE_MULTIPLE: 0x1067,
  WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: 0x1068,
  GENERIC_ADDRESS_SPACE_SUPPORT: 0x1069,
  OPENCL_C_FEATURES: 0x106f,
  DEVICE_ENQUEUE_CAPABILITIES: 0x1070,
  PIPE_SUPPORT: 0x1071,
  LATEST_CONFORMANCE_VERSION_PASSED: 0x1072,
  // cl_khr_command_buffer
  COMMAND_BUFFER_CAPABILITIES_KHR: 0x12a9,
  COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR: 0x12aa,
  // cl_khr_command_buffer_mutable_dispatch
  MUTABLE_DISPATCH_CAPABILITIES_KHR: 0x12b0,
  // cl_khr_fp16
  HALF_FP_CONFIG: 0x1033,
  // cl_khr_il_program
  IL_VERSION_KHR: 0x105b,
  // cl_khr_image2d_from_buffer
  IMAGE_PITCH_ALIGNMENT_KHR: 0x104a,
  IMAGE_BASE_ADDRESS_ALIGNMENT_KHR: 0x104b,
  // cl_khr_terminate_context
  TERMINATE_CAPABILITY_KHR: 0x2031,
  // cl_khr_spir
  SPIR_VERSIONS: 0x40e0,
  // cl_nv_device_attribute_query
  COMPUTE_CAPABILITY_MAJOR_NV: 0x4000,
  COMPUTE_CAPABILITY_MINOR_NV: 0x4001,
  REGISTERS_PER_BLOCK_NV: 0x4002,
  WARP_SIZE_NV: 0x4003,
  GPU_OVERLAP_NV: 0x4004,
  KERNEL_EXEC_TIMEOUT_NV: 0x4005,
  INTEGRATED_MEMORY_NV: 0x4006,
  // cl_amd_device_memory_flags
  MAX_ATOMIC_COUNTERS_EXT: 0x4032,
  // cl_amd_device_attribute_query
  PROFILING_TIMER_OFFSET_AMD: 0x4036,
  TOPOLOGY_AMD: 0x4037,
  BOARD_NAME_AMD: 0x4038,
  GLOBAL_FREE_MEMORY_AMD: 0x4039,
  SIMD_PER_COMPUTE_UNIT_AMD: 0x4040,
  SIMD_WIDTH_AMD: 0x4041,
  SIMD_INSTRUCTION_WIDTH_AMD: 0x4042,
  WAVEFRONT_WIDTH_AMD: 0x4043,
  GLOBAL_MEM_CHANNELS_AMD: 0x4044,
  GLOBAL_MEM_CHANNEL_BANKS_AMD: 0x4045,
  GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD: 0x4046,
  LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD: 0x4047,
  LOCAL_MEM_BANKS_AMD: 0x4048,
  THREAD_TRACE_SUPPORTED_AMD: 0x4049,
  GFXIP_MAJOR_AMD: 0x404a,
  GFXIP_MINOR_AMD: 0x404b,
  AVAILABLE_ASYNC_QUEUES_AMD: 0x404c,
  PREFERRED_WORK_GROUP_SIZE_AMD: 0x4030,
  MAX_WORK_GROUP_SIZE_AMD: 0x4031,
  PREFERRED_CONSTANT_BUFFER_SIZE_AMD: 0x4033,
  PCIE_ID_AMD: 0x4034,
  // cl_ext_device_fission
  PARENT_DEVICE_EXT: 0x4054,
  PARTITION_TYPES_EXT: 0x4055,
  AFFINITY_DOMAINS_EXT: 0x4056,
  REFERENCE_COUNT_EXT: 0x4057,
  PARTITION_STYLE_EXT: 0x4058,
  // cl_ext_cxx_for_opencl
  CXX_FOR_OPENCL_NUMERIC_VERSION_EXT: 0x4230,
  // cl_qcom_ext_host_ptr
  EXT_MEM_PADDING_IN_BYTES_QCOM: 0x40a0,
  PAGE_SIZE_QCOM: 0x40a1,
  // cl_khr_subgroup_named_barrier
  MAX_NAMED_BARRIER_COUNT_KHR: 0x2035,
  // cl_khr_extended_versioning
  NUMERIC_VERSION_KHR: 0x105e,
  OPENCL_C_NUMERIC_VERSION_KHR: 0x105f,
  EXTENSIONS_WITH_VERSION_KHR: 0x1060,
  ILS_WITH_VERSION_KHR: 0x1061,
  BUILT_IN_KERNELS_WITH_VERSION_KHR: 0x1062,
  // cl_khr_device_uuid
  UUID_KHR: 0x106a,
  DRIVER_UUID_KHR: 0x106b,
  LUID_VALID_KHR: 0x106c,
  LUID_KHR: 0x106d,
  NODE_MASK_KHR: 0x106e,
  // cl_khr_pci_bus_info
  PCI_BUS_INFO_KHR: 0x410f,
  // cl_khr_integer_dot_product
  INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: 0x1073,
  INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR: 0x1074,
  INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR: 0x1075,
  // cl_khr_external_memory
  EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR: 0x204f,
  // cl_khr_external_semaphore
  SEMAPHORE_IMPORT_HANDLE_TYPES_KHR: 0x204d,
  SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: 0x204e,
  // cl_khr_semaphore
  SEMAPHORE_TYPES_KHR: 0x204c,
  // cl_arm_shared_virtual_memory
  SVM_CAPABILITIES_ARM: 0x40b6,
  // cl_arm_get_core_id
  COMPUTE_UNITS_BITFIELD_ARM: 0x40bf,
  // cl_arm_job_slot_selection
  JOB_SLOTS_ARM: 0x41e0,
  // cl_arm_scheduling_controls
  SCHEDULING_CONTROLS_CAPABILITIES_ARM: 0x41e4,
  SUPPORTED_REGISTER_ALLOCATIONS_ARM: 0x41eb,
  MAX_WARP_COUNT_ARM: 0x41ea,
  // cl_arm_controlled_kernel_termination
  CONTROLLED_TERMINATION_CAPABILITIES_ARM: 0x41ee,
  // cl_intel_device_attribute_query
  IP_VERSION_INTEL: 0x4250,
  ID_INTEL: 0x4251,
  NUM_SLICES_INTEL: 0x4252,
  NUM_SUB_SLICES_PER_SLICE_INTEL: 0x4253,
  NUM_EUS_PER_SUB_SLICE_INTEL: 0x4254,
  NUM_THREADS_PER_EU_INTEL: 0x4255,
  FEATURE_CAPABILITIES_INTEL: 0x4256,
  // cl_intel_advanced_motion_estimation
  ME_VERSION_INTEL: 0x407e,
  // cl_intel_simultaneous_sharing
  SIMULTANEOUS_INTEROPS_INTEL: 0x4104,
  NUM_SIMULTANEOUS_INTEROPS_INTEL: 0x4105,
  // cl_intel_required_subgroup_size
  SUB_GROUP_SIZES_INTEL: 0x4108,
  // cl_intel_planar_yuv
  PLANAR_YUV_MAX_WIDTH_INTEL: 0x417e,
  PLANAR_YUV_MAX_HEIGHT_INTEL: 0x417f,
  // cl_intel_device_side_avc_motion_estimation
  AVC_ME_VERSION_INTEL: 0x410b,
  AVC_ME_SUPPORTS_TEXTURE_SAMPLER_USE_INTEL: 0x410c,
  AVC_ME_SUPPORTS_PREEMPTION_INTEL: 0x410d,
  // cl_intel_unified_shared_memory
  HOST_MEM_CAPABILITIES_INTEL: 0x4190,
  DEVICE_MEM_CAPABILITIES_INTEL: 0x4191,
  SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: 0x4192,
  CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: 0x4193,
  SHARED_SYSTEM_MEM_CAPABILITIES_INTEL: 0x4194,
  // cl_intel_command_queue_families
  QUEUE_FAMILY_PROPERTIES_INTEL: 0x418b,
  // cl_nv_device_attribute_query, not in the headers
  ATTRIBUTE_ASYNC_ENGINE_COUNT_NV: 0x4007,
  PCI_BUS_ID_NV: 0x4008,
  PCI_SLOT_ID_NV: 0x4009,
  PCI_DOMAIN_ID_NV: 0x400a,
} as const;
/** One of {@link DeviceInfo}. */
export type DeviceInfo = ValueOf<typeof DeviceInfo>;

/** Floating-point capabilities of a device. */
export const DeviceFpConfig = {
  DENORM: 1,
  INF_NAN: 2,
  ROUND_TO_NEAREST: 4,
  ROUND_TO_ZERO: 8,
  ROUND_TO_INF: 0x10,
  FMA: 0x20,
  SOFT_FLOAT: 0x40,
  CORRECTLY_ROUNDED_DIVIDE_SQRT: 0x80,
} as const;
/** One of {@link DeviceFpConfig}, or several of them combined. */
export type DeviceFpConfig = number;

/** Kinds of global memory cache. */
export const DeviceMemCacheType = { NONE: 0, READ_ONLY_CACHE: 1, READ_WRITE_CACHE: 2 } as const;
/** One of {@link DeviceMemCacheType}. */
export type DeviceMemCacheType = ValueOf<typeof DeviceMemCacheType>;

/** Kinds of local memory. */
export const DeviceLocalMemType = { NONE: 0, LOCAL: 1, GLOBAL: 2 } as const;
/** One of {@link DeviceLocalMemType}. */
export type DeviceLocalMemType = ValueOf<typeof DeviceLocalMemType>;

/** Kinds of kernel that a device can execute. */
export const DeviceExecCapabilities = { KERNEL: 1, NATIVE_KERNEL: 2 } as const;
/** One of {@link DeviceExecCapabilities}, or several of them combined. */
export type DeviceExecCapabilities = number;

/** Vendor identifiers that Khronos assigned to vendors without a PCI vendor ID. */
export const KhronosVendorId = { CODEPLAY: 0x10004 } as const;
/** One of {@link KhronosVendorId}. */
export type KhronosVendorId = ValueOf<typeof KhronosVendorId>;

/** Queries of `clGetContextInfo`. */
export const ContextInfo = {
  REFERENCE_COUNT: 0x1080,
  DEVICES: 0x1081,
  PROPERTIES: 0x1082,
  NUM_DEVICES: 0x1083,
} as const;
/** One of {@link ContextInfo}. */
export type ContextInfo = ValueOf<typeof ContextInfo>;

/** Levels of driver diagnostics (cl_intel_driver_diagnostics). */
export const ContextDiagnosticsLevelIntel = { ALL_INTEL: 255, GOOD_INTEL: 1, BAD_INTEL: 2, NEUTRAL_INTEL: 4 } as const;
/** One of {@link ContextDiagnosticsLevelIntel}, or several of them combined. */
export type ContextDiagnosticsLevelIntel = number;

/** Queries of `clGetGLContextInfoKHR`. */
export const GlContextInfo = { CURRENT_DEVICE_FOR_GL_CONTEXT_KHR: 0x2006, DEVICES_FOR_GL_CONTEXT_KHR: 0x2007 } as const;
/** One of {@link GlContextInfo}. */
export type GlContextInfo = ValueOf<typeof GlContextInfo>;

/** Keys of context properties. */
export const ContextProperty = {
  PLATFORM: 0x1084,
  INTEROP_USER_SYNC: 0x1085,
  // cl_khr_initialize_memory
  MEMORY_INITIALIZE_KHR: 0x2030,
  // cl_khr_terminate_context
  TERMINATE_KHR: 0x2032,
  // cl_amd_offline_devices
  OFFLINE_DEVICES_AMD: 0x403f,
  // cl_arm_printf
  PRINTF_CALLBACK_ARM: 0x40b0,
  PRINTF_BUFFERSIZE_ARM: 0x40b1,
  // cl_intel_driver_diagnostics
  SHOW_DIAGNOSTICS_INTEL: 0x4106,
  // cl_khr_gl_sharing
  GL_CONTEXT_KHR: 0x2008,
  EGL_DISPLAY_KHR: 0x2009,
  GLX_DISPLAY_KHR: 0x200a,
  WGL_HDC_KHR: 0x200b,
  CGL_SHAREGROUP_KHR: 0x200c,
} as const;
/** One of {@link ContextProperty}. */
export type ContextProperty = ValueOf<typeof ContextProperty>;

/** Modes of a command queue. */
export const CommandQueueProperties = {
  OUT_OF_ORDER_EXEC_MODE_ENABLE: 1,
  PROFILING_ENABLE: 2,
  ON_DEVICE: 4,
  ON_DEVICE_DEFAULT: 8,
  // cl_intel_exec_by_local_thread
  THREAD_LOCAL_EXEC_ENABLE_INTEL: 0x80000000,
  // cl_intel_queue_no_sync_operations
  NO_SYNC_OPERATIONS_INTEL: 0x20000000,
} as const;
/** One of {@link CommandQueueProperties}, or several of them combined. */
export type CommandQueueProperties = number;

/** Priority hints (cl_khr_priority_hints). */
export const QueuePriority = { HIGH_KHR: 1, MED_KHR: 2, LOW_KHR: 4 } as const;
/** One of {@link QueuePriority}, or several of them combined. */
export type QueuePriority = number;

/** Throttle hints (cl_khr_throttle_hints). */
export const QueueThrottle = { HIGH_KHR: 1, MED_KHR: 2, LOW_KHR: 4 } as const;
/** One of {@link QueueThrottle}, or several of them combined. */
export type QueueThrottle = number;

/** Capabilities of the queues of a family (cl_intel_command_queue_families). */
export const CommandQueueCapabilitiesIntel = {
  DEFAULT_CAPABILITIES_INTEL: 0,
  CREATE_SINGLE_QUEUE_EVENTS_INTEL: 1,
  CREATE_CROSS_QUEUE_EVENTS_INTEL: 2,
  SINGLE_QUEUE_EVENT_WAIT_LIST_INTEL: 4,
  CROSS_QUEUE_EVENT_WAIT_LIST_INTEL: 8,
  TRANSFER_BUFFER_INTEL: 0x100,
  TRANSFER_BUFFER_RECT_INTEL: 0x200,
  MAP_BUFFER_INTEL: 0x400,
  FILL_BUFFER_INTEL: 0x800,
  TRANSFER_IMAGE_INTEL: 0x1000,
  MAP_IMAGE_INTEL: 0x2000,
  FILL_IMAGE_INTEL: 0x4000,
  TRANSFER_BUFFER_IMAGE_INTEL: 0x8000,
  TRANSFER_IMAGE_BUFFER_INTEL: 0x10000,
  MARKER_INTEL: 0x1000000,
  BARRIER_INTEL: 0x2000000,
  KERNEL_INTEL: 0x4000000,
} as const;
/** One of {@link CommandQueueCapabilitiesIntel}, or several of them combined. */
export type CommandQueueCapabilitiesIntel = number;

/** Keys of command queue properties. */
export const QueueProperties = {
  PROPERTIES: 0x1093,
  SIZE: 0x1094,
  // cl_khr_priority_hints
  PRIORITY_KHR: 0x1096,
  // cl_khr_throttle_hints
  THROTTLE_KHR: 0x1097,
  // cl_arm_job_slot_selection
  JOB_SLOT_ARM: 0x41e1,
  // cl_arm_scheduling_controls
  KERNEL_BATCHING_ARM: 0x41e7,
  DEFERRED_FLUSH_ARM: 0x41ec,
  // cl_intel_command_queue_families
  FAMILY_INTEL: 0x418c,
  INDEX_INTEL: 0x418d,
} as const;
/** One of {@link QueueProperties}. */
export type QueueProperties = ValueOf<typeof QueueProperties>;

/** Queries of `clGetCommandQueueInfo`. */
export const CommandQueueInfo = {
  CONTEXT: 0x1090,
  DEVICE: 0x1091,
  REFERENCE_COUNT: 0x1092,
  PROPERTIES: 0x1093,
  SIZE: 0x1094,
  DEVICE_DEFAULT: 0x1095,
  PROPERTIES_ARRAY: 0x1098,
  // cl_intel_command_queue_families
  FAMILY_INTEL: 0x418c,
  INDEX_INTEL: 0x418d,
} as const;
/** One of {@link CommandQueueInfo}. */
export type CommandQueueInfo = ValueOf<typeof CommandQueueInfo>;

/** Flags of shared virtual memory allocations. */
export const SvmMemFlags = {
  READ_WRITE: 1,
  WRITE_ONLY: 2,
  READ_ONLY: 4,
  SVM_FINE_GRAIN_BUFFER: 0x400,
  SVM_ATOMICS: 0x800,
  // cl_arm_shared_virtual_memory
  SVM_FINE_GRAIN_BUFFER_ARM: 0x400,
  SVM_ATOMICS_ARM: 0x800,
} as const;
/** One of {@link SvmMemFlags}, or several of them combined. */
export type SvmMemFlags = number;

/** Kinds and cache policies of host memory (cl_qcom_ext_host_ptr). */
export const MemHostPtrQcom = {
  // cl_qcom_ext_host_ptr
  HOST_UNCACHED_QCOM: 0x40a4,
  HOST_WRITEBACK_QCOM: 0x40a5,
  HOST_WRITETHROUGH_QCOM: 0x40a6,
  HOST_WRITE_COMBINING_QCOM: 0x40a7,
  // cl_qcom_ext_host_ptr_iocoherent
  HOST_IOCOHERENT_QCOM: 0x40a9,
  // cl_qcom_ion_host_ptr
  ION_HOST_PTR_QCOM: 0x40a8,
  // cl_qcom_android_native_buffer_host_ptr
  ANDROID_NATIVE_BUFFER_HOST_PTR_QCOM: 0x40c6,
} as const;
/** One of {@link MemHostPtrQcom}. */
export type MemHostPtrQcom = ValueOf<typeof MemHostPtrQcom>;

/** Flags of memory objects. */
export const MemFlags = {
  READ_WRITE: 1,
  WRITE_ONLY: 2,
  READ_ONLY: 4,
  USE_HOST_PTR: 8,
  ALLOC_HOST_PTR: 0x10,
  COPY_HOST_PTR: 0x20,
  HOST_WRITE_ONLY: 0x80,
  HOST_READ_ONLY: 0x100,
  HOST_NO_ACCESS: 0x200,
  SVM_FINE_GRAIN_BUFFER: 0x400,
  SVM_ATOMICS: 0x800,
  KERNEL_READ_AND_WRITE: 0x1000,
  // cl_amd_device_memory_flags
  USE_PERSISTENT_MEM_AMD: 0x40,
  // cl_qcom_ext_host_ptr
  EXT_HOST_PTR_QCOM: 0x20000000,
  // cl_img_cached_allocations
  USE_UNCACHED_CPU_MEMORY_IMG: 0x4000000,
  USE_CACHED_CPU_MEMORY_IMG: 0x8000000,
  // cl_img_use_gralloc_ptr
  USE_GRALLOC_PTR_IMG: 0x10000000,
  // cl_arm_shared_virtual_memory
  SVM_FINE_GRAIN_BUFFER_ARM: 0x400,
  SVM_ATOMICS_ARM: 0x800,
  // cl_arm_protected_memory_allocation
  PROTECTED_ALLOC_ARM: 0x1000000000,
  // cl_intel_planar_yuv
  NO_ACCESS_INTEL: 0x1000000,
  ACCESS_FLAGS_UNRESTRICTED_INTEL: 0x2000000,
  // cl_intel_mem_force_host_memory
  FORCE_HOST_MEMORY_INTEL: 0x100000,
} as const;
/** One of {@link MemFlags}, or several of them combined. */
export type MemFlags = number;

/** Flags of `clEnqueueMigrateMemObjects`. */
export const MemMigrationFlags = {
  HOST: 1,
  CONTENT_UNDEFINED: 2,
  // cl_ext_migrate_memobject
  HOST_EXT: 1,
} as const;
/** One of {@link MemMigrationFlags}, or several of them combined. */
export type MemMigrationFlags = number;

/** Kinds of memory object. */
export const MemObjectType = {
  BUFFER: 0x10f0,
  IMAGE2D: 0x10f1,
  IMAGE3D: 0x10f2,
  IMAGE2D_ARRAY: 0x10f3,
  IMAGE1D: 0x10f4,
  IMAGE1D_ARRAY: 0x10f5,
  IMAGE1D_BUFFER: 0x10f6,
  PIPE: 0x10f7,
} as const;
/** One of {@link MemObjectType}. */
export type MemObjectType = ValueOf<typeof MemObjectType>;

/** Flags of unified shared memory (cl_intel_unified_shared_memory). */
export const MemAllocFlagsIntel = {
  WRITE_COMBINED_INTEL: 1,
  INITIAL_PLACEMENT_DEVICE_INTEL: 2,
  INITIAL_PLACEMENT_HOST_INTEL: 4,
} as const;
/** One of {@link MemAllocFlagsIntel}, or several of them combined. */
export type MemAllocFlagsIntel = number;

/** Allocation flags (cl_img_mem_properties). */
export const MemAllocFlagsImg = { RELAX_REQUIREMENTS_IMG: 1 } as const;
/** One of {@link MemAllocFlagsImg}, or several of them combined. */
export type MemAllocFlagsImg = number;

/** Queries of unified shared memory (cl_intel_unified_shared_memory). */
export const MemAllocInfoIntel = {
  TYPE_INTEL: 0x419a,
  BASE_PTR_INTEL: 0x419b,
  SIZE_INTEL: 0x419c,
  DEVICE_INTEL: 0x419d,
} as const;
/** One of {@link MemAllocInfoIntel}. */
export type MemAllocInfoIntel = ValueOf<typeof MemAllocInfoIntel>;

/** Kinds of unified shared memory (cl_intel_unified_shared_memory). */
export const UnifiedSharedMemoryTypeIntel = {
  UNKNOWN_INTEL: 0x4196,
  HOST_INTEL: 0x4197,
  DEVICE_INTEL: 0x4198,
  SHARED_INTEL: 0x4199,
} as const;
/** One of {@link UnifiedSharedMemoryTypeIntel}. */
export type UnifiedSharedMemoryTypeIntel = ValueOf<typeof UnifiedSharedMemoryTypeIntel>;

/** Capabilities of a device for unified shared memory. */
export const UnifiedSharedMemoryCapabilitiesIntel = {
  ACCESS_INTEL: 1,
  ATOMIC_ACCESS_INTEL: 2,
  CONCURRENT_ACCESS_INTEL: 4,
  CONCURRENT_ATOMIC_ACCESS_INTEL: 8,
} as const;
/** One of {@link UnifiedSharedMemoryCapabilitiesIntel}, or several of them combined. */
export type UnifiedSharedMemoryCapabilitiesIntel = number;

/** Queries of `clGetMemObjectInfo`. */
export const MemInfo = {
  TYPE: 0x1100,
  FLAGS: 0x1101,
  SIZE: 0x1102,
  HOST_PTR: 0x1103,
  MAP_COUNT: 0x1104,
  REFERENCE_COUNT: 0x1105,
  CONTEXT: 0x1106,
  ASSOCIATED_MEMOBJECT: 0x1107,
  OFFSET: 0x1108,
  USES_SVM_POINTER: 0x1109,
  PROPERTIES: 0x110a,
  // cl_arm_shared_virtual_memory
  USES_SVM_POINTER_ARM: 0x40b7,
} as const;
/** One of {@link MemInfo}. */
export type MemInfo = ValueOf<typeof MemInfo>;

/** Kinds of sub-buffer. */
export const BufferCreateType = { REGION: 0x1220 } as const;
/** One of {@link BufferCreateType}. */
export type BufferCreateType = ValueOf<typeof BufferCreateType>;

/** Flags for mapping memory: the requested access. */
export const MapFlags = { READ: 1, WRITE: 2, WRITE_INVALIDATE_REGION: 4 } as const;
/** One of {@link MapFlags}, or several of them combined. */
export type MapFlags = number;

/** Queries of image requirements (cl_ext_image_requirements_info). */
export const ImageRequirementsInfo = {
  // cl_ext_image_requirements_info
  ROW_PITCH_ALIGNMENT_EXT: 0x1290,
  BASE_ADDRESS_ALIGNMENT_EXT: 0x1292,
  SIZE_EXT: 0x12b2,
  MAX_WIDTH_EXT: 0x12b3,
  MAX_HEIGHT_EXT: 0x12b4,
  MAX_DEPTH_EXT: 0x12b5,
  MAX_ARRAY_SIZE_EXT: 0x12b6,
  // cl_ext_image_from_buffer
  SLICE_PITCH_ALIGNMENT_EXT: 0x1291,
} as const;
/** One of {@link ImageRequirementsInfo}. */
export type ImageRequirementsInfo = ValueOf<typeof ImageRequirementsInfo>;

/** Queries of `clGetImageInfo`. */
export const ImageInfo = {
  FORMAT: 0x1110,
  ELEMENT_SIZE: 0x1111,
  ROW_PITCH: 0x1112,
  SLICE_PITCH: 0x1113,
  WIDTH: 0x1114,
  HEIGHT: 0x1115,
  DEPTH: 0x1116,
  ARRAY_SIZE: 0x1117,
  BUFFER: 0x1118,
  NUM_MIP_LEVELS: 0x1119,
  NUM_SAMPLES: 0x111a,
  // cl_qcom_ext_host_ptr
  ROW_ALIGNMENT_QCOM: 0x40a2,
  SLICE_ALIGNMENT_QCOM: 0x40a3,
} as const;
/** One of {@link ImageInfo}. */
export type ImageInfo = ValueOf<typeof ImageInfo>;

/** Orders of the channels of a pixel. */
export const ChannelOrder = {
  R: 0x10b0,
  A: 0x10b1,
  RG: 0x10b2,
  RA: 0x10b3,
  RGB: 0x10b4,
  RGBA: 0x10b5,
  BGRA: 0x10b6,
  ARGB: 0x10b7,
  INTENSITY: 0x10b8,
  LUMINANCE: 0x10b9,
  Rx: 0x10ba,
  RGx: 0x10bb,
  RGBx: 0x10bc,
  DEPTH: 0x10bd,
  DEPTH_STENCIL: 0x10be,
  sRGB: 0x10bf,
  sRGBx: 0x10c0,
  sRGBA: 0x10c1,
  sBGRA: 0x10c2,
  ABGR: 0x10c3,
  // cl_img_yuv_image
  NV21_IMG: 0x40d0,
  YV12_IMG: 0x40d1,
  // cl_intel_packed_yuv
  YUYV_INTEL: 0x4076,
  UYVY_INTEL: 0x4077,
  YVYU_INTEL: 0x4078,
  VYUY_INTEL: 0x4079,
  // cl_intel_planar_yuv
  NV12_INTEL: 0x410e,
} as const;
/** One of {@link ChannelOrder}. */
export type ChannelOrder = ValueOf<typeof ChannelOrder>;

/** Data types of an image channel. */
export const ChannelType = {
  SNORM_INT8: 0x10d0,
  SNORM_INT16: 0x10d1,
  UNORM_INT8: 0x10d2,
  UNORM_INT16: 0x10d3,
  UNORM_SHORT_565: 0x10d4,
  UNORM_SHORT_555: 0x10d5,
  UNORM_INT_101010: 0x10d6,
  SIGNED_INT8: 0x10d7,
  SIGNED_INT16: 0x10d8,
  SIGNED_INT32: 0x10d9,
  UNSIGNED_INT8: 0x10da,
  UNSIGNED_INT16: 0x10db,
  UNSIGNED_INT32: 0x10dc,
  HALF_FLOAT: 0x10dd,
  FLOAT: 0x10de,
  UNORM_INT24: 0x10df,
  UNORM_INT_101010_2: 0x10e0,
} as const;
/** One of {@link ChannelType}. */
export type ChannelType = ValueOf<typeof ChannelType>;

/** Keys of pipe properties. */
export const PipeProperties = { PACKET_SIZE: 0x1120, MAX_PACKETS: 0x1121 } as const;
/** One of {@link PipeProperties}. */
export type PipeProperties = ValueOf<typeof PipeProperties>;

/** Queries of `clGetPipeInfo`. */
export const PipeInfo = { PACKET_SIZE: 0x1120, MAX_PACKETS: 0x1121, PROPERTIES: 0x1122 } as const;
/** One of {@link PipeInfo}. */
export type PipeInfo = ValueOf<typeof PipeInfo>;

/** Ways in which a sampler handles coordinates outside the image. */
export const AddressingMode = {
  NONE: 0x1130,
  CLAMP_TO_EDGE: 0x1131,
  CLAMP: 0x1132,
  REPEAT: 0x1133,
  MIRRORED_REPEAT: 0x1134,
} as const;
/** One of {@link AddressingMode}. */
export type AddressingMode = ValueOf<typeof AddressingMode>;

/** Interpolation modes of a sampler. */
export const FilterMode = { NEAREST: 0x1140, LINEAR: 0x1141 } as const;
/** One of {@link FilterMode}. */
export type FilterMode = ValueOf<typeof FilterMode>;

/** Keys of sampler properties. */
export const SamplerProperties = {
  NORMALIZED_COORDS: 0x1152,
  ADDRESSING_MODE: 0x1153,
  FILTER_MODE: 0x1154,
  MIP_FILTER_MODE: 0x1155,
  LOD_MIN: 0x1156,
  LOD_MAX: 0x1157,
  // cl_khr_mipmap_image
  MIP_FILTER_MODE_KHR: 0x1155,
  LOD_MIN_KHR: 0x1156,
  LOD_MAX_KHR: 0x1157,
} as const;
/** One of {@link SamplerProperties}. */
export type SamplerProperties = ValueOf<typeof SamplerProperties>;

/** Queries of `clGetSamplerInfo`. */
export const SamplerInfo = {
  REFERENCE_COUNT: 0x1150,
  CONTEXT: 0x1151,
  NORMALIZED_COORDS: 0x1152,
  ADDRESSING_MODE: 0x1153,
  FILTER_MODE: 0x1154,
  MIP_FILTER_MODE: 0x1155,
  LOD_MIN: 0x1156,
  LOD_MAX: 0x1157,
  PROPERTIES: 0x1158,
  // cl_khr_mipmap_image
  MIP_FILTER_MODE_KHR: 0x1155,
  LOD_MIN_KHR: 0x1156,
  LOD_MAX_KHR: 0x1157,
} as const;
/** One of {@link SamplerInfo}. */
export type SamplerInfo = ValueOf<typeof SamplerInfo>;

/** Filters of mip-map generation (cl_img_generate_mipmap). */
export const MipmapFilterImg = { ANY_IMG: 0, BOX_IMG: 1 } as const;
/** One of {@link MipmapFilterImg}. */
export type MipmapFilterImg = ValueOf<typeof MipmapFilterImg>;

/** Keys and values of memory import (cl_arm_import_memory). */
export const ImportMemoryArm = {
  TYPE_ARM: 0x40b2,
  TYPE_HOST_ARM: 0x40b3,
  TYPE_DMA_BUF_ARM: 0x40b4,
  TYPE_PROTECTED_ARM: 0x40b5,
  TYPE_ANDROID_HARDWARE_BUFFER_ARM: 0x41e2,
  DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM: 0x41e3,
  ANDROID_HARDWARE_BUFFER_PLANE_INDEX_ARM: 0x41ef,
  ANDROID_HARDWARE_BUFFER_LAYER_INDEX_ARM: 0x41f0,
} as const;
/** One of {@link ImportMemoryArm}. */
export type ImportMemoryArm = ValueOf<typeof ImportMemoryArm>;

/** Kinds of OpenGL object that a memory object is created from. */
export const GlObjectType = {
  BUFFER: 0x2000,
  TEXTURE2D: 0x2001,
  TEXTURE3D: 0x2002,
  RENDERBUFFER: 0x2003,
  TEXTURE2D_ARRAY: 0x200e,
  TEXTURE1D: 0x200f,
  TEXTURE1D_ARRAY: 0x2010,
  TEXTURE_BUFFER: 0x2011,
} as const;
/** One of {@link GlObjectType}. */
export type GlObjectType = ValueOf<typeof GlObjectType>;

/** Queries of `clGetGLTextureInfo`. */
export const GlTextureInfo = { TEXTURE_TARGET: 0x2004, MIPMAP_LEVEL: 0x2005, NUM_SAMPLES: 0x2012 } as const;
/** One of {@link GlTextureInfo}. */
export type GlTextureInfo = ValueOf<typeof GlTextureInfo>;

/** Kinds of program binary. */
export const ProgramBinaryType = {
  NONE: 0,
  COMPILED_OBJECT: 1,
  LIBRARY: 2,
  EXECUTABLE: 4,
  // cl_khr_spir
  INTERMEDIATE: 0x40e1,
} as const;
/** One of {@link ProgramBinaryType}. */
export type ProgramBinaryType = ValueOf<typeof ProgramBinaryType>;

/** Queries of `clGetProgramBuildInfo`. */
export const ProgramBuildInfo = {
  STATUS: 0x1181,
  OPTIONS: 0x1182,
  LOG: 0x1183,
  BINARY_TYPE: 0x1184,
  GLOBAL_VARIABLE_TOTAL_SIZE: 0x1185,
} as const;
/** One of {@link ProgramBuildInfo}. */
export type ProgramBuildInfo = ValueOf<typeof ProgramBuildInfo>;

/** Queries of `clGetProgramInfo`. */
export const ProgramInfo = {
  REFERENCE_COUNT: 0x1160,
  CONTEXT: 0x1161,
  NUM_DEVICES: 0x1162,
  DEVICES: 0x1163,
  SOURCE: 0x1164,
  BINARY_SIZES: 0x1165,
  BINARIES: 0x1166,
  NUM_KERNELS: 0x1167,
  KERNEL_NAMES: 0x1168,
  IL: 0x1169,
  SCOPE_GLOBAL_CTORS_PRESENT: 0x116a,
  SCOPE_GLOBAL_DTORS_PRESENT: 0x116b,
  // cl_khr_il_program
  IL_KHR: 0x1169,
} as const;
/** One of {@link ProgramInfo}. */
export type ProgramInfo = ValueOf<typeof ProgramInfo>;

/** Build status of a program. */
export const BuildStatus = { SUCCESS: 0, NONE: -1, ERROR: -2, IN_PROGRESS: -3 } as const;
/** One of {@link BuildStatus}. */
export type BuildStatus = ValueOf<typeof BuildStatus>;

/** Queries of `clGetKernelArgInfo`. */
export const KernelArgInfo = {
  ADDRESS_QUALIFIER: 0x1196,
  ACCESS_QUALIFIER: 0x1197,
  TYPE_NAME: 0x1198,
  TYPE_QUALIFIER: 0x1199,
  NAME: 0x119a,
} as const;
/** One of {@link KernelArgInfo}. */
export type KernelArgInfo = ValueOf<typeof KernelArgInfo>;

/** Address spaces of a kernel argument. */
export const KernelArgAddressQualifier = { GLOBAL: 0x119b, LOCAL: 0x119c, CONSTANT: 0x119d, PRIVATE: 0x119e } as const;
/** One of {@link KernelArgAddressQualifier}. */
export type KernelArgAddressQualifier = ValueOf<typeof KernelArgAddressQualifier>;

/** Access qualifiers of an image argument. */
export const KernelArgAccessQualifier = {
  READ_ONLY: 0x11a0,
  WRITE_ONLY: 0x11a1,
  READ_WRITE: 0x11a2,
  NONE: 0x11a3,
} as const;
/** One of {@link KernelArgAccessQualifier}. */
export type KernelArgAccessQualifier = ValueOf<typeof KernelArgAccessQualifier>;

/** Type qualifiers of a kernel argument. */
export const KernelArgTypeQualifier = { NONE: 0, CONST: 1, RESTRICT: 2, VOLATILE: 4, PIPE: 8 } as const;
/** One of {@link KernelArgTypeQualifier}, or several of them combined. */
export type KernelArgTypeQualifier = number;

/** Keys of `clSetKernelExecInfo`. */
export const KernelExecInfo = {
  SVM_PTRS: 0x11b6,
  SVM_FINE_GRAIN_SYSTEM: 0x11b7,
  // cl_arm_shared_virtual_memory
  SVM_PTRS_ARM: 0x40b8,
  SVM_FINE_GRAIN_SYSTEM_ARM: 0x40b9,
  // cl_arm_scheduling_controls
  WORKGROUP_BATCH_SIZE_ARM: 0x41e5,
  WORKGROUP_BATCH_SIZE_MODIFIER_ARM: 0x41e6,
  WARP_COUNT_LIMIT_ARM: 0x41e8,
  COMPUTE_UNIT_MAX_QUEUED_BATCHES_ARM: 0x41f1,
  // cl_intel_unified_shared_memory
  INDIRECT_HOST_ACCESS_INTEL: 0x4200,
  INDIRECT_DEVICE_ACCESS_INTEL: 0x4201,
  INDIRECT_SHARED_ACCESS_INTEL: 0x4202,
  USM_PTRS_INTEL: 0x4203,
} as const;
/** One of {@link KernelExecInfo}. */
export type KernelExecInfo = ValueOf<typeof KernelExecInfo>;

/** Queries of `clGetKernelWorkGroupInfo`. */
export const KernelWorkGroupInfo = {
  WORK_GROUP_SIZE: 0x11b0,
  COMPILE_WORK_GROUP_SIZE: 0x11b1,
  LOCAL_MEM_SIZE: 0x11b2,
  PREFERRED_WORK_GROUP_SIZE_MULTIPLE: 0x11b3,
  PRIVATE_MEM_SIZE: 0x11b4,
  GLOBAL_WORK_SIZE: 0x11b5,
  // cl_intel_required_subgroup_size
  SPILL_MEM_SIZE_INTEL: 0x4109,
} as const;
/** One of {@link KernelWorkGroupInfo}. */
export type KernelWorkGroupInfo = ValueOf<typeof KernelWorkGroupInfo>;

/** Queries of `clGetKernelSubGroupInfo`. */
export const KernelSubGroupInfo = {
  MAX_SUB_GROUP_SIZE_FOR_NDRANGE: 0x2033,
  SUB_GROUP_COUNT_FOR_NDRANGE: 0x2034,
  LOCAL_SIZE_FOR_SUB_GROUP_COUNT: 0x11b8,
  MAX_NUM_SUB_GROUPS: 0x11b9,
  COMPILE_NUM_SUB_GROUPS: 0x11ba,
  // cl_khr_subgroups
  MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR: 0x2033,
  SUB_GROUP_COUNT_FOR_NDRANGE_KHR: 0x2034,
  // cl_intel_required_subgroup_size
  COMPILE_SUB_GROUP_SIZE_INTEL: 0x410a,
} as const;
/** One of {@link KernelSubGroupInfo}. */
export type KernelSubGroupInfo = ValueOf<typeof KernelSubGroupInfo>;

/** Queries of `clGetKernelInfo`. */
export const KernelInfo = {
  FUNCTION_NAME: 0x1190,
  NUM_ARGS: 0x1191,
  REFERENCE_COUNT: 0x1192,
  CONTEXT: 0x1193,
  PROGRAM: 0x1194,
  ATTRIBUTES: 0x1195,
  // cl_arm_scheduling_controls
  MAX_WARP_COUNT_ARM: 0x41e9,
} as const;
/** One of {@link KernelInfo}. */
export type KernelInfo = ValueOf<typeof KernelInfo>;

/** Queries of `clGetEventInfo`. */
export const EventInfo = {
  COMMAND_QUEUE: 0x11d0,
  COMMAND_TYPE: 0x11d1,
  REFERENCE_COUNT: 0x11d2,
  COMMAND_EXECUTION_STATUS: 0x11d3,
  CONTEXT: 0x11d4,
  // cl_arm_controlled_kernel_termination
  COMMAND_TERMINATION_REASON_ARM: 0x41ed,
} as const;
/** One of {@link EventInfo}. */
export type EventInfo = ValueOf<typeof EventInfo>;

/** Execution status of a command; a negative value is an error. */
export const CommandStatus = { COMPLETE: 0, RUNNING: 1, SUBMITTED: 2, QUEUED: 3 } as const;
/** One of {@link CommandStatus}. */
export type CommandStatus = ValueOf<typeof CommandStatus>;

/** Queries of `clGetEventProfilingInfo`. */
export const ProfilingInfo = { QUEUED: 0x1280, SUBMIT: 0x1281, START: 0x1282, END: 0x1283, COMPLETE: 0x1284 } as const;
/** One of {@link ProfilingInfo}. */
export type ProfilingInfo = ValueOf<typeof ProfilingInfo>;

/** Reasons why a command ended (cl_arm_controlled_kernel_termination). */
export const CommandTerminationReasonArm = {
  COMPLETION_ARM: 0,
  CONTROLLED_SUCCESS_ARM: 1,
  CONTROLLED_FAILURE_ARM: 2,
  ERROR_ARM: 3,
} as const;
/** One of {@link CommandTerminationReasonArm}. */
export type CommandTerminationReasonArm = ValueOf<typeof CommandTerminationReasonArm>;

/** Capabilities of a device's command buffers. */
export const CommandBufferCapabilities = {
  KERNEL_PRINTF_KHR: 1,
  DEVICE_SIDE_ENQUEUE_KHR: 2,
  SIMULTANEOUS_USE_KHR: 4,
  OUT_OF_ORDER_KHR: 8,
} as const;
/** One of {@link CommandBufferCapabilities}, or several of them combined. */
export type CommandBufferCapabilities = number;

/** States of a command buffer. */
export const CommandBufferState = { RECORDING_KHR: 0, EXECUTABLE_KHR: 1, PENDING_KHR: 2, INVALID_KHR: 3 } as const;
/** One of {@link CommandBufferState}. */
export type CommandBufferState = ValueOf<typeof CommandBufferState>;

/** Flags of a command buffer. */
export const CommandBufferFlags = {
  // cl_khr_command_buffer
  SIMULTANEOUS_USE_KHR: 1,
  // cl_khr_command_buffer_mutable_dispatch
  MUTABLE_KHR: 2,
} as const;
/** One of {@link CommandBufferFlags}, or several of them combined. */
export type CommandBufferFlags = number;

/** Keys of command buffer properties. */
export const CommandBufferProperties = { FLAGS_KHR: 0x1293 } as const;
/** One of {@link CommandBufferProperties}. */
export type CommandBufferProperties = ValueOf<typeof CommandBufferProperties>;

/** Queries of `clGetCommandBufferInfoKHR`. */
export const CommandBufferInfo = {
  QUEUES_KHR: 0x1294,
  NUM_QUEUES_KHR: 0x1295,
  REFERENCE_COUNT_KHR: 0x1296,
  STATE_KHR: 0x1297,
  PROPERTIES_ARRAY_KHR: 0x1298,
} as const;
/** One of {@link CommandBufferInfo}. */
export type CommandBufferInfo = ValueOf<typeof CommandBufferInfo>;

/** Parts of a recorded kernel command that can be updated. */
export const MutableDispatchFields = {
  GLOBAL_OFFSET_KHR: 1,
  GLOBAL_SIZE_KHR: 2,
  LOCAL_SIZE_KHR: 4,
  ARGUMENTS_KHR: 8,
  EXEC_INFO_KHR: 0x10,
} as const;
/** One of {@link MutableDispatchFields}, or several of them combined. */
export type MutableDispatchFields = number;

/** Keys of properties of a recorded kernel command. */
export const CommandProperties = { UPDATABLE_FIELDS_KHR: 0x12b1 } as const;
/** One of {@link CommandProperties}. */
export type CommandProperties = ValueOf<typeof CommandProperties>;

/** Queries of `clGetMutableCommandInfoKHR`. */
export const MutableCommandInfo = {
  COMMAND_QUEUE_KHR: 0x12a0,
  COMMAND_BUFFER_KHR: 0x12a1,
  COMMAND_TYPE_KHR: 0x12ad,
  DISPATCH_PROPERTIES_ARRAY_KHR: 0x12a2,
  DISPATCH_KERNEL_KHR: 0x12a3,
  DISPATCH_DIMENSIONS_KHR: 0x12a4,
  DISPATCH_GLOBAL_WORK_OFFSET_KHR: 0x12a5,
  DISPATCH_GLOBAL_WORK_SIZE_KHR: 0x12a6,
  DISPATCH_LOCAL_WORK_SIZE_KHR: 0x12a7,
} as const;
/** One of {@link MutableCommandInfo}. */
export type MutableCommandInfo = ValueOf<typeof MutableCommandInfo>;

/** Kinds of update structure. */
export const CommandBufferStructureType = { MUTABLE_BASE_CONFIG_KHR: 0, MUTABLE_DISPATCH_CONFIG_KHR: 1 } as const;
/** One of {@link CommandBufferStructureType}. */
export type CommandBufferStructureType = ValueOf<typeof CommandBufferStructureType>;

/** Types of command. */
export const CommandType = {
  NDRANGE_KERNEL: 0x11f0,
  TASK: 0x11f1,
  NATIVE_KERNEL: 0x11f2,
  READ_BUFFER: 0x11f3,
  WRITE_BUFFER: 0x11f4,
  COPY_BUFFER: 0x11f5,
  READ_IMAGE: 0x11f6,
  WRITE_IMAGE: 0x11f7,
  COPY_IMAGE: 0x11f8,
  COPY_IMAGE_TO_BUFFER: 0x11f9,
  COPY_BUFFER_TO_IMAGE: 0x11fa,
  MAP_BUFFER: 0x11fb,
  MAP_IMAGE: 0x11fc,
  UNMAP_MEM_OBJECT: 0x11fd,
  MARKER: 0x11fe,
  ACQUIRE_GL_OBJECTS: 0x11ff,
  RELEASE_GL_OBJECTS: 0x1200,
  READ_BUFFER_RECT: 0x1201,
  WRITE_BUFFER_RECT: 0x1202,
  COPY_BUFFER_RECT: 0x1203,
  USER: 0x1204,
  BARRIER: 0x1205,
  MIGRATE_MEM_OBJECTS: 0x1206,
  FILL_BUFFER: 0x1207,
  FILL_IMAGE: 0x1208,
  SVM_FREE: 0x1209,
  SVM_MEMCPY: 0x120a,
  SVM_MEMFILL: 0x120b,
  SVM_MAP: 0x120c,
  SVM_UNMAP: 0x120d,
  SVM_MIGRATE_MEM: 0x120e,
  // cl_khr_command_buffer
  COMMAND_BUFFER_KHR: 0x12a8,
  // cl_ext_migrate_memobject
  MIGRATE_MEM_OBJECT_EXT: 0x4040,
  // cl_img_use_gralloc_ptr
  ACQUIRE_GRALLOC_OBJECTS_IMG: 0x40d2,
  RELEASE_GRALLOC_OBJECTS_IMG: 0x40d3,
  // cl_img_generate_mipmap
  GENERATE_MIPMAP_IMG: 0x40d6,
  // cl_khr_external_memory
  ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR: 0x2047,
  RELEASE_EXTERNAL_MEM_OBJECTS_KHR: 0x2048,
  // cl_khr_semaphore
  SEMAPHORE_WAIT_KHR: 0x2042,
  SEMAPHORE_SIGNAL_KHR: 0x2043,
  // cl_arm_shared_virtual_memory
  SVM_FREE_ARM: 0x40ba,
  SVM_MEMCPY_ARM: 0x40bb,
  SVM_MEMFILL_ARM: 0x40bc,
  SVM_MAP_ARM: 0x40bd,
  SVM_UNMAP_ARM: 0x40be,
  // cl_intel_unified_shared_memory
  MEMFILL_INTEL: 0x4204,
  MEMCPY_INTEL: 0x4205,
  MIGRATEMEM_INTEL: 0x4206,
  MEMADVISE_INTEL: 0x4207,
  // cl_khr_gl_event
  GL_FENCE_SYNC_OBJECT_KHR: 0x200d,
} as const;
/** One of {@link CommandType}. */
export type CommandType = ValueOf<typeof CommandType>;

/** Types of handle from which memory is imported (cl_khr_external_memory). */
export const ExternalMemoryHandleType = {
  // cl_khr_external_memory_dma_buf
  DMA_BUF_KHR: 0x2067,
  // cl_khr_external_memory_dx
  D3D11_TEXTURE_KHR: 0x2063,
  D3D11_TEXTURE_KMT_KHR: 0x2064,
  D3D12_HEAP_KHR: 0x2065,
  D3D12_RESOURCE_KHR: 0x2066,
  // cl_khr_external_memory_opaque_fd
  OPAQUE_FD_KHR: 0x2060,
  // cl_khr_external_memory_win32
  OPAQUE_WIN32_KHR: 0x2061,
  OPAQUE_WIN32_KMT_KHR: 0x2062,
} as const;
/** One of {@link ExternalMemoryHandleType}. */
export type ExternalMemoryHandleType = ValueOf<typeof ExternalMemoryHandleType>;

/** Types of semaphore handle (cl_khr_external_semaphore). */
export const ExternalSemaphoreHandleType = {
  // cl_khr_external_semaphore_dx_fence
  D3D12_FENCE_KHR: 0x2059,
  // cl_khr_external_semaphore_opaque_fd
  OPAQUE_FD_KHR: 0x2055,
  // cl_khr_external_semaphore_sync_fd
  SYNC_FD_KHR: 0x2058,
  // cl_khr_external_semaphore_win32
  OPAQUE_WIN32_KHR: 0x2056,
  OPAQUE_WIN32_KMT_KHR: 0x2057,
} as const;
/** One of {@link ExternalSemaphoreHandleType}. */
export type ExternalSemaphoreHandleType = ValueOf<typeof ExternalSemaphoreHandleType>;

/** Kinds of semaphore (cl_khr_semaphore). */
export const SemaphoreType = { BINARY_KHR: 1 } as const;
/** One of {@link SemaphoreType}. */
export type SemaphoreType = ValueOf<typeof SemaphoreType>;

/** Keys of semaphore properties. */
export const SemaphoreProperties = {
  // cl_khr_external_semaphore
  EXPORT_HANDLE_TYPES_KHR: 0x203f,
  EXPORT_HANDLE_TYPES_LIST_END_KHR: 0,
  // cl_khr_semaphore
  TYPE_KHR: 0x203d,
} as const;
/** One of {@link SemaphoreProperties}. */
export type SemaphoreProperties = ValueOf<typeof SemaphoreProperties>;

/** Queries of `clGetSemaphoreInfoKHR`. */
export const SemaphoreInfo = {
  // cl_khr_external_semaphore
  EXPORT_HANDLE_TYPES_KHR: 0x203f,
  // cl_khr_semaphore
  CONTEXT_KHR: 0x2039,
  REFERENCE_COUNT_KHR: 0x203a,
  PROPERTIES_KHR: 0x203b,
  PAYLOAD_KHR: 0x203c,
  TYPE_KHR: 0x203d,
} as const;
/** One of {@link SemaphoreInfo}. */
export type SemaphoreInfo = ValueOf<typeof SemaphoreInfo>;

/** Bit widths and masks of the three numbers in a packed `cl_version`. */
export const VersionBits = {
  MAJOR_BITS: 10,
  MINOR_BITS: 10,
  PATCH_BITS: 12,
  MAJOR_MASK: 0x3ff,
  MINOR_MASK: 0x3ff,
  PATCH_MASK: 0xfff,
  // cl_khr_extended_versioning
  MAJOR_BITS_KHR: 10,
  MINOR_BITS_KHR: 10,
  PATCH_BITS_KHR: 12,
  MAJOR_MASK_KHR: 0x3ff,
  MINOR_MASK_KHR: 0x3ff,
  PATCH_MASK_KHR: 0xfff,
} as const;
/** One of {@link VersionBits}. */
export type VersionBits = ValueOf<typeof VersionBits>;

/** OpenCL's own name of each status code, `CL_` included. */
export const StatusName: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(Status).map(([key, value]) => [value, `CL_${key}`]),
);

// The groups of src/binding/constants.ts and the constants of the OpenCL headers that belong to each.
//
// A group matches header names by regular expression; a key is the name without the group's prefix. The first matching
// group owns a name, so specific groups precede general ones (DeviceType before DeviceInfo). A `shared` group repeats
// names that another group owns (SvmMemFlags has three of MemFlags). The generator fails for a name that no group
// matches, unless it is in `excluded`, with the reason.

/**
 * @typedef {object} Group
 * @property {string} name   exported name in constants.ts
 * @property {string} doc    one line of TSDoc
 * @property {RegExp} match  the header names it contains
 * @property {RegExp} strip  the part of the header name that a key omits
 * @property {boolean} [bits]    a bit-field: its type is number, because values are combined
 * @property {boolean} [shared]  repeats names that other groups own
 */

/** @type {Group[]} */
export const groups = [
  // Errors: every negative constant except the build states and list terminators below.
  g(
    "Status",
    "Status codes that OpenCL calls return.",
    /^CL_(SUCCESS$|INVALID_|OUT_OF_|MISALIGNED_|DEVICE_NOT_|COMPILER_NOT_|LINKER_NOT_|MAP_FAILURE$|EXEC_STATUS_ERROR_|PROFILING_INFO_NOT_|KERNEL_ARG_INFO_NOT_|PLATFORM_NOT_FOUND|INCOMPATIBLE_|MAX_SIZE_RESTRICTION|IMAGE_FORMAT_(MISMATCH|NOT_SUPPORTED)|MEM_(OBJECT_ALLOCATION_FAILURE|COPY_OVERLAP)|(BUILD|COMPILE|LINK)_PROGRAM_FAILURE|DEVICE_PARTITION_FAILED|CONTEXT_TERMINATED_KHR|COMMAND_TERMINATED_ITSELF|GRALLOC_RESOURCE_|ACCELERATOR_TYPE_NOT_)/,
  ),

  // Platform and device.
  g("PlatformInfo", "Queries of `clGetPlatformInfo`.", /^CL_PLATFORM_/),
  bits("DeviceType", "Kinds of device.", /^CL_DEVICE_TYPE_/),
  g(
    "DevicePartitionProperty",
    "Keys of `clCreateSubDevices`: how to partition a device.",
    /^CL_(DEVICE_PARTITION_(EQUALLY(_EXT)?|BY_\w+)|PARTITION_BY_NAMES_LIST_END_INTEL)$/,
    /^CL_(DEVICE_)?PARTITION_/,
  ),
  bits("DeviceAffinityDomain", "Affinity domains by which a device can be partitioned.", /^CL_DEVICE_AFFINITY_DOMAIN_/),
  g("DeviceAffinityDomainExt", "Affinity domains of cl_ext_device_fission.", /^CL_AFFINITY_DOMAIN_/),
  bits(
    "DeviceSvmCapabilities",
    "Kinds of shared virtual memory that a device supports.",
    /^CL_DEVICE_SVM_(?!CAPABILITIES)/,
  ),
  bits(
    "DeviceAtomicCapabilities",
    "Memory orders and scopes of a device's atomics.",
    /^CL_DEVICE_ATOMIC_(?=ORDER|SCOPE)/,
  ),
  bits(
    "DeviceDeviceEnqueueCapabilities",
    "Capabilities of a device for on-device queues.",
    /^CL_DEVICE_QUEUE_(?=SUPPORTED|REPLACEABLE_DEFAULT)/,
  ),
  bits(
    "DeviceIntegerDotProductCapabilities",
    "Input forms of integer dot products (cl_khr_integer_dot_product).",
    /^CL_DEVICE_INTEGER_DOT_PRODUCT_(?=INPUT_)/,
  ),
  bits(
    "DeviceSchedulingControlsCapabilitiesArm",
    "Scheduling controls (cl_arm_scheduling_controls).",
    /^CL_DEVICE_SCHEDULING_(?!CONTROLS_CAPABILITIES)/,
  ),
  bits(
    "DeviceControlledTerminationCapabilitiesArm",
    "Ways in which a kernel may terminate itself (cl_arm_controlled_kernel_termination).",
    /^CL_DEVICE_CONTROLLED_TERMINATION_(?!CAPABILITIES)/,
  ),
  bits(
    "DeviceFeatureCapabilitiesIntel",
    "Instruction features (cl_intel_device_attribute_query).",
    /^CL_DEVICE_FEATURE_FLAG_/,
  ),
  g("DeviceTopologyTypeAmd", "Kinds of device topology (cl_amd_device_attribute_query).", /^CL_DEVICE_TOPOLOGY_TYPE_/),
  g(
    "MemProperties",
    "Keys of memory object properties.",
    /^CL_(DEVICE_HANDLE_LIST_(END_)?KHR|MEM_(ALLOC_FLAGS_(IMG|INTEL)|ALLOC_BUFFER_LOCATION_INTEL|CHANNEL_INTEL))$/,
    /^CL_(MEM_)?/,
  ),
  g("DeviceInfo", "Queries of `clGetDeviceInfo`.", /^CL_(DEVICE|DRIVER)_/, /^CL_(DEVICE_)?/),
  bits("DeviceFpConfig", "Floating-point capabilities of a device.", /^CL_FP_/),
  g("DeviceMemCacheType", "Kinds of global memory cache.", /^CL_(NONE|READ_ONLY_CACHE|READ_WRITE_CACHE)$/, /^CL_/),
  g("DeviceLocalMemType", "Kinds of local memory.", /^CL_(NONE|LOCAL|GLOBAL)$/, /^CL_/, { shared: true }),
  bits("DeviceExecCapabilities", "Kinds of kernel that a device can execute.", /^CL_EXEC_(?=KERNEL|NATIVE_KERNEL)/),
  g(
    "KhronosVendorId",
    "Vendor identifiers that Khronos assigned to vendors without a PCI vendor ID.",
    /^CL_KHRONOS_VENDOR_ID_/,
  ),

  // Context.
  g(
    "ContextInfo",
    "Queries of `clGetContextInfo`.",
    /^CL_CONTEXT_(?=(REFERENCE_COUNT|DEVICES|PROPERTIES|NUM_DEVICES)$)/,
  ),
  bits(
    "ContextDiagnosticsLevelIntel",
    "Levels of driver diagnostics (cl_intel_driver_diagnostics).",
    /^CL_CONTEXT_DIAGNOSTICS_LEVEL_/,
  ),
  g("GlContextInfo", "Queries of `clGetGLContextInfoKHR`.", /^CL_(CURRENT_DEVICE|DEVICES)_FOR_GL_CONTEXT_KHR$/, /^CL_/),
  g(
    "ContextProperty",
    "Keys of context properties.",
    /^CL_(CONTEXT_|PRINTF_(CALLBACK|BUFFERSIZE)_ARM|(GL_CONTEXT|EGL_DISPLAY|GLX_DISPLAY|WGL_HDC|CGL_SHAREGROUP)_KHR$)/,
    /^CL_(CONTEXT_)?/,
  ),

  // Queue.
  bits(
    "CommandQueueProperties",
    "Modes of a command queue.",
    /^CL_QUEUE_(?=(OUT_OF_ORDER_EXEC_MODE_ENABLE|PROFILING_ENABLE|ON_DEVICE(_DEFAULT)?|THREAD_LOCAL_EXEC_ENABLE_INTEL|NO_SYNC_OPERATIONS_INTEL)$)/,
  ),
  bits("QueuePriority", "Priority hints (cl_khr_priority_hints).", /^CL_QUEUE_PRIORITY_(?!KHR$)/),
  bits("QueueThrottle", "Throttle hints (cl_khr_throttle_hints).", /^CL_QUEUE_THROTTLE_(?!KHR$)/),
  bits(
    "CommandQueueCapabilitiesIntel",
    "Capabilities of the queues of a family (cl_intel_command_queue_families).",
    /^CL_QUEUE_(CAPABILITY_\w+|DEFAULT_CAPABILITIES_INTEL)$/,
    /^CL_QUEUE_(CAPABILITY_)?/,
  ),
  g(
    "QueueProperties",
    "Keys of command queue properties.",
    /^CL_QUEUE_(?=(PROPERTIES|SIZE|(PRIORITY|THROTTLE)_KHR|(FAMILY|INDEX)_INTEL|(JOB_SLOT|KERNEL_BATCHING|DEFERRED_FLUSH)_ARM)$)/,
  ),
  g(
    "CommandQueueInfo",
    "Queries of `clGetCommandQueueInfo`.",
    /^CL_QUEUE_(?=(CONTEXT|DEVICE|REFERENCE_COUNT|PROPERTIES|SIZE|DEVICE_DEFAULT|PROPERTIES_ARRAY|(FAMILY|INDEX)_INTEL)$)/,
    undefined,
    { shared: true },
  ),

  // Memory objects.
  bits(
    "SvmMemFlags",
    "Flags of shared virtual memory allocations.",
    /^CL_MEM_(?=(READ_WRITE|WRITE_ONLY|READ_ONLY|SVM_\w+)$)/,
    undefined,
    { shared: true },
  ),
  g(
    "MemHostPtrQcom",
    "Kinds and cache policies of host memory (cl_qcom_ext_host_ptr).",
    /^CL_MEM_(?=(HOST_(UNCACHED|WRITEBACK|WRITETHROUGH|WRITE_COMBINING|IOCOHERENT)|(ION|ANDROID_NATIVE_BUFFER)_HOST_PTR)_QCOM$)/,
  ),
  bits(
    "MemFlags",
    "Flags of memory objects.",
    /^CL_MEM_(?=((HOST_)?(READ_WRITE|WRITE_ONLY|READ_ONLY|NO_ACCESS)|(USE|ALLOC|COPY)_HOST_PTR|SVM_\w+|KERNEL_READ_AND_WRITE|USE_\w+_(AMD|IMG)|EXT_HOST_PTR_QCOM|PROTECTED_ALLOC_ARM|(NO_ACCESS|ACCESS_FLAGS_UNRESTRICTED|FORCE_HOST_MEMORY)_INTEL)$)/,
  ),
  bits("MemMigrationFlags", "Flags of `clEnqueueMigrateMemObjects`.", /^CL_MIGRATE_MEM_OBJECT_/),
  g("MemObjectType", "Kinds of memory object.", /^CL_MEM_OBJECT_/),
  bits(
    "MemAllocFlagsIntel",
    "Flags of unified shared memory (cl_intel_unified_shared_memory).",
    /^CL_MEM_ALLOC_(?=(WRITE_COMBINED|INITIAL_PLACEMENT_\w+)_INTEL$)/,
  ),
  bits("MemAllocFlagsImg", "Allocation flags (cl_img_mem_properties).", /^CL_MEM_ALLOC_(?=RELAX_REQUIREMENTS_IMG$)/),
  g(
    "MemAllocInfoIntel",
    "Queries of unified shared memory (cl_intel_unified_shared_memory).",
    /^CL_MEM_ALLOC_(?=(TYPE|BASE_PTR|SIZE|DEVICE)_INTEL$)/,
  ),
  g(
    "UnifiedSharedMemoryTypeIntel",
    "Kinds of unified shared memory (cl_intel_unified_shared_memory).",
    /^CL_MEM_TYPE_(?=\w+_INTEL$)/,
  ),
  bits(
    "UnifiedSharedMemoryCapabilitiesIntel",
    "Capabilities of a device for unified shared memory.",
    /^CL_UNIFIED_SHARED_MEMORY_/,
  ),
  g("MemInfo", "Queries of `clGetMemObjectInfo`.", /^CL_MEM_/),
  g("BufferCreateType", "Kinds of sub-buffer.", /^CL_BUFFER_CREATE_TYPE_/),
  bits("MapFlags", "Flags for mapping memory: the requested access.", /^CL_MAP_/),
  g(
    "ImageRequirementsInfo",
    "Queries of image requirements (cl_ext_image_requirements_info).",
    /^CL_IMAGE_REQUIREMENTS_/,
  ),
  g("ImageInfo", "Queries of `clGetImageInfo`.", /^CL_IMAGE_/),
  g(
    "ChannelOrder",
    "Orders of the channels of a pixel.",
    /^CL_((A|R|RG|RA|RGB|RGBA|BGRA|ARGB|ABGR|INTENSITY|LUMINANCE|Rx|RGx|RGBx|DEPTH|DEPTH_STENCIL|sRGB|sRGBx|sRGBA|sBGRA)|(NV21|YV12)_IMG|(NV12|YUYV|UYVY|YVYU|VYUY)_INTEL)$/,
    /^CL_/,
  ),
  g(
    "ChannelType",
    "Data types of an image channel.",
    /^CL_([SU]NORM_\w+|(UN)?SIGNED_INT\d+|HALF_FLOAT|FLOAT)$/,
    /^CL_/,
  ),
  g("PipeProperties", "Keys of pipe properties.", /^CL_PIPE_(?=PACKET_SIZE|MAX_PACKETS)/),
  g("PipeInfo", "Queries of `clGetPipeInfo`.", /^CL_PIPE_/, undefined, { shared: true }),
  g("AddressingMode", "Ways in which a sampler handles coordinates outside the image.", /^CL_ADDRESS_/),
  g("FilterMode", "Interpolation modes of a sampler.", /^CL_FILTER_/),
  g(
    "SamplerProperties",
    "Keys of sampler properties.",
    /^CL_SAMPLER_(?=NORMALIZED_COORDS|ADDRESSING_MODE|(MIP_)?FILTER_MODE|LOD_)/,
  ),
  g("SamplerInfo", "Queries of `clGetSamplerInfo`.", /^CL_SAMPLER_/, undefined, { shared: true }),
  g("MipmapFilterImg", "Filters of mip-map generation (cl_img_generate_mipmap).", /^CL_MIPMAP_FILTER_/),
  g("ImportMemoryArm", "Keys and values of memory import (cl_arm_import_memory).", /^CL_IMPORT_(?!MEMORY_WHOLE)/),
  g("GlObjectType", "Kinds of OpenGL object that a memory object is created from.", /^CL_GL_OBJECT_/),
  g("GlTextureInfo", "Queries of `clGetGLTextureInfo`.", /^CL_GL_(?=TEXTURE_TARGET|MIPMAP_LEVEL|NUM_SAMPLES)/),

  // Program and kernel.
  g("ProgramBinaryType", "Kinds of program binary.", /^CL_PROGRAM_BINARY_TYPE_/),
  g(
    "ProgramBuildInfo",
    "Queries of `clGetProgramBuildInfo`.",
    /^CL_PROGRAM_(BUILD_\w+|BINARY_TYPE)$/,
    /^CL_PROGRAM_(BUILD_)?/,
  ),
  g("ProgramInfo", "Queries of `clGetProgramInfo`.", /^CL_PROGRAM_/),
  g("BuildStatus", "Build status of a program.", /^CL_BUILD_/),
  g(
    "KernelArgInfo",
    "Queries of `clGetKernelArgInfo`.",
    /^CL_KERNEL_ARG_(?=(ADDRESS_QUALIFIER|ACCESS_QUALIFIER|TYPE_NAME|TYPE_QUALIFIER|NAME)$)/,
  ),
  g("KernelArgAddressQualifier", "Address spaces of a kernel argument.", /^CL_KERNEL_ARG_ADDRESS_/),
  g("KernelArgAccessQualifier", "Access qualifiers of an image argument.", /^CL_KERNEL_ARG_ACCESS_/),
  bits("KernelArgTypeQualifier", "Type qualifiers of a kernel argument.", /^CL_KERNEL_ARG_TYPE_/),
  g("KernelExecInfo", "Keys of `clSetKernelExecInfo`.", /^CL_KERNEL_EXEC_INFO_/),
  g(
    "KernelWorkGroupInfo",
    "Queries of `clGetKernelWorkGroupInfo`.",
    /^CL_KERNEL_(?=((COMPILE_)?WORK_GROUP_SIZE|(LOCAL|PRIVATE)_MEM_SIZE|PREFERRED_WORK_GROUP_SIZE_MULTIPLE|GLOBAL_WORK_SIZE|SPILL_MEM_SIZE_INTEL)$)/,
  ),
  g("KernelSubGroupInfo", "Queries of `clGetKernelSubGroupInfo`.", /^CL_KERNEL_(?=\w*SUB_GROUP)/),
  g("KernelInfo", "Queries of `clGetKernelInfo`.", /^CL_KERNEL_/),

  // Commands and events.
  g("EventInfo", "Queries of `clGetEventInfo`.", /^CL_EVENT_/),
  g(
    "CommandStatus",
    "Execution status of a command; a negative value is an error.",
    /^CL_(COMPLETE|RUNNING|SUBMITTED|QUEUED)$/,
    /^CL_/,
  ),
  g("ProfilingInfo", "Queries of `clGetEventProfilingInfo`.", /^CL_PROFILING_COMMAND_/),
  g(
    "CommandTerminationReasonArm",
    "Reasons why a command ended (cl_arm_controlled_kernel_termination).",
    /^CL_COMMAND_TERMINATION_/,
  ),

  // Command buffers (cl_khr_command_buffer and its mutable dispatch).
  bits("CommandBufferCapabilities", "Capabilities of a device's command buffers.", /^CL_COMMAND_BUFFER_CAPABILITY_/),
  g("CommandBufferState", "States of a command buffer.", /^CL_COMMAND_BUFFER_STATE_(?!KHR$)/),
  bits("CommandBufferFlags", "Flags of a command buffer.", /^CL_COMMAND_BUFFER_(?=(SIMULTANEOUS_USE|MUTABLE)_KHR$)/),
  g("CommandBufferProperties", "Keys of command buffer properties.", /^CL_COMMAND_BUFFER_(?=FLAGS_KHR$)/),
  g("CommandBufferInfo", "Queries of `clGetCommandBufferInfoKHR`.", /^CL_COMMAND_BUFFER_/),
  bits(
    "MutableDispatchFields",
    "Parts of a recorded kernel command that can be updated.",
    /^CL_MUTABLE_DISPATCH_(?=(GLOBAL_OFFSET|GLOBAL_SIZE|LOCAL_SIZE|ARGUMENTS|EXEC_INFO)_KHR$)/,
  ),
  g(
    "CommandProperties",
    "Keys of properties of a recorded kernel command.",
    /^CL_MUTABLE_DISPATCH_(?=UPDATABLE_FIELDS_KHR$)/,
  ),
  g(
    "MutableCommandInfo",
    "Queries of `clGetMutableCommandInfoKHR`.",
    /^CL_MUTABLE_(COMMAND|DISPATCH)_/,
    /^CL_MUTABLE_(COMMAND_)?/,
  ),
  g("CommandBufferStructureType", "Kinds of update structure.", /^CL_STRUCTURE_TYPE_/),
  g("CommandType", "Types of command.", /^CL_COMMAND_/),

  // External memory and semaphores.
  g(
    "ExternalMemoryHandleType",
    "Types of handle from which memory is imported (cl_khr_external_memory).",
    /^CL_EXTERNAL_MEMORY_HANDLE_/,
  ),
  g("ExternalSemaphoreHandleType", "Types of semaphore handle (cl_khr_external_semaphore).", /^CL_SEMAPHORE_HANDLE_/),
  g("SemaphoreType", "Kinds of semaphore (cl_khr_semaphore).", /^CL_SEMAPHORE_TYPE_(?=BINARY)/),
  g("SemaphoreProperties", "Keys of semaphore properties.", /^CL_SEMAPHORE_(?=TYPE_KHR$|EXPORT_HANDLE_TYPES_)/),
  g(
    "SemaphoreInfo",
    "Queries of `clGetSemaphoreInfoKHR`.",
    /^CL_SEMAPHORE_(?=(CONTEXT|REFERENCE_COUNT|PROPERTIES|PAYLOAD|TYPE|EXPORT_HANDLE_TYPES)_KHR$)/,
    undefined,
    { shared: true },
  ),

  g(
    "VersionBits",
    "Bit widths and masks of the three numbers in a packed `cl_version`.",
    /^CL_VERSION_(?=(MAJOR|MINOR|PATCH)_(BITS|MASK))/,
  ),
];

/** Header names that no group contains, with the reason. */
export const excluded = [
  { match: /^CL_(TRUE|FALSE|(NON_)?BLOCKING)$/, why: "JavaScript has booleans" },
  {
    match: /^CL_(NAME_VERSION_MAX_NAME_SIZE|[UL]UID_SIZE|QUEUE_FAMILY_MAX_NAME_SIZE)(_\w+)?$/,
    why: "length of an array in a C structure",
  },
  {
    match: /^CL_(PROPERTIES|PARTITION_BY_COUNTS|PARTITION_BY_NAMES)_LIST_END_EXT$/,
    why: "list terminator whose value depends on the C type of the list",
  },
  { match: /^CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM$/, why: "SIZE_MAX of the C compiler" },
  { match: /^CL_(AVC_)?ME_/, why: "argument of Intel's motion-estimation built-in kernels" },
  { match: /^CL_ACCELERATOR_/, why: "accelerator objects of Intel's motion estimation" },
  { match: /^CL_EGL_YUV_PLANE_INTEL$/, why: "property of clCreateFromEGLImage, which is not bound" },
];

/** Constants that vendors document but that are missing from the headers. */
export const byHand = [
  { name: "CL_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT_NV", value: 0x4007, why: "cl_nv_device_attribute_query" },
  { name: "CL_DEVICE_PCI_BUS_ID_NV", value: 0x4008, why: "cl_nv_device_attribute_query" },
  { name: "CL_DEVICE_PCI_SLOT_ID_NV", value: 0x4009, why: "cl_nv_device_attribute_query" },
  { name: "CL_DEVICE_PCI_DOMAIN_ID_NV", value: 0x400a, why: "cl_nv_device_attribute_query" },
];

/** Returns a group. The prefix to strip defaults to the literal prefix of the pattern. */
function g(name, doc, match, strip = prefixOf(match), more = {}) {
  return { name, doc, match, strip, ...more };
}

function bits(name, doc, match, strip, more = {}) {
  return g(name, doc, match, strip, { bits: true, ...more });
}

/** Returns the literal prefix of a pattern up to its last underscore: /^CL_FP_/ for /^CL_FP_(?=X)/. */
function prefixOf(match) {
  return new RegExp(/^\^CL_(?:[A-Z]+_)*/.exec(match.source)[0]);
}

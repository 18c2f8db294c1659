// Extension functions. They are looked up per platform and any may be missing: calling a missing one throws with the
// extension's name. Types and constants are declared here, so that older and newer OpenCL headers both compile.
#pragma once

#include "driver/loader.h"

namespace cl {

struct Semaphore;
struct CommandBuffer;
using SyncPoint = cl_uint;

#define CL_EXTENSION_ENTRY_POINTS(X) \
  X(clCreateSemaphoreWithPropertiesKHR, "cl_khr_semaphore", Semaphore*, \
    (cl_context, const cl_ulong* properties, cl_int*)) \
  X(clRetainSemaphoreKHR, "cl_khr_semaphore", cl_int, (Semaphore*)) \
  X(clReleaseSemaphoreKHR, "cl_khr_semaphore", cl_int, (Semaphore*)) \
  X(clGetSemaphoreInfoKHR, "cl_khr_semaphore", cl_int, (Semaphore*, cl_uint, size_t, void*, size_t*)) \
  X(clEnqueueWaitSemaphoresKHR, "cl_khr_semaphore", cl_int, \
    (cl_command_queue, cl_uint, Semaphore* const*, const cl_ulong* payloads, cl_uint, const cl_event*, cl_event*)) \
  X(clEnqueueSignalSemaphoresKHR, "cl_khr_semaphore", cl_int, \
    (cl_command_queue, cl_uint, Semaphore* const*, const cl_ulong* payloads, cl_uint, const cl_event*, cl_event*)) \
  X(clGetSemaphoreHandleForTypeKHR, "cl_khr_external_semaphore", cl_int, \
    (Semaphore*, cl_device_id, cl_uint type, size_t, void*, size_t*)) \
  X(clEnqueueAcquireExternalMemObjectsKHR, "cl_khr_external_memory", cl_int, \
    (cl_command_queue, cl_uint, const cl_mem*, cl_uint, const cl_event*, cl_event*)) \
  X(clEnqueueReleaseExternalMemObjectsKHR, "cl_khr_external_memory", cl_int, \
    (cl_command_queue, cl_uint, const cl_mem*, cl_uint, const cl_event*, cl_event*)) \
  X(clGetKernelSuggestedLocalWorkSizeKHR, "cl_khr_suggested_local_work_size", cl_int, \
    (cl_command_queue, cl_kernel, cl_uint, const size_t* offset, const size_t* global, size_t* local)) \
  X(clCreateCommandQueueWithPropertiesKHR, "cl_khr_create_command_queue", cl_command_queue, \
    (cl_context, cl_device_id, const cl_ulong* properties, cl_int*)) \
  X(clCreateProgramWithILKHR, "cl_khr_il_program", cl_program, (cl_context, const void*, size_t, cl_int*)) \
  X(clCreateCommandBufferKHR, "cl_khr_command_buffer", CommandBuffer*, \
    (cl_uint, const cl_command_queue*, const cl_ulong* properties, cl_int*)) \
  X(clFinalizeCommandBufferKHR, "cl_khr_command_buffer", cl_int, (CommandBuffer*)) \
  X(clReleaseCommandBufferKHR, "cl_khr_command_buffer", cl_int, (CommandBuffer*)) \
  X(clGetCommandBufferInfoKHR, "cl_khr_command_buffer", cl_int, (CommandBuffer*, cl_uint, size_t, void*, size_t*)) \
  X(clEnqueueCommandBufferKHR, "cl_khr_command_buffer", cl_int, \
    (cl_uint, cl_command_queue*, CommandBuffer*, cl_uint, const cl_event*, cl_event*)) \
  X(clCommandBarrierWithWaitListKHR, "cl_khr_command_buffer", cl_int, \
    (CommandBuffer*, cl_command_queue, cl_uint, const SyncPoint*, SyncPoint*, void**)) \
  X(clCommandCopyBufferKHR, "cl_khr_command_buffer", cl_int, \
    (CommandBuffer*, cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const SyncPoint*, SyncPoint*, \
     void**)) \
  X(clCommandFillBufferKHR, "cl_khr_command_buffer", cl_int, \
    (CommandBuffer*, cl_command_queue, cl_mem, const void*, size_t, size_t, size_t, cl_uint, const SyncPoint*, \
     SyncPoint*, void**)) \
  X(clCommandNDRangeKernelKHR, "cl_khr_command_buffer", cl_int, \
    (CommandBuffer*, cl_command_queue, const cl_ulong* properties, cl_kernel, cl_uint, const size_t*, const size_t*, \
     const size_t*, cl_uint, const SyncPoint*, SyncPoint*, void**))

/// Functions with one more parameter, the properties, since version 0.9.5 of cl_khr_command_buffer, as X(member, name,
/// parameters).
#define CL_COMMANDS_WITH_PROPERTIES(X) \
  X(barrierWithProperties, "clCommandBarrierWithWaitListKHR", \
    (CommandBuffer*, cl_command_queue, const cl_ulong*, cl_uint, const SyncPoint*, SyncPoint*, void**)) \
  X(copyWithProperties, "clCommandCopyBufferKHR", \
    (CommandBuffer*, cl_command_queue, const cl_ulong*, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, \
     const SyncPoint*, SyncPoint*, void**)) \
  X(fillWithProperties, "clCommandFillBufferKHR", \
    (CommandBuffer*, cl_command_queue, const cl_ulong*, cl_mem, const void*, size_t, size_t, size_t, cl_uint, \
     const SyncPoint*, SyncPoint*, void**))

/// Extension functions of one platform.
struct Extensions {
#define CL_EXTENSION_ENTRY(name, extension, result, parameters) \
  Entry<result(CL_API_CALL*) parameters> name{#name, extension};
  CL_EXTENSION_ENTRY_POINTS(CL_EXTENSION_ENTRY)
#undef CL_EXTENSION_ENTRY
#define CL_COMMAND_ENTRY(member, name, parameters) \
  Entry<cl_int(CL_API_CALL*) parameters> member{name, "cl_khr_command_buffer"};
  CL_COMMANDS_WITH_PROPERTIES(CL_COMMAND_ENTRY)
#undef CL_COMMAND_ENTRY
};

/// Returns a platform's functions. They are looked up once and never freed, since objects' records refer to them.
const Extensions& extensionsOf(const Runtime& runtime, cl_platform_id platform);
/// Returns the functions of the platform that a device, a context or a queue belongs to.
const Extensions& extensionsOf(const Runtime& runtime, cl_device_id device);
const Extensions& extensionsOf(const Runtime& runtime, cl_context context);
const Extensions& extensionsOf(const Runtime& runtime, cl_command_queue queue);

}  // namespace cl

/** What the numbers that devices and platforms answer are called. */
import {
  CommandBufferCapabilities,
  CommandQueueCapabilitiesIntel,
  CommandQueueProperties,
  DeviceAffinityDomain,
  DeviceAtomicCapabilities,
  DeviceControlledTerminationCapabilitiesArm,
  DeviceDeviceEnqueueCapabilities,
  DeviceExecCapabilities,
  DeviceFeatureCapabilitiesIntel,
  DeviceFpConfig,
  DeviceIntegerDotProductCapabilities,
  DeviceLocalMemType,
  DeviceMemCacheType,
  DevicePartitionProperty,
  DeviceSchedulingControlsCapabilitiesArm,
  DeviceSvmCapabilities,
  DeviceType,
  ExternalMemoryHandleType,
  ExternalSemaphoreHandleType,
  MutableDispatchFields,
  SemaphoreType,
  UnifiedSharedMemoryCapabilitiesIntel,
} from "@cl/core";

type Constants = Readonly<Record<string, number>>;

/** Properties whose bits have names. */
const flags: Readonly<Record<string, Constants>> = {
  type: DeviceType,
  singleFpConfig: DeviceFpConfig,
  doubleFpConfig: DeviceFpConfig,
  halfFpConfig: DeviceFpConfig,
  executionCapabilities: DeviceExecCapabilities,
  queueProperties: CommandQueueProperties,
  queueOnHostProperties: CommandQueueProperties,
  queueOnDeviceProperties: CommandQueueProperties,
  commandBufferRequiredQueuePropertiesKhr: CommandQueueProperties,
  partitionAffinityDomain: DeviceAffinityDomain,
  svmCapabilities: DeviceSvmCapabilities,
  svmCapabilitiesArm: DeviceSvmCapabilities,
  atomicMemoryCapabilities: DeviceAtomicCapabilities,
  atomicFenceCapabilities: DeviceAtomicCapabilities,
  deviceEnqueueCapabilities: DeviceDeviceEnqueueCapabilities,
  commandBufferCapabilitiesKhr: CommandBufferCapabilities,
  mutableDispatchCapabilitiesKhr: MutableDispatchFields,
  integerDotProductCapabilitiesKhr: DeviceIntegerDotProductCapabilities,
  featureCapabilitiesIntel: DeviceFeatureCapabilitiesIntel,
  capabilities: CommandQueueCapabilitiesIntel,
  hostMemCapabilitiesIntel: UnifiedSharedMemoryCapabilitiesIntel,
  deviceMemCapabilitiesIntel: UnifiedSharedMemoryCapabilitiesIntel,
  singleDeviceSharedMemCapabilitiesIntel: UnifiedSharedMemoryCapabilitiesIntel,
  crossDeviceSharedMemCapabilitiesIntel: UnifiedSharedMemoryCapabilitiesIntel,
  sharedSystemMemCapabilitiesIntel: UnifiedSharedMemoryCapabilitiesIntel,
  schedulingControlsCapabilitiesArm: DeviceSchedulingControlsCapabilitiesArm,
  controlledTerminationCapabilitiesArm: DeviceControlledTerminationCapabilitiesArm,
};

/** Properties that are one of several constants, or a list of such. */
const kinds: Readonly<Record<string, Constants>> = {
  globalMemCacheType: DeviceMemCacheType,
  localMemType: DeviceLocalMemType,
  partitionProperties: DevicePartitionProperty,
  externalMemoryImportHandleTypesKhr: ExternalMemoryHandleType,
  semaphoreTypesKhr: SemaphoreType,
  semaphoreImportHandleTypesKhr: ExternalSemaphoreHandleType,
  semaphoreExportHandleTypesKhr: ExternalSemaphoreHandleType,
};

/** A property's answer with names in place of constants: a list for bits, a name for one of several. */
export function named(property: string, value: unknown): unknown {
  const bits = flags[property];
  if (bits !== undefined && typeof value === "number") return bitNames(bits, value);
  const kind = kinds[property];
  if (kind === undefined) return value;
  const nameOf = (one: unknown): unknown => Object.keys(kind).find((key) => kind[key] === one) ?? one;
  return Array.isArray(value) ? value.map(nameOf) : nameOf(value);
}

/** Bits are compared as BigInt: JavaScript's own operators keep only 32 of them. What has no name is told as a number. */
function bitNames(group: Constants, value: number): readonly string[] {
  let left = BigInt(value);
  const names = Object.keys(group).filter((key) => {
    const bit = BigInt(group[key] ?? 0);
    if (bit <= 0n || (bit & (bit - 1n)) !== 0n || (left & bit) === 0n) return false;
    left &= ~bit;
    return true;
  });
  return left === 0n ? names : [...names, `0x${left.toString(16)}`];
}

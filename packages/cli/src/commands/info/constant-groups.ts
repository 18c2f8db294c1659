/** Names of the constants that device and platform queries return. */
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

/** Properties that are bit fields. */
const bitFields: Readonly<Record<string, Constants>> = {
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

/** Properties that are a constant or a list of constants. */
const enumerations: Readonly<Record<string, Constants>> = {
  globalMemCacheType: DeviceMemCacheType,
  localMemType: DeviceLocalMemType,
  partitionProperties: DevicePartitionProperty,
  externalMemoryImportHandleTypesKhr: ExternalMemoryHandleType,
  semaphoreTypesKhr: SemaphoreType,
  semaphoreImportHandleTypesKhr: ExternalSemaphoreHandleType,
  semaphoreExportHandleTypesKhr: ExternalSemaphoreHandleType,
};

/** Returns a property's value with the names of its constants: a list for bit fields, otherwise a name. */
export function withConstantNames(property: string, value: unknown): unknown {
  const group = bitFields[property];
  if (group !== undefined && typeof value === "number") return bitNames(group, value);
  const constants = enumerations[property];
  if (constants === undefined) return value;
  const nameOf = (item: unknown): unknown => Object.keys(constants).find((key) => constants[key] === item) ?? item;
  return Array.isArray(value) ? value.map(nameOf) : nameOf(value);
}

/** Names the bits of a value; the unknown ones become one hexadecimal number. Uses BigInt, since `&` truncates to 32 bits. */
function bitNames(group: Constants, value: number): readonly string[] {
  let rest = BigInt(value);
  const names = Object.keys(group).filter((key) => {
    const bit = BigInt(group[key] ?? 0);
    if (bit <= 0n || (bit & (bit - 1n)) !== 0n || (rest & bit) === 0n) return false;
    rest &= ~bit;
    return true;
  });
  return rest === 0n ? names : [...names, `0x${rest.toString(16)}`];
}

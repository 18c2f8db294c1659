/** Buffers over fine-grained shared virtual memory, for the buffer option `hostCoherent`. */
import { native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { MemFlags } from "../binding/constants.js";
import { NotSupportedError } from "../binding/errors.js";
import { connectSharedMemory } from "../memory/shared-memory.js";
import { SvmAllocation } from "./svm-allocation.js";
import { hasSvm } from "../platform/svm-support.js";

connectSharedMemory((context, bytes, flags, wish) => {
  // If a device lacks it, the driver would copy the memory implicitly.
  const lacking = context.devices.find((device) => !hasSvm(device, "fine-buffer"));
  if (lacking !== undefined && wish === "preferred") return undefined;
  if (lacking !== undefined) {
    throw new NotSupportedError(
      "clSVMAlloc",
      `options.hostCoherent is "required", but '${lacking.name}' has no fine-grained buffer SVM; with "preferred" the buffer is an ordinary one there`,
    );
  }
  const access =
    (flags & MemFlags.READ_ONLY) !== 0
      ? "read-only"
      : (flags & MemFlags.WRITE_ONLY) !== 0
        ? "write-only"
        : "read-write";
  const owner = new SvmAllocation(context, bytes, { kind: "fine-buffer", access });
  try {
    return { owner, bytes: owner.array(Uint8Array), handle: native.createSvmBuffer(handleOf(owner), flags, 0, bytes) };
  } catch (error) {
    owner.release();
    throw error;
  }
});

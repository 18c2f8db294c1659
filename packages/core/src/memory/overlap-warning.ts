/** One-time warning about sub-buffers that the driver cannot release. */
import { native } from "../binding/native.js";

let warned = false;

/** Warns if overlapping sub-buffers exist. Call after creating a sub-buffer on a driver that cannot release them. */
export function warnAboutOverlaps(): void {
  if (warned || !native.hasLeakedSubBuffers()) return;
  warned = true;
  process.emitWarning(
    "overlapping sub-buffers were created; NVIDIA's driver cannot release them, so they and their buffer stay allocated until the process exits",
    { type: "OverlappingPartsWarning", code: "CL_OVERLAPPING_PARTS" },
  );
}

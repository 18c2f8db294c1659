/** Says once that parts of buffers stay until the process ends. */
import { native } from "../binding/native.js";

let said = false;

/** To be called after a part has been made where the driver cannot give back those that lie over each other. */
export function warnOfParts(): void {
  if (said || !native.partsStay()) return;
  said = true;
  process.emitWarning(
    "parts of a buffer that lie over each other were made; NVIDIA's driver cannot give them back, so they and their buffer stay until the process ends",
    { type: "OverlappingPartsWarning", code: "CL_OVERLAPPING_PARTS" },
  );
}

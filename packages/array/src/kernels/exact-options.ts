/** Build options of programs that must round as NumPy does. */
import type { Context } from "@cl/core";

/** What CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT is in a device's singleFpConfig. */
const correctlyRounded = 0x80;

/** Divisions and roots of float32 are rounded right where devices can do that; without the option they need not. */
export function exactOptions({ devices }: Context): readonly string[] {
  const all = devices.every(({ singleFpConfig }) => (singleFpConfig & correctlyRounded) !== 0);
  return all ? ["-cl-fp32-correctly-rounded-divide-sqrt"] : [];
}

/** Several kernels that run as one, after a kernel that prepares what its groups share. */
import type { DeviceBuffer } from "@cl/core";

import type { KernelMember } from "../kernel/kernel-member.js";
import { ListMember } from "../list/list-member.js";

/** A list of these two, which owns them. */
export class ResidentMember extends ListMember {
  readonly #words: DeviceBuffer;

  constructor(name: string, kernels: readonly KernelMember[], words: DeviceBuffer) {
    super(name, "sequential");
    this.push(kernels);
    this.#words = words;
  }

  override release(): void {
    super.release();
    for (const member of this.members) member.release();
    this.#words.release();
  }
}

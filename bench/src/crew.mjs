// The child processes of one package in one environment. They are checked to use the same device.
import { Child } from "./child.mjs";
import { environment } from "./environments.mjs";
import { messageOf } from "./message.mjs";

/** @typedef {import("./environments.mjs").EnvironmentName} EnvironmentName */

export class Crew {
  /** @type {Map<string, Child>} */
  #children = new Map();

  /** Messages about peers that were left out. */
  /** @type {string[]} */
  notes = [];
  /** The device that all of them use. */
  device = "";

  /**
   * @param {ReadonlyMap<string, import("./peers.mjs").Peer>} peers
   * @param {EnvironmentName} name
   * @param {string} nullDriver
   * @returns {Promise<Crew>}
   */
  static async start(peers, name, nullDriver) {
    const crew = new Crew();
    for (const [peer, { serve, env }] of peers) {
      const child = new Child(serve, environment(name, peer, nullDriver, env));
      try {
        await crew.#admit(peer, child, name);
      } catch (problem) {
        crew.notes.push(`skipping ${peer} in environment ${name}: ${messageOf(problem)}`);
        await child.stop();
      }
    }
    return crew;
  }

  /**
   * Adds a child. Throws if it uses a different device or driver than the others.
   * @param {string} peer
   * @param {Child} child
   * @param {EnvironmentName} name
   */
  async #admit(peer, child, name) {
    const device = await child.request("device");
    // Peers that compute on the host have no OpenCL device to compare.
    if (device !== "host") this.device ||= device;
    if (device !== "host" && device !== this.device) {
      throw new Error(`it uses ${device}, the others use ${this.device}`);
    }
    const reached = await child.request("check");
    const expected = name === "null" ? "null" : "real";
    if (reached !== expected) {
      throw new Error(`its launches reach the ${reached} driver, expected the ${expected} driver`);
    }
    this.#children.set(peer, child);
  }

  /**
   * @param {string} peer
   * @returns {Child | undefined}
   */
  child(peer) {
    return this.#children.get(peer);
  }

  async stop() {
    await Promise.all([...this.#children.values()].map((child) => child.stop()));
  }
}

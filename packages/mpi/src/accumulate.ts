/**
 * The reverse of an exchange: ghosts are sent to the neighbors, which add them to their own cells. For contributions that kernels
 * scatter, such as the charges of particles.
 */
import { DeviceBuffer, Program } from "@cl/core";
import type { Relay } from "@cl/core/internal";
import { KernelLauncher, type Launcher, ListLauncher } from "@cl/launcher";

import { source } from "./accumulate.cl.js";
import type { Field } from "./field.js";
import type { GridPart } from "./grid-part.js";
import { addMessages, addTraffic, type ExchangeOptions, type Packet, piecesOf, trafficOf } from "./links.js";
import { relayBoxOf } from "./relay-part.js";
import { Relayed } from "./relayed.js";

/** Returns a launcher that adds the ghosts of fields to the cells that they copy. */
export async function accumulateLauncher(
  grid: GridPart,
  name: string,
  fields: readonly Field[],
  options: ExchangeOptions | undefined,
): Promise<Launcher> {
  const exchange = trafficOf(grid, fields, options);
  const links = exchange.links.map((link) => ({ ...link, sent: link.received, received: link.sent }));
  const traffic = { ...exchange, links };
  const [first] = exchange.memory;
  const { context } = first as DeviceBuffer;
  const programs = new Map<string, Program>();
  for (const { cells } of exchange.fields) {
    const { cName } = cells.dtype;
    if (programs.has(cName)) continue;
    programs.set(cName, await new Program(context, source).build({ options: `-D ELEMENT=${cName}` }));
  }
  const operation = addMessages(grid, name, traffic);
  // The packets, one after another, each aligned for any element.
  const ends: number[] = [];
  for (const { received } of links) ends.push((ends.at(-1) ?? 0) + Math.ceil(received.bytes / 64) * 64);
  const startOf = (packet: Packet): number => ends[links.findIndex(({ received }) => received === packet) - 1] ?? 0;
  const arrived = new DeviceBuffer(context, Math.max(1, ends.at(-1) ?? 0));
  const addParts = (relay: Relay): void => {
    addTraffic(
      relay,
      grid,
      traffic,
      (packet) => {
        const { message, bytes } = packet;
        const row = { origin: [startOf(packet), 0, 0], region: [bytes, 1, 1], pitches: [0, 0] } as const;
        relay.write(arrived, { ...row, message, offset: 0 });
      },
      ({ field, box }, { offset }, packet) => {
        const from = relayBoxOf(grid, field.cellBytes, box);
        const [width, height] = from.region;
        // Packed, as messages are.
        const pitches = [width, width * height] as const;
        relay.copy(field.memory, from, arrived, { ...from, origin: [startOf(packet) + offset, 0, 0], pitches });
      },
    );
  };
  const relayed = new Relayed(`accumulate "${name}"`, operation, addParts, arrived);
  const members: Launcher[] = [relayed.launcher(`${name}, exchange`, exchange.memory, [arrived])];
  // One after another, because a cell at an edge gets the ghosts of several neighbors.
  for (const { received } of links) {
    for (const { field, box, offset } of piecesOf(exchange.fields, received)) {
      const { cellBytes, components } = field;
      const size = cellBytes / components;
      const { origin, region, pitches } = relayBoxOf(grid, cellBytes, box);
      const [row, slice] = [pitches[0] / size, pitches[1] / size];
      const from = origin[0] / size + origin[1] * row + origin[2] * slice;
      members.push(
        new KernelLauncher(`${name}, add`, programs.get(field.cells.dtype.cName) as Program, {
          args: [field.memory, from, row, slice, arrived, (startOf(received) + offset) / size],
          global: [region[0] / size, region[1], region[2]],
        }),
      );
    }
  }
  return new AccumulateLauncher(name, members);
}

/** A list that owns its members. */
class AccumulateLauncher extends ListLauncher {
  readonly #members: readonly Launcher[];

  constructor(name: string, members: readonly Launcher[]) {
    super(name);
    this.#members = members;
    this.push(...members);
  }

  override release(): void {
    super.release();
    for (const member of this.#members) member.release();
  }
}

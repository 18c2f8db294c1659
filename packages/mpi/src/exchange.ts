/**
 * Exchanges of ghosts: members of kernel lists. The cells that neighbors need are read into messages, sent by the engine, and the
 * received ones written to the ghosts, all without JavaScript (a relay of @cl/core).
 */
import type { CommandEvent, DeviceBuffer } from "@cl/core";
import type { RelayBox } from "@cl/core/internal";
import { CommandLauncher, type Launcher } from "@cl/launcher";

import type { Field } from "./field.js";
import type { GridPart } from "./grid-part.js";
import { addMessages, addTraffic, type ExchangeOptions, piecesOf, trafficOf } from "./links.js";
import { relayBoxOf } from "./relay-part.js";
import { Relayed } from "./relayed.js";

/** The two halves of an exchange. Commands between them run meanwhile. */
export interface SplitExchange {
  /** Starts to read what the neighbors need, to send it, and to write what arrives. */
  readonly begin: Launcher;
  /** Lets later commands wait until all that is done. */
  readonly end: Launcher;
}

/** Returns the launcher of a whole exchange. */
export function exchangeLauncher(
  grid: GridPart,
  name: string,
  fields: readonly Field[],
  options: ExchangeOptions | undefined,
): Launcher {
  const { relayed, memory } = prepare(grid, name, fields, options);
  return relayed.launcher(name, memory, memory);
}

/** Returns the launchers of the two halves. */
export function splitExchange(
  grid: GridPart,
  name: string,
  fields: readonly Field[],
  options: ExchangeOptions | undefined,
): SplitExchange {
  const { relayed, memory } = prepare(grid, name, fields, options);
  const begin = new CommandLauncher(`${name}, begin`, {
    launch: (queue) => relayed.for(queue).begin(queue),
    enqueue: (queue, waitFor): CommandEvent => {
      relayed.for(queue).begin(queue, waitFor);
      return queue.enqueueMarker();
    },
    reads: memory,
    // Ghosts of which this rank itself has the cells.
    writes: memory,
  });
  const end = new CommandLauncher(`${name}, end`, {
    launch: (queue) => relayed.for(queue).end(queue).release(),
    enqueue: (queue, waitFor) => {
      if (waitFor.length > 0) queue.enqueueBarrier(waitFor).release();
      return relayed.for(queue).end(queue);
    },
    enqueueProfiled: (queue, waitFor, statistics) => {
      if (waitFor.length > 0) queue.enqueueBarrier(waitFor).release();
      return relayed.for(queue).end(queue, statistics);
    },
    kind: "wait",
    writes: memory,
    release: () => relayed.release(),
  });
  return { begin, end };
}

function prepare(
  grid: GridPart,
  name: string,
  fields: readonly Field[],
  options: ExchangeOptions | undefined,
): { readonly relayed: Relayed; readonly memory: readonly DeviceBuffer[] } {
  const traffic = trafficOf(grid, fields, options);
  const operation = addMessages(grid, name, traffic);
  const relayed = new Relayed(`exchange "${name}"`, operation, (relay) => {
    addTraffic(
      relay,
      grid,
      traffic,
      (packet) => {
        const { message } = packet;
        for (const { field, box, offset } of piecesOf(traffic.fields, packet)) {
          relay.write(field.memory, { ...relayBoxOf(grid, field.cellBytes, box), message, offset });
        }
      },
      ({ field, box }, to) => {
        const [source, target] = [box, to.box].map((one) => relayBoxOf(grid, field.cellBytes, one));
        relay.copy(field.memory, source as RelayBox, field.memory, target as RelayBox);
      },
    );
  });
  return { relayed, memory: traffic.memory };
}

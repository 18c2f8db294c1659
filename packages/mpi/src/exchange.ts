/**
 * Exchanges of ghosts: members of kernel lists. The cells that neighbors need are read into host memory, sent by the engine, and the
 * received ones written to the ghosts, all without JavaScript (a relay of @cl/core).
 */
import { checkBoolean, checkList, checkOptions, typeError, wrongValue } from "@cl/base";
import type { CommandEvent, DeviceBuffer } from "@cl/core";
import type { Relay } from "@cl/core/internal";
import { CommandLauncher, type Launcher } from "@cl/launcher";

import { type Box, cellsOf, directions, opposite, receivedBox, sentBox } from "./boxes.js";
import { Field } from "./field.js";
import type { GridPart } from "./grid-part.js";
import { native } from "./native.js";
import { relayPartOf } from "./relay-part.js";
import { Relayed } from "./relayed.js";

/** Options of an exchange. */
export interface ExchangeOptions {
  /**
   * Whether the ghosts at edges and corners are filled, too.
   * @defaultValue true
   */
  readonly corners?: boolean;
}

/** The two halves of an exchange. Commands between them run while messages are on their way. */
export interface SplitExchange {
  /** Reads what the neighbors need, and sends it. */
  readonly begin: Launcher;
  /** Writes what the neighbors have sent. */
  readonly end: Launcher;
}

/** A part of the host memory, and the boxes of the fields that it holds, one after another. */
interface Packet {
  readonly offset: number;
  readonly bytes: number;
  readonly box: Box;
}

/** What moves to and from one neighbor. */
interface Link {
  readonly peer: number;
  readonly sent: Packet;
  readonly received: Packet;
  /** Tags tell the messages between two ranks apart, which may be neighbors on several sides. */
  readonly sendTag: number;
  readonly receiveTag: number;
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
  });
  const end = new CommandLauncher(`${name}, end`, {
    launch: (queue) => relayed.for(queue).end(queue).release(),
    enqueue: (queue, waitFor) => {
      if (waitFor.length > 0) queue.enqueueBarrier(waitFor).release();
      return relayed.for(queue).end(queue);
    },
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
  const { corners } = checkOptions(options, ["corners"]);
  const list = checkFields(grid, fields);
  const withCorners = checkBoolean(corners, "options.corners", true);
  const links = linksOf(grid, list, withCorners, grid.newTags(directions(grid.cells.length, true).length));
  const last = links.at(-1)?.received;
  // Room for one more byte after each received packet; see native/operation.h.
  const host = new Uint8Array(last === undefined ? 1 : last.offset + last.bytes + 1);
  const { rank } = grid.communicator;
  const pieces = links
    .filter(({ peer }) => peer !== rank)
    .flatMap(({ peer, sent, received, sendTag, receiveTag }) => [
      [1, peer, sendTag, sent.offset, sent.bytes],
      [0, peer, receiveTag, received.offset, received.bytes],
    ]);
  const number = native.addExchange(name, grid.messages.handle, host, Float64Array.from(pieces.flat()));
  const relayed = new Relayed(`exchange "${name}"`, number, host, (relay) => {
    for (const { peer, sent, received, receiveTag } of links) {
      addParts(relay, "read", grid, list, sent);
      // A neighbor that is this rank itself gets what it sent, without a message.
      const from = peer === rank ? (links.find(({ sendTag }) => sendTag === receiveTag) as Link).sent : received;
      addParts(relay, "write", grid, list, { ...received, offset: from.offset });
    }
  });
  return { relayed, memory: list.map((field) => field.memory) };
}

function checkFields(grid: GridPart, fields: readonly Field[]): readonly Field[] {
  const list = checkList(fields, "fields", "fields").map((field, i) => {
    if (!(field instanceof Field)) throw typeError(`fields[${i}]`, "a Field", field);
    if (field.grid !== grid) throw wrongValue(`fields[${i}] must be a field of this grid`);
    return field as Field;
  });
  if (list.length === 0) throw wrongValue("fields must have at least one field");
  const twice = list.findIndex((field, i) => list.indexOf(field) !== i);
  if (twice >= 0) throw wrongValue(`fields[${twice}] is in the list twice`);
  return list;
}

/** Returns what moves to and from each neighbor, with places in the host memory. */
function linksOf(grid: GridPart, fields: readonly Field[], withCorners: boolean, firstTag: number): Link[] {
  const { cells, ghosts } = grid;
  const all = directions(cells.length, withCorners);
  const cellBytes = fields.reduce((sum, field) => sum + field.cellBytes, 0);
  let offset = 0;
  const packet = (box: Box): Packet => {
    const placed = { offset, bytes: cellsOf(box) * cellBytes, box };
    // Aligned for any element, with a byte to spare.
    offset += Math.ceil((placed.bytes + 1) / 64) * 64;
    return placed;
  };
  return all.flatMap((direction): Link[] => {
    const peer = grid.neighbor(direction);
    if (peer === undefined || direction.some((step, axis) => step !== 0 && ghosts[axis] === 0)) return [];
    const back = String(opposite(direction));
    return [
      {
        peer,
        sent: packet(sentBox(cells, ghosts, direction)),
        received: packet(receivedBox(cells, ghosts, direction)),
        sendTag: firstTag + all.indexOf(direction),
        receiveTag: firstTag + all.findIndex((other) => String(other) === back),
      },
    ];
  });
}

/** Adds the boxes of all fields in a packet. */
function addParts(
  relay: Relay,
  move: "read" | "write",
  grid: GridPart,
  fields: readonly Field[],
  packet: Packet,
): void {
  let { offset } = packet;
  for (const field of fields) {
    relay[move](field.memory, relayPartOf(grid, field.cellBytes, packet.box, offset));
    offset += cellsOf(packet.box) * field.cellBytes;
  }
}

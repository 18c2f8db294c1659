/** What moves between a rank and its neighbors when ghosts are exchanged, and where it is in messages. */
import { checkBoolean, checkFunction, checkList, checkOptions, typeError, wrongValue } from "@cl/base";
import type { DeviceBuffer } from "@cl/core";
import type { Relay } from "@cl/core/internal";

import { type Box, cellsOf, type Direction, directions, layersOf, receivedBox, sentBox } from "./boxes.js";
import { Field } from "./field.js";
import { type BoxesOf, checkOwnBoxes, givenBoxes, type OwnBoxes } from "./given-boxes.js";
import type { GridPart } from "./grid-part.js";
import { addRelayMessages, type EngineOperation } from "./relay-messages.js";
import { relayBoxOf } from "./relay-part.js";

/** Options of an exchange. */
export interface ExchangeOptions {
  /**
   * Whether ghosts at edges and corners take part, too.
   * @defaultValue true
   */
  readonly corners?: boolean;
  /**
   * Whether the ghosts outside the grid belong to the cells at its boundary, mirrored: the first layer outside to the first layer
   * inside, for all axes or for each. Periodic axes have no boundary. By default these ghosts take no part.
   * @defaultValue false
   */
  readonly mirrored?: boolean | readonly boolean[];
  /**
   * Returns which cells of this rank's memory are sent to the neighbor in a direction, such as [0, -1], and into which cells its
   * message is written, in the place of the outermost cells and the ghosts; `undefined` if nothing moves. Called for each direction
   * with ghosts and a neighbor. Boxes that are received must have the sizes and the order of those that the neighbor sends; an empty
   * list means that there is no message that way. Cannot be combined with {@link mirrored}.
   * @defaultValue the outermost cells, and all ghosts
   */
  readonly boxes?: (
    direction: readonly number[],
  ) => { readonly sent: readonly Box[]; readonly received: readonly Box[] } | undefined;
}

/** A message: for each field, the cells of some boxes, one after another. */
export interface Packet {
  /** The position of the message among those of the exchange. */
  readonly message: number;
  readonly bytes: number;
  readonly boxes: readonly Box[];
  /** Where the cells of each field start. */
  readonly fieldOffsets: readonly number[];
}

/** What moves to and from one neighbor. */
export interface Link {
  readonly peer: number;
  readonly sent: Packet;
  readonly received: Packet;
  /** Tags tell the messages between two ranks apart, which may be neighbors on several sides. */
  readonly sendTag: number;
  readonly receiveTag: number;
}

/** The fields of an exchange, and what moves between the ranks. */
export interface Traffic {
  readonly fields: readonly Field[];
  readonly memory: readonly DeviceBuffer[];
  readonly links: readonly Link[];
}

/** Returns what an exchange moves after checking its arguments. */
export function trafficOf(grid: GridPart, fields: readonly Field[], options: ExchangeOptions | undefined): Traffic {
  const { corners, mirrored, boxes } = checkOptions(options, ["corners", "mirrored", "boxes"]);
  const list = checkFields(grid, fields);
  const all = directions(grid.cells.length, checkBoolean(corners, "options.corners", true));
  const boundaries = checkMirrored(grid, mirrored);
  if (boxes !== undefined) checkFunction(boxes, "options.boxes");
  if (boxes !== undefined && boundaries.includes(true)) {
    throw wrongValue("options.boxes cannot be combined with options.mirrored");
  }
  const links = linksOf(grid, list, all, boundaries, boxes);
  return { fields: list, memory: list.map((field) => field.memory), links };
}

/** Adds the messages of an exchange to the engine. */
export function addMessages(grid: GridPart, name: string, { links }: Traffic): EngineOperation {
  const { rank } = grid.communicator;
  const messages = links
    .flatMap(({ peer, sent, received, sendTag, receiveTag }) => [
      { packet: sent, isSend: true, peer, tag: sendTag },
      { packet: received, isSend: false, peer, tag: receiveTag },
    ])
    .toSorted((a, b) => a.packet.message - b.packet.message)
    // What stays on this rank needs no message.
    .map(({ packet, ...message }) => ({ ...message, bytes: message.peer === rank ? 0 : packet.bytes }));
  return addRelayMessages(name, grid.messages.handle, messages);
}

/** The cells of a field in a box, and where they are in their packet. */
export interface Piece {
  readonly field: Field;
  readonly box: Box;
  readonly offset: number;
}

/**
 * Adds what is sent to a relay, and calls a function for what arrives: `message` for a packet of another rank, `copy` for cells of
 * this rank itself, which needs no messages where it is its own neighbor.
 */
export function addTraffic(
  relay: Relay,
  grid: GridPart,
  { fields, links }: Traffic,
  message: (packet: Packet) => void,
  copy: (from: Piece, to: Piece, packet: Packet) => void,
): void {
  const { rank } = grid.communicator;
  for (const { sent } of links.filter(({ peer }) => peer !== rank)) {
    const { message } = sent;
    for (const { field, box, offset } of piecesOf(fields, sent)) {
      relay.read(field.memory, { ...relayBoxOf(grid, field.cellBytes, box), message, offset });
    }
  }
  for (const { peer, received, receiveTag } of links) {
    if (received.bytes === 0) continue;
    if (peer !== rank) {
      message(received);
      continue;
    }
    const { sent } = links.find(({ sendTag }) => sendTag === receiveTag) as Link;
    const arriving = piecesOf(fields, received);
    for (const [i, from] of piecesOf(fields, sent).entries()) copy(from, arriving[i] as Piece, received);
  }
}

/** Returns the boxes of a packet's fields. */
export function piecesOf(fields: readonly Field[], { boxes, fieldOffsets }: Packet): Piece[] {
  return fields.flatMap((field, i) => {
    let at = fieldOffsets[i] as number;
    return boxes.map((box) => {
      const piece = { field, box, offset: at };
      at += cellsOf(box) * field.cellBytes;
      return piece;
    });
  });
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

/** Returns for each axis whether its boundaries are mirrored. */
function checkMirrored(grid: GridPart, mirrored: ExchangeOptions["mirrored"] = false): readonly boolean[] {
  const { periodic } = grid.communicator;
  if (!Array.isArray(mirrored)) {
    const all = checkBoolean(mirrored, "options.mirrored", false);
    return periodic.map((wraps) => all && !wraps);
  }
  if (mirrored.length !== periodic.length) {
    throw wrongValue(
      `options.mirrored must have ${periodic.length} elements, one for each axis, received ${mirrored.length}`,
    );
  }
  return mirrored.map((value, axis) => {
    const isMirrored = checkBoolean(value as boolean, `options.mirrored[${axis}]`, false);
    if (isMirrored && periodic[axis]) throw wrongValue(`options.mirrored[${axis}] must be false: the axis is periodic`);
    return isMirrored;
  });
}

/** Returns what moves to and from each neighbor. */
function linksOf(
  grid: GridPart,
  fields: readonly Field[],
  all: readonly Direction[],
  mirrored: readonly boolean[],
  boxesOf: BoxesOf | undefined,
): Link[] {
  const { cells, ghosts } = grid;
  const firstTag = grid.newTags(directions(cells.length, true).length);
  const tagOf = (direction: Direction): number =>
    firstTag + all.findIndex((other) => other.every((step, axis) => step === direction[axis]));
  let packets = 0;
  const packet = (boxes: readonly Box[]): Packet => {
    const count = boxes.reduce((sum, box) => sum + cellsOf(box), 0);
    let bytes = 0;
    const fieldOffsets = fields.map((field) => {
      // Aligned for any element.
      const start = Math.ceil(bytes / 8) * 8;
      bytes = start + count * field.cellBytes;
      return start;
    });
    return { message: packets++, bytes, boxes, fieldOffsets };
  };
  const own: OwnBoxes[] = [];
  const links = all.flatMap((direction): Link[] => {
    if (direction.some((step, axis) => step !== 0 && ghosts[axis] === 0)) return [];
    // Across a mirrored boundary the neighbor is in the same row of ranks, and its cells come in the opposite order.
    const reflected = direction.map(
      (step, axis) => step !== 0 && mirrored[axis] === true && isOutside(grid, axis, step),
    );
    const peer = grid.neighbor(direction.map((step, axis) => (reflected[axis] ? 0 : step)));
    if (peer === undefined) return [];
    const back = direction.map((step, axis) => (reflected[axis] || step === 0 ? step : -step));
    const boxes =
      boxesOf === undefined
        ? {
            sent: layersOf(sentBox(cells, ghosts, direction), reflected, true),
            received: layersOf(receivedBox(cells, ghosts, direction), reflected, false),
          }
        : givenBoxes(grid, direction, boxesOf);
    if (boxes === undefined) return [];
    if (peer === grid.communicator.rank) own.push({ direction, ...boxes });
    return [
      {
        peer,
        sent: packet(boxes.sent),
        received: packet(boxes.received),
        sendTag: tagOf(direction),
        receiveTag: tagOf(back),
      },
    ];
  });
  if (boxesOf !== undefined) checkOwnBoxes(own);
  return links;
}

/** Returns whether a step of 1 or -1 along an axis leads outside a grid that is not periodic there. */
function isOutside(grid: GridPart, axis: number, step: number): boolean {
  return grid.neighbor(grid.shape.map((_, other) => (other === axis ? step : 0))) === undefined;
}

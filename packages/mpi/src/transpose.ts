/**
 * Redistribution: moves the cells of a field to a field of another grid, whose ranks have other cells of the same shape. Each rank
 * sends each other rank the cells that both have a part in, all of them boxes.
 */
import { checkInteger, typeError, wrongValue } from "@cl/base";
import { relayMemory } from "@cl/core/internal";
import type { Launcher } from "@cl/launcher";

import { type Box, cellsOf } from "./boxes.js";
import { Field } from "./field.js";
import type { GridPart } from "./grid-part.js";
import { kinds } from "./native.js";
import { addRepeated } from "./operations.js";
import { startsOf } from "./parts.js";
import { relayBoxesOf, relayBoxOf } from "./relay-part.js";
import { Relayed } from "./relayed.js";

/** MPI counts bytes in 32 bits. */
const maxBytes = 2 ** 31 - 1;
/** The type of bytes; see element-types.ts. */
const byteType = 1;

/** Returns a launcher that moves the cells of one field to another. A collective operation. */
export async function transposeLauncher(name: string, from: Field, to: Field): Promise<Launcher> {
  checkFields(from, to);
  const [source, target] = [from.grid, to.grid];
  const { communicator } = source;
  const ranks = Array.from({ length: communicator.size }, (_, rank) => rank);
  const sent = ranks.map((rank) => intersection(source.partOf(communicator.rank), target.partOf(rank)));
  const received = ranks.map((rank) => intersection(source.partOf(rank), target.partOf(communicator.rank)));
  // What stays on this rank is copied on the device.
  const bytes = (boxes: readonly Box[]): Int32Array =>
    Int32Array.from(boxes, (box, rank) =>
      rank === communicator.rank ? 0 : checkInteger(cellsOf(box) * from.cellBytes, "bytes of a message", 0, maxBytes),
    );
  const [sentBytes, receivedBytes] = [bytes(sent), bytes(received)];
  const [sentStarts, receivedStarts] = [startsOf(sentBytes), startsOf(receivedBytes)];
  const total = (counts: Int32Array): number =>
    checkInteger(
      counts.reduce((sum, count) => sum + count, 0),
      "bytes of a rank",
      0,
      maxBytes,
    );
  const sentTotal = total(sentBytes);
  // One array, whose first part is sent and whose second one is received.
  const host = relayMemory(from.memory.context, sentTotal + total(receivedBytes) + 1);
  const own = await communicator.duplicate();
  const number = addRepeated(
    name,
    kinds.alltoall,
    own.handle,
    byteType,
    host.subarray(0, sentTotal),
    host.subarray(sentTotal),
    0,
    0,
    sentBytes,
    sentStarts,
    receivedBytes,
    receivedStarts,
  );
  const relayed = new Relayed(`transpose "${name}"`, { number, isIdle: ranks.length === 1 }, host, (relay) => {
    for (const rank of ranks) {
      const [out, back] = [sent[rank] as Box, received[rank] as Box];
      const [outAt, backAt] = [sentStarts[rank] as number, sentTotal + (receivedStarts[rank] as number)];
      const [outBox, backBox] = [inMemory(source, out), inMemory(target, back)];
      const { cellBytes } = from;
      if (rank === communicator.rank) {
        if (cellsOf(out) === 0) continue;
        const [sourceBox, targetBox] = relayBoxesOf(cellBytes, [source, outBox], [target, backBox]);
        relay.copy(from.memory, sourceBox, to.memory, targetBox);
        continue;
      }
      if (cellsOf(out) > 0) relay.read(from.memory, { ...relayBoxOf(source, cellBytes, outBox), hostOffset: outAt });
      if (cellsOf(back) > 0) relay.write(to.memory, { ...relayBoxOf(target, cellBytes, backBox), hostOffset: backAt });
    }
  });
  return relayed.launcher(name, [from.memory], [to.memory]);
}

function checkFields(from: Field, to: Field): void {
  for (const [name, field] of [["from", from] as const, ["to", to] as const]) {
    if (!(field instanceof Field)) throw typeError(name, "a Field", field);
  }
  if (from === to) throw wrongValue("to must be another field than from");
  if (from.cellBytes !== to.cellBytes || from.arrayFor(0).constructor !== to.arrayFor(0).constructor) {
    throw wrongValue("to must have the element type and the components of from");
  }
  const [source, target] = [from.grid, to.grid];
  if (String(source.shape) !== String(target.shape)) {
    throw wrongValue(`to must have the shape [${source.shape.join(", ")}], received [${target.shape.join(", ")}]`);
  }
  const [a, b] = [source.communicator, target.communicator];
  if (a.size !== b.size || a.rank !== b.rank) throw wrongValue("the grids must have the same ranks in the same order");
}

/** A part of a grid, in cells of the whole grid. */
interface Part {
  readonly start: readonly number[];
  readonly cells: readonly number[];
}

/** Returns the cells that two parts have in common; empty boxes end before they start or there. */
function intersection(a: Part, b: Part): Box {
  const start = a.start.map((at, axis) => Math.max(at, b.start[axis] as number));
  const end = a.start.map((at, axis) =>
    Math.max(
      start[axis] as number,
      Math.min(at + (a.cells[axis] as number), (b.start[axis] as number) + (b.cells[axis] as number)),
    ),
  );
  return { start, end };
}

/** Returns where a box of the whole grid is in the memory of this rank. */
function inMemory({ start, ghosts }: GridPart, box: Box): Box {
  const local = (at: number, axis: number): number => at - (start[axis] as number) + (ghosts[axis] as number);
  return { start: box.start.map(local), end: box.end.map(local) };
}

/**
 * Redistribution: moves the cells of a field to a field of another grid, whose ranks have other cells of the same shape. Each rank
 * sends each other rank the cells that both have a part in, all of them boxes.
 */
import { typeError, wrongValue } from "@cl/base";
import type { Launcher } from "@cl/launcher";

import { type Box, cellsOf } from "./boxes.js";
import { Field } from "./field.js";
import type { GridPart } from "./grid-part.js";
import { addRelayMessages } from "./relay-messages.js";
import { relayBoxesOf, relayBoxOf } from "./relay-part.js";
import { Relayed } from "./relayed.js";

/** Returns a launcher that moves the cells of one field to another. A collective operation. */
export async function transposeLauncher(name: string, from: Field, to: Field): Promise<Launcher> {
  checkFields(from, to);
  const [source, target] = [from.grid, to.grid];
  const { communicator } = source;
  const ranks = Array.from({ length: communicator.size }, (_, rank) => rank);
  const sent = ranks.map((rank) => intersection(source.partOf(communicator.rank), target.partOf(rank)));
  const received = ranks.map((rank) => intersection(source.partOf(rank), target.partOf(communicator.rank)));
  const { cellBytes } = from;
  const own = await communicator.duplicate();
  // What stays on this rank is copied on the device.
  const messages = ranks.flatMap((peer) =>
    [sent, received].map((boxes, i) => ({
      isSend: i === 0,
      peer,
      tag: 0,
      bytes: peer === communicator.rank ? 0 : cellsOf(boxes[peer] as Box) * cellBytes,
    })),
  );
  const operation = addRelayMessages(name, own.handle, messages);
  const relayed = new Relayed(`transpose "${name}"`, operation, (relay) => {
    for (const rank of ranks) {
      const [out, back] = [sent[rank] as Box, received[rank] as Box];
      const [outBox, backBox] = [inMemory(source, out), inMemory(target, back)];
      if (rank === communicator.rank) {
        if (cellsOf(out) === 0) continue;
        const [sourceBox, targetBox] = relayBoxesOf(cellBytes, [source, outBox], [target, backBox]);
        relay.copy(from.memory, sourceBox, to.memory, targetBox);
        continue;
      }
      const message = 2 * rank;
      if (cellsOf(out) > 0) relay.read(from.memory, { ...relayBoxOf(source, cellBytes, outBox), message, offset: 0 });
      if (cellsOf(back) > 0) {
        relay.write(to.memory, { ...relayBoxOf(target, cellBytes, backBox), message: message + 1, offset: 0 });
      }
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

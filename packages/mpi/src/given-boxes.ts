/** The boxes that a program gives to an exchange, in the place of the outermost cells and the ghosts. */
import { checkInteger, checkList, checkOptions, wrongValue } from "@cl/base";

import { type Box, type Direction, overlap, sizesOf } from "./boxes.js";
import type { GridPart } from "./grid-part.js";

/** The cells that a rank sends to a neighbor, and those into which it writes what the neighbor has sent. */
export interface ExchangeBoxes {
  readonly sent: readonly Box[];
  readonly received: readonly Box[];
}

/** Returns the boxes for the neighbor in a direction, or `undefined` if nothing moves. */
export type BoxesOf = (direction: readonly number[]) => ExchangeBoxes | undefined;

/** Returns the boxes for the neighbor in a direction after checking them. */
export function givenBoxes(grid: GridPart, direction: Direction, boxesOf: BoxesOf): ExchangeBoxes | undefined {
  const given = boxesOf([...direction]);
  if (given === undefined) return undefined;
  const boxes = checkOptions(given, ["sent", "received"], nameOf(direction));
  const checked = (side: keyof ExchangeBoxes): Box[] =>
    checkList(boxes[side], nameOf(direction, side), "an array of boxes").map((box, i) =>
      checkBox(grid, box as Box, nameOf(direction, side, i)),
    );
  const [sent, received] = [checked("sent"), checked("received")];
  if (sent.length > 0 || received.length > 0) return { sent, received };
  throw wrongValue(`${nameOf(direction)} must have boxes, or be undefined if nothing moves`);
}

/** The boxes for a direction in which this rank is its own neighbor. */
export interface OwnBoxes extends ExchangeBoxes {
  readonly direction: Direction;
}

/** Checks what is copied without messages: what this rank sends itself in one direction arrives from the opposite one. */
export function checkOwnBoxes(own: readonly OwnBoxes[]): void {
  const received = own.flatMap((one) =>
    one.received.map((box, i) => ({ box, name: nameOf(one.direction, "received", i) })),
  );
  for (const { direction, sent } of own) {
    const back = direction.map((step) => (step === 0 ? 0 : -step));
    checkCopy(direction, sent, back, boxesFrom(own, back).received);
    checkCopy(back, boxesFrom(own, back).sent, direction, boxesFrom(own, direction).received);
    for (const [i, box] of sent.entries()) {
      const other = received.find((target) => overlap(box, target.box));
      if (other === undefined) continue;
      throw wrongValue(`${other.name} overlaps ${nameOf(direction, "sent", i)}, and this rank is its own neighbor`);
    }
  }
}

function boxesFrom(own: readonly OwnBoxes[], direction: Direction): ExchangeBoxes {
  return own.find((one) => one.direction.every((step, axis) => step === direction[axis])) ?? { sent: [], received: [] };
}

function checkCopy(direction: Direction, sent: readonly Box[], back: Direction, received: readonly Box[]): void {
  if (sent.length !== received.length) {
    throw wrongValue(
      `${nameOf(back, "received")} must have as many boxes as ${nameOf(direction, "sent")}, because this rank is its own ` +
        `neighbor: expected ${sent.length}, received ${received.length}`,
    );
  }
  for (const [i, box] of sent.entries()) {
    const [expected, size] = [box, received[i] as Box].map((one) => sizesOf(one).join(" x "));
    if (size === expected) continue;
    throw wrongValue(
      `${nameOf(back, "received", i)} must have the size of ${nameOf(direction, "sent", i)}, because this rank is its own ` +
        `neighbor: expected ${expected} cells, received ${size}`,
    );
  }
}

/** Returns the name of boxes in errors. */
function nameOf(direction: Direction, side?: keyof ExchangeBoxes, index?: number): string {
  const place = index === undefined ? "" : `[${index}]`;
  return `options.boxes([${direction.join(", ")}])${side === undefined ? "" : `.${side}${place}`}`;
}

function checkBox(grid: GridPart, box: Box, name: string): Box {
  const { memoryShape } = grid;
  const given = checkOptions(box, ["start", "end"], name);
  const checked = (side: keyof Box): number[] => {
    const places = checkList(given[side], `${name}.${side}`, "an array of numbers") as number[];
    if (places.length === memoryShape.length) return places;
    throw wrongValue(
      `${name}.${side} must have ${memoryShape.length} elements, one for each axis, received ${places.length}`,
    );
  };
  const [start, end] = [checked("start"), checked("end")];
  for (const [axis, size] of memoryShape.entries()) {
    const from = checkInteger(start[axis], `${name}.start[${axis}]`, 0, size - 1);
    checkInteger(end[axis], `${name}.end[${axis}]`, from + 1, size);
  }
  return { start, end };
}

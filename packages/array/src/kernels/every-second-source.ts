/** OpenCL C for CPUs that copies every second element, such as the real parts of complex numbers. */

import { wordType } from "./compute-type.js";
import { pastCaches } from "./processor-source.js";

/** What the text of such a copy depends on. */
export interface EverySecondText {
  /** Bytes of an element: 1, 2, 4 or 8. */
  readonly itemSize: number;
  /** How many axes there are besides the innermost one. */
  readonly outer: number;
  /** True if places are counted in 32 bits. */
  readonly short: boolean;
}

/** Number of adjacent elements that are copied per computation of offsets. */
export const copiedLength = 4096;

/**
 * Two vectors at a time. Results that are not read soon are written past the caches, if they begin at a whole line of those;
 * the last argument is the places.
 */
export function everySecondSource({ itemSize, outer, short }: EverySecondText, streaming: boolean): string {
  const width = itemSize === 8 ? 8 : 16;
  return `typedef ${short ? "int" : "long"} Index;
typedef ${wordType(itemSize) as string} Element;
typedef ${wordType(itemSize) as string}${width} Elements;
typedef struct {
  Index parts; /* of copied length, in all */
  Index length;
  Index from, to;
  ${outer === 0 ? "" : `Index extent[${outer}], from_outer[${outer}], to_outer[${outer}];`}
} Places;

/* The second vector begins one element earlier, so that nothing behind the last element is read. */
Elements every_second(__global const Element *const from) {
  return (Elements)(vload${width}(0, from).even, vload${width}(0, from + ${width - 1}).odd);
}
${streaming ? pastCaches : ""}
__kernel void copy(__global const Element *const in, __global Element *const out, const Places places) {
  const Index parts = (places.length + ${copiedLength - 1}) / ${copiedLength};
  const Index last = (Index)((long)places.parts * (long)(get_global_id(0) + 1) / (long)get_global_size(0));
  for (Index part = (Index)((long)places.parts * (long)get_global_id(0) / (long)get_global_size(0)); part < last; part++) {
    Index rest = part;
    const Index start = rest % parts * ${copiedLength};
    rest /= parts;
    __global const Element *from = in + places.from + 2 * start;
    __global Element *to = out + places.to + start;
    ${outerSteps(outer)}
    const int length = (int)min(places.length - start, (Index)${copiedLength});
    int i = 0;
    ${streaming ? streamedBlocks(width) : ""}
    for (; i + ${width} <= length; i += ${width}) vstore${width}(every_second(from + 2 * i), 0, to + i);
    for (; i < length; i++) to[i] = from[2 * i];
  }
}
`;
}

/* Several lines are computed, in registers, and then written together. */
const streamedBlocks = (width: number): string => `for (; i + ${16 * width} <= length; i += ${16 * width}) {
      Elements block[16];
      #pragma unroll
      for (int k = 0; k < 16; k++) block[k] = every_second(from + 2 * (i + ${width} * k));
      #pragma unroll
      for (int k = 0; k < 16; k++) PAST_CACHES(block[k], (__global Elements *)(to + i + ${width} * k));
    }`;

const outerSteps = (outer: number): string =>
  outer === 0
    ? ""
    : `for (int axis = 0; axis < ${outer}; axis++) {
      const Index k = rest % places.extent[axis];
      rest /= places.extent[axis];
      from += k * places.from_outer[axis];
      to += k * places.to_outer[axis];
    }`;

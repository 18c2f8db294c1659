/** Messages from one rank to another. */
import { checkInteger, checkOptions } from "@cl/base";

import { typeOf } from "./element-types.js";
import { type HostArray, kinds, native } from "./native.js";
import type { Request } from "./operations.js";
import { checkRank, type Ranks } from "./ranks.js";

/** Options of messages. */
export interface MessageOptions {
  /**
   * Tells messages between the same ranks apart.
   * @defaultValue 0
   */
  readonly tag?: number;
}

/** Options of a receive. */
export interface ReceiveOptions {
  /** Accepts only messages with this tag. By default any. */
  readonly tag?: number;
}

/** Stands for any rank and any tag. */
const any = -1;

/** Returns the operation that sends an array. */
export function send(ranks: Ranks, data: HostArray, to: number, options: MessageOptions | undefined): Request {
  const { tag } = checkOptions(options, ["tag"]);
  const type = typeOf(data, "data");
  const peer = checkRank(ranks, to, "to");
  return { name: "send", arguments: [kinds.send, ranks.handle, type, data, undefined, peer, checkTag(tag ?? 0)] };
}

/** Returns the operation that receives an array. */
export function receive(
  ranks: Ranks,
  into: HostArray,
  from: number | undefined,
  options: ReceiveOptions | undefined,
): Request {
  const { tag } = checkOptions(options, ["tag"]);
  const type = typeOf(into, "into");
  const peer = from === undefined ? any : checkRank(ranks, from, "from");
  return {
    name: "recv",
    arguments: [kinds.receive, ranks.handle, type, undefined, into, peer, tag === undefined ? any : checkTag(tag)],
  };
}

let largestTag: number | undefined;

function checkTag(tag: number): number {
  return checkInteger(tag, "options.tag", 0, (largestTag ??= native.largestTag()));
}

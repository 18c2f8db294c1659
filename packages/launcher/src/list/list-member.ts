/** A list as it works: its members, and the recordings that are made of them. */
import type { CommandEvent, CommandQueue } from "@cl/core";

import { type ListOrder, type Member, named, type Recorder } from "../member.js";
import { ParameterUnion, type ParameterUse, type ParameterValues } from "../parameters/parameter-union.js";
import { Recording } from "./recording.js";

/** The working half of a list. */
export class ListMember implements Member {
  readonly words: string;
  readonly globalSizeConfigured = true;
  readonly order: ListOrder;
  readonly #members: Member[] = [];
  readonly #lists: ListMember[] = [];
  #pushes = 0;
  /** The members that have parameters: the others would only cost time. As of which version is {@link #taking}. */
  #takers: readonly Member[] = [];
  #taking = 0;
  #inOrder: Recording | undefined;
  #outOfOrder: Recording | undefined;
  /** Of what the recordings are made. */
  #recorded = -1;

  constructor(name: string, order: ListOrder) {
    this.words = `list "${name}"`;
    this.order = order;
  }

  get uses(): readonly ParameterUse[] {
    return this.#members.flatMap(({ uses }) => uses);
  }

  get version(): number {
    let version = this.#pushes;
    for (let i = 0; i < this.#lists.length; i++) version += (this.#lists[i] as ListMember).version;
    return version;
  }

  /** How many members it has. */
  get length(): number {
    return this.#members.length;
  }

  /** True if the other list is this one, or one of its members is, or has it. */
  contains(other: Member): boolean {
    return this === other || this.#lists.some((list) => list.contains(other));
  }

  /** Appends all of them, or none if their parameters do not go together. */
  push(members: readonly Member[]): void {
    const union = new ParameterUnion();
    for (const { uses } of [...this.#members, ...members]) union.add(uses, this.words);
    this.#members.push(...members);
    this.#lists.push(...members.filter((member) => member instanceof ListMember));
    this.#pushes += members.length;
  }

  take(values: ParameterValues): void {
    const { version } = this;
    if (version !== this.#taking) {
      this.#takers = this.#members.filter(({ uses }) => uses.length > 0);
      this.#taking = version;
    }
    const takers = this.#takers;
    for (let i = 0; i < takers.length; i++) {
      try {
        (takers[i] as Member).take(values);
      } catch (error) {
        throw named(this.words, error);
      }
    }
  }

  launch(queue: CommandQueue): void {
    try {
      this.#recordingFor(queue).launch(queue);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      return this.#recordingFor(queue).enqueue(queue, waitFor);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  #recordingFor(queue: CommandQueue): Recording {
    const { version } = this;
    if (version !== this.#recorded) {
      this.release();
      this.#recorded = version;
    }
    const known = queue.outOfOrder ? this.#outOfOrder : this.#inOrder;
    if (known !== undefined && (known.context === queue.context || known.context.equals(queue.context))) return known;
    const recording = new Recording(queue.context, queue.outOfOrder, this.order, this.#members);
    known?.release();
    if (queue.outOfOrder) this.#outOfOrder = recording;
    else this.#inOrder = recording;
    return recording;
  }

  record(recorder: Recorder): void {
    recorder.nested(this.order, this.#members);
  }

  release(): void {
    this.#inOrder?.release();
    this.#outOfOrder?.release();
    this.#inOrder = undefined;
    this.#outOfOrder = undefined;
  }
}

/** A terminal of one screen that interprets control characters, to test what a user sees. */
export class Terminal {
  readonly isTTY: boolean = true;
  columns: number;
  readonly lines: string[] = [""];
  /** All written texts. */
  readonly written: string[] = [];
  #column = 0;

  constructor(columns = 80) {
    this.columns = columns;
  }

  /** The visible lines, without empty lines at the end. */
  get screen(): string[] {
    return this.lines.slice(0, this.lines.findLastIndex((line) => line !== "") + 1);
  }

  write(chunk: string | Uint8Array): boolean {
    const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    this.written.push(text);
    for (const part of text.split(/([\r\n]|\p{Cc}\[K)/u)) {
      const line = this.lines.at(-1) as string;
      if (part === "\r") this.#column = 0;
      else if (part === "\n") {
        this.lines.push("");
        this.#column = 0;
      } else if (part === "\u001B[K") this.lines[this.lines.length - 1] = line.slice(0, this.#column);
      else {
        this.lines[this.lines.length - 1] =
          line.slice(0, this.#column).padEnd(this.#column) + part + line.slice(this.#column + part.length);
        this.#column += part.length;
      }
    }
    return true;
  }
}

/** A page in headless Chromium, driven over the pipe that its DevTools protocol can come through. */
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

/** Where Chromium is, from PATH; undefined if it is not installed. */
export function findChromium(): string | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const paths = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** A running browser with one page. */
export class Chromium {
  /** What the page complained of: exceptions, errors in the console, what its policy refused. */
  readonly complaints: string[] = [];
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (error: Error) => void }
  >();
  readonly #loads: (() => void)[] = [];
  #session: string | undefined;
  #scripts = true;
  #id = 0;

  private constructor(path: string) {
    this.#profile = mkdtempSync(join(tmpdir(), "cl-chromium-"));
    const flags = [
      "--headless=new",
      "--remote-debugging-pipe",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
    ];
    const more = ["--no-first-run", "--disable-extensions", "--hide-scrollbars", `--user-data-dir=${this.#profile}`];
    this.#process = spawn(path, [...flags, ...more, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    const ended = (): void => {
      for (const { reject } of this.#waiting.values()) reject(new Error("Chromium ended"));
      this.#waiting.clear();
    };
    this.#process.on("exit", ended).on("error", ended);
    let held = "";
    (this.#process.stdio[4] as Readable).setEncoding("utf8").on("data", (text: string) => {
      const messages = (held + text).split("\0");
      held = messages.pop() as string;
      for (const message of messages) this.#take(JSON.parse(message) as Message);
    });
  }

  /** Starts a browser. */
  static async start(path: string): Promise<Chromium> {
    const browser = new Chromium(path);
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    browser.#session = sessionId as string;
    for (const domain of ["Page", "Runtime", "Log"]) await browser.send(`${domain}.enable`);
    return browser;
  }

  /** Asks for something of the protocol. */
  send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#id;
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Opens a file, and waits until it has loaded. */
  async open(file: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#loads.push(resolve));
    await this.send("Page.navigate", { url: pathToFileURL(file).href });
    await loaded;
    await this.frame();
  }

  /** What an expression is in the page, as JSON can tell it. */
  async ask<T>(expression: string): Promise<T> {
    const answer = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    const failed = answer["exceptionDetails"] as { exception?: { description?: string } } | undefined;
    if (failed !== undefined) throw new Error(failed.exception?.description ?? expression);
    return (answer["result"] as { value: T }).value;
  }

  /** Whether pages may run their own programs. */
  async allowScripts(allowed: boolean): Promise<void> {
    this.#scripts = allowed;
    await this.send("Emulation.setScriptExecutionDisabled", { value: !allowed });
  }

  /** Waits until the page has drawn what had to be drawn. */
  async frame(): Promise<void> {
    // No callback comes then.
    if (!this.#scripts) return;
    await this.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))");
  }

  /** Presses and releases a key. */
  async press(key: string, modifiers = 0): Promise<void> {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const code = { Tab: 9, Enter: 13, Escape: 27, End: 35, Home: 36 }[key] ?? 0;
    const event = { key, code: key, windowsVirtualKeyCode: code, modifiers, ...(text === undefined ? {} : { text }) };
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event, text: undefined });
    await this.frame();
  }

  /** Moves, presses or turns the mouse. */
  async mouse(type: string, x: number, y: number, more: object = {}): Promise<void> {
    await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...more });
    await this.frame();
  }

  /** How large the window is, and which media features it has. */
  async emulate(width: number, height: number, features: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    const list = Object.entries(features).map(([name, value]) => ({ name, value }));
    await this.send("Emulation.setEmulatedMedia", { features: list });
    await this.frame();
  }

  /** A picture of the whole page, as PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true });
    return Buffer.from(data as string, "base64");
  }

  /** Ends the browser. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#session = undefined;
    if (this.#process.exitCode === null) {
      this.send("Browser.close").catch(() => undefined);
      await ended;
    }
    // Helpers of the browser may still be writing there.
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #take({ id, method, params = {}, result, error }: Message): void {
    if (id !== undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result ?? {});
      else waiting?.reject(new Error(error.message));
    } else if (method === "Page.loadEventFired") {
      for (const loaded of this.#loads.splice(0)) loaded();
    } else if (method === "Runtime.exceptionThrown" || method === "Log.entryAdded") {
      this.complaints.push(JSON.stringify(params));
    } else if (method === "Runtime.consoleAPICalled" && params["type"] !== "log") {
      this.complaints.push(JSON.stringify(params["args"]));
    }
  }
}

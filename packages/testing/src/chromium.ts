/** A page in headless Chromium, controlled by the DevTools protocol over a pipe. */
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

/** Returns the path of Chromium in PATH; `undefined` if it is not installed. */
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
  /** Problems of the page: exceptions, console messages other than logs, and violations of its policy. */
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
    const pageFlags = [
      "--no-first-run",
      "--disable-extensions",
      "--hide-scrollbars",
      `--user-data-dir=${this.#profile}`,
    ];
    this.#process = spawn(path, [...flags, ...pageFlags, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    const ended = (): void => {
      for (const { reject } of this.#waiting.values()) reject(new Error("Chromium ended"));
      this.#waiting.clear();
    };
    this.#process.on("exit", ended).on("error", ended);
    let partial = "";
    (this.#process.stdio[4] as Readable).setEncoding("utf8").on("data", (text: string) => {
      const messages = (partial + text).split("\0");
      partial = messages.pop() as string;
      for (const message of messages) this.#receive(JSON.parse(message) as Message);
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

  /** Sends a protocol command and returns its result. */
  send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#id;
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Opens a file and waits until it has loaded. */
  async open(file: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#loads.push(resolve));
    await this.send("Page.navigate", { url: pathToFileURL(file).href });
    await loaded;
    await this.frame();
  }

  /** Evaluates an expression in the page and returns its JSON value. */
  async ask<T>(expression: string): Promise<T> {
    const evaluated = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    const details = evaluated["exceptionDetails"] as { exception?: { description?: string } } | undefined;
    if (details !== undefined) throw new Error(details.exception?.description ?? expression);
    return (evaluated["result"] as { value: T }).value;
  }

  /** Enables or disables scripts of the page. */
  async allowScripts(allowed: boolean): Promise<void> {
    this.#scripts = allowed;
    await this.send("Emulation.setScriptExecutionDisabled", { value: !allowed });
  }

  /** Waits until the page has been drawn. */
  async frame(): Promise<void> {
    // Without scripts, the callback never runs.
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

  /** Dispatches a mouse event, such as a move, press or wheel event. */
  async mouse(type: string, x: number, y: number, options: object = {}): Promise<void> {
    await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...options });
    await this.frame();
  }

  /** Sets the window size and media features. */
  async emulate(width: number, height: number, features: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    const list = Object.entries(features).map(([name, value]) => ({ name, value }));
    await this.send("Emulation.setEmulatedMedia", { features: list });
    await this.frame();
  }

  /** Returns a PNG screenshot of the whole page. */
  async picture(): Promise<Buffer> {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true });
    return Buffer.from(data as string, "base64");
  }

  /** Closes the browser. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#session = undefined;
    if (this.#process.exitCode === null) {
      this.send("Browser.close").catch(() => undefined);
      await ended;
    }
    // Retries, since helper processes may still be writing.
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #receive({ id, method, params = {}, result, error }: Message): void {
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

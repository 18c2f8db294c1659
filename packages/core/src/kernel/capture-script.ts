/** Standalone scripts that reproduce a captured launch. */

/** Contents of a script; some fields are JavaScript expressions. */
export interface CapturedLaunch {
  readonly kernelName: string;
  /** Device of the captured launch, for a comment. */
  readonly deviceName: string;
  /** OpenCL C source; `undefined` if the program has a binary instead. */
  readonly source: string | undefined;
  /** The device's binary: deflated, in base64. */
  readonly binary: string | undefined;
  readonly options: string;
  /** Expression for `kernel.argTypes`: types that the runtime may not report. */
  readonly argTypes: string;
  /** Names and contents (deflated, in base64) of root buffers. */
  readonly memories: readonly { readonly name: string; readonly packed: string }[];
  /** One expression per argument. */
  readonly args: readonly string[];
  /** Expression for the launch sizes. */
  readonly sizes: string;
}

/** Returns the script of a launch. */
export function captureScript(launch: CapturedLaunch): string {
  const { kernelName, deviceName, source, binary, options } = launch;
  const program =
    source === undefined ? `const binary = unpack(${wrapped(binary ?? "")});` : `const source = ${template(source)};`;
  const make =
    source === undefined
      ? "Program.fromBinaries(context, [[context.devices[0], binary]])"
      : "new Program(context, source)";
  return `// One launch of the kernel ${JSON.stringify(kernelName)}, captured by @cl/core on ${JSON.stringify(deviceName)}.
// Run it with \`node\`; a first argument selects the device, as CL_DEVICE does. As a module, it exports run().
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import {
  CommandQueue,
  Context,
  DeviceBuffer,
  Kernel,
  kernelArgument,
  LocalMemory,
  Program,
  Sampler,
} from "@cl/core";

${program}
const options = ${JSON.stringify(options)};
const sizes = ${launch.sizes};
const memories = [
${launch.memories.map(({ name, packed }) => `  { name: ${JSON.stringify(name)}, bytes: ${wrapped(packed)} },`).join("\n")}
];

/** Launches the kernel once. Returns the contents of each buffer afterwards, by the argument's name. */
export async function run(device) {
  const context = Context.create(device);
  const queue = new CommandQueue(context);
  const program = await ${make}.build({ options });
  const kernel = new Kernel(program, ${JSON.stringify(kernelName)});
  kernel.argTypes = ${launch.argTypes};
  // Untyped buffers: each argument sets its own element type.
  const buffers = memories.map(
    ({ bytes }) => new DeviceBuffer(context, { host: unpack(bytes).buffer, hostPointer: "copy" }),
  );
  kernel.launch(queue, sizes${launch.args.map((argument) => `,\n    ${argument}`).join("")});
  const results = new Map();
  for (const [i, buffer] of buffers.entries()) results.set(memories[i].name, await queue.read(buffer, Uint8Array));
  await queue.finish();
  return results;
}

/** Returns the bytes of a deflated base64 text. */
function unpack(text) {
  return new Uint8Array(inflateSync(Buffer.from(text, "base64")));
}

/** Returns a typed array of a deflated base64 text. */
function array(Type, text) {
  return new Type(unpack(text).buffer);
}

/** Returns a kernel argument that is passed by value. */
function byValue(text) {
  const value = { bytes: unpack(text) };
  return { [kernelArgument]: () => value };
}

/** Returns a range of a buffer with an element type. */
function part(buffer, origin, bytes, Type) {
  const range = origin === 0 && bytes === buffer.size ? buffer : buffer.subBuffer(origin, bytes);
  return Type === undefined ? range : range.as(Type);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");
  for (const [name, bytes] of await run(process.argv[2])) {
    const before = unpack(memories.find((memory) => memory.name === name).bytes);
    const note = hash(before) === hash(bytes) ? "unchanged" : "changed";
    console.log(\`\${name} \${bytes.length} bytes sha256 \${hash(bytes)} \${note}\`);
  }
}
`;
}

/** Returns an expression with exactly the given value. */
export function numberText(value: number | bigint): string {
  if (typeof value === "bigint") return `${value}n`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Returns an expression for a text, split into lines so that editors can open the file. */
export function wrapped(text: string): string {
  const lines = text.match(/.{1,120}/g) ?? [""];
  if (lines.length === 1) return JSON.stringify(lines[0]);
  return `[\n${lines.map((line) => `    "${line}",`).join("\n")}\n  ].join("")`;
}

/** Returns a template literal, which keeps the source readable. */
function template(text: string): string {
  // Template literals normalize line ends to "\n", so carriage returns are escaped.
  return `\`${text.replace(/[\\`]|\$\{/g, "\\$&").replaceAll("\r", "\\r")}\``;
}

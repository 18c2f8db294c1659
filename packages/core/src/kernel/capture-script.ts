/** The text of a captured launch: a module that runs by itself and reproduces it. */

/** What the script must know, as JavaScript expressions where it says so. */
export interface CapturedLaunch {
  readonly kernelName: string;
  /** The device that the kernel was to run on, for the reader. */
  readonly deviceName: string;
  /** OpenCL C; undefined if the program had none, and then there is a binary. */
  readonly source: string | undefined;
  /** The device's binary, packed. */
  readonly binary: string | undefined;
  readonly options: string;
  /** Types that the runtime may not know: an expression for `kernel.argTypes`. */
  readonly argTypes: string;
  /** Whole buffers, packed, with the name of each. */
  readonly memories: readonly { readonly name: string; readonly packed: string }[];
  /** An expression for each argument. */
  readonly args: readonly string[];
  /** An expression. */
  readonly sizes: string;
}

/** The script. */
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

/** Launches the kernel once. Gives what is in each buffer afterwards, by the argument's name. */
export async function run(device) {
  const context = Context.create(device);
  const queue = new CommandQueue(context);
  const program = await ${make}.build({ options });
  const kernel = new Kernel(program, ${JSON.stringify(kernelName)});
  kernel.argTypes = ${launch.argTypes};
  // Of the bytes without their type, so that a buffer's elements have only the type that its argument says.
  const buffers = memories.map(
    ({ bytes }) => new DeviceBuffer(context, { host: unpack(bytes).buffer, hostPointer: "copy" }),
  );
  kernel.launch(queue, sizes${launch.args.map((argument) => `,\n    ${argument}`).join("")});
  const results = new Map();
  for (const [i, buffer] of buffers.entries()) results.set(memories[i].name, await queue.read(buffer, Uint8Array));
  await queue.finish();
  return results;
}

/** The bytes of a packed text. */
function unpack(text) {
  return new Uint8Array(inflateSync(Buffer.from(text, "base64")));
}

/** An array of a packed text. */
function array(Type, text) {
  return new Type(unpack(text).buffer);
}

/** Bytes for a parameter by value. */
function byValue(text) {
  const value = { bytes: unpack(text) };
  return { [kernelArgument]: () => value };
}

/** The part of a buffer that an argument was, with its element type. */
function part(buffer, origin, bytes, Type) {
  const whole = origin === 0 && bytes === buffer.size ? buffer : buffer.subBuffer(origin, bytes);
  return Type === undefined ? whole : whole.as(Type);
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

/** A number or bigint as an expression with exactly that value. */
export function numberText(value: number | bigint): string {
  if (typeof value === "bigint") return `${value}n`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Base64 in lines, so that editors open the file. */
export function wrapped(text: string): string {
  const lines = text.match(/.{1,120}/g) ?? [""];
  if (lines.length === 1) return JSON.stringify(lines[0]);
  return `[\n${lines.map((line) => `    "${line}",`).join("\n")}\n  ].join("")`;
}

/** A template literal, so that the source reads as it was written. */
function template(text: string): string {
  // A template literal makes a line feed of every line end, so carriage returns are escaped.
  return `\`${text.replace(/[\\`]|\$\{/g, "\\$&").replaceAll("\r", "\\r")}\``;
}

// Values that both clpeak and characterize measure. clpeak 1.1.2 measures memory and arithmetic with the host's clock around
// a launch and its wait (mean of 10 to 50; the better of two strides for memory), transfers of up to 512 MiB (2 GiB on GPUs)
// as 20 consecutive blocking calls, and latency from queued to start with the device's clock (mean of 20,000).

/** @typedef {import("@cl/characterize").Characteristics} Characteristics */
/** @typedef {import("@cl/characterize").Quantity} Quantity */

/**
 * @typedef {object} Section
 * @property {string} title as clpeak prints it
 * @property {string} flag clpeak option that runs only this section
 * @property {import("@cl/characterize").CharacteristicsGroup} group of characterize
 * @property {number} scale clpeak's unit in base units
 * @property {string} unit
 * @property {Record<string, (ours: Characteristics) => Quantity | undefined>} figures our values, by clpeak's name
 */

const widths = [1, 2, 4, 8, 16];

/**
 * @param {string} type
 * @param {(ours: Characteristics, width: number) => Quantity | undefined} of
 */
function byWidth(type, of) {
  return Object.fromEntries(
    widths.map((width) => [
      width === 1 ? type : `${type}${width}`,
      (/** @type {Characteristics} */ ours) => of(ours, width),
    ]),
  );
}

/**
 * @param {Characteristics} ours
 * @param {number} width
 */
function reading(ours, width) {
  const entries = ours.globalMemory?.entries ?? [];
  const rates = entries.filter((entry) => entry.operation === "read" && entry.width === width).map(({ rate }) => rate);
  return rates.toSorted((a, b) => b.median - a.median)[0];
}

/** @param {"float" | "double" | "half" | "int"} type */
function chains(type) {
  return byWidth(type, (ours, width) => {
    const entries = ours.compute?.entries ?? [];
    return entries.find((entry) => entry.type === type && entry.width === width && entry.chains === 1)?.rate;
  });
}

/** @param {"hostToDevice" | "deviceToHost"} direction */
function pageable(direction) {
  return (/** @type {Characteristics} */ ours) => {
    const curves = ours.transfer?.curves ?? [];
    const curve = curves.find((one) => one.kind === "pageable" && one.direction === direction);
    return curve?.points.at(-1)?.bandwidth;
  };
}

/** @type {readonly Section[]} */
export const sections = [
  {
    title: "Global memory bandwidth",
    flag: "--global-bandwidth",
    group: "globalMemory",
    scale: 1e9,
    unit: "GB/s",
    figures: byWidth("float", reading),
  },
  {
    title: "Single-precision compute",
    flag: "--compute-sp",
    group: "compute",
    scale: 1e9,
    unit: "Gflop/s",
    figures: chains("float"),
  },
  {
    title: "Double-precision compute",
    flag: "--compute-dp",
    group: "compute",
    scale: 1e9,
    unit: "Gflop/s",
    figures: chains("double"),
  },
  {
    title: "Integer compute",
    flag: "--compute-integer",
    group: "compute",
    scale: 1e9,
    unit: "Gop/s",
    figures: chains("int"),
  },
  {
    title: "Transfer bandwidth",
    flag: "--transfer-bandwidth",
    group: "transfer",
    scale: 1e9,
    unit: "GB/s",
    figures: {
      enqueueWriteBuffer: pageable("hostToDevice"),
      enqueueReadBuffer: pageable("deviceToHost"),
      "enqueueMapBuffer(for read)": (ours) => ours.transfer?.mapping.map,
      "memcpy from mapped ptr": (ours) => ours.transfer?.mapping.copyFrom,
      "enqueueUnmap(after write)": (ours) => ours.transfer?.mapping.unmap,
      "memcpy to mapped ptr": (ours) => ours.transfer?.mapping.copyTo,
    },
  },
  {
    title: "Kernel launch latency",
    flag: "--kernel-latency",
    group: "launch",
    scale: 1e-6,
    unit: "us",
    figures: { "Kernel launch latency": (ours) => ours.launch?.queuedToStart },
  },
];

/**
 * Parses the values that clpeak prints, by name.
 * @param {string} text
 * @returns {Record<string, number>}
 */
export function parseClpeak(text) {
  const lines = [...text.matchAll(/^ +(\S.*?) *: (\d+(?:\.\d+)?)(?: us)?$/gm)];
  return Object.fromEntries(lines.map(([, name = "", value]) => [name, Number(value)]));
}

// Compares characterize with clpeak. Both are interleaved by section and round and alternate in starting.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { environment } from "../environments.mjs";
import { messageOf } from "../message.mjs";
import { paths } from "../paths.mjs";
import { comparisonTable } from "../report.mjs";
import { median, significant } from "../statistics.mjs";
import { parseClpeak, sections } from "./sections.mjs";

/** @typedef {import("./sections.mjs").Section} Section */
/**
 * @typedef {object} Comparison
 * @property {string} figure
 * @property {string} unit
 * @property {number} ours
 * @property {number} clpeak
 * @property {number} ratio median of `ours` / clpeak over the rounds
 * @property {readonly number[]} ratios of all rounds
 */

const execute = promisify(execFile);

/**
 * Measures with both and returns their figures and ratios. Returns undefined, with a message, if clpeak is missing.
 * @param {{ readonly rounds: number, readonly quick: boolean, readonly job: readonly string[] }} options
 * @param {(text: string) => void} say
 * @returns {Promise<{ table: string, records: readonly object[] } | undefined>}
 */
export async function compare(options, say) {
  const isNamed = options.job.some((text) => "characterize-clpeak".includes(text));
  // It takes minutes.
  if (!isNamed && (options.quick || options.job.length > 0)) return undefined;
  try {
    say(`characterize: clpeak is ${(await execute("clpeak", ["--version"])).stdout.trim()}`);
  } catch (problem) {
    say(`characterize: clpeak is missing: ${messageOf(problem)}`);
    return undefined;
  }
  const env = environment("default", "ours", undefined);
  const where = JSON.parse(await ourFigures("device", env));
  /** @type {Comparison[]} */
  const all = [];
  for (const section of sections) {
    const rounds = await takeTurns(section, where, env, options.quick ? 1 : Math.min(5, options.rounds));
    all.push(...compareSection(section, rounds));
    say(`characterize: ${section.title} done`);
  }
  const records = all.map((comparison) => ({
    package: "characterize",
    job: "characterize-clpeak",
    device: where.name,
    ...comparison,
  }));
  return { table: comparisonTable(all), records };
}

/**
 * @param {Section} section
 * @param {{ platform: number, device: number }} where
 * @param {NodeJS.ProcessEnv} env
 * @param {number} count
 */
async function takeTurns(section, where, env, count) {
  /** @type {{ ours: import("@cl/characterize").Characteristics, clpeak: Record<string, number> }[]} */
  const rounds = [];
  const position = ["-p", String(where.platform), "-d", String(where.device)];
  const peak = async () => parseClpeak((await execute("clpeak", [...position, section.flag], { env })).stdout);
  const ours = async () => JSON.parse(await ourFigures(section.group, env));
  for (let i = 0; i < count; i++) {
    const first = i % 2 === 0 ? await ours() : await peak();
    const second = i % 2 === 0 ? await peak() : await ours();
    rounds.push(i % 2 === 0 ? { ours: first, clpeak: second } : { ours: second, clpeak: first });
  }
  return rounds;
}

/**
 * @param {string} what
 * @param {NodeJS.ProcessEnv} env
 */
async function ourFigures(what, env) {
  const script = join(paths.ours, "characterize", "figures.mjs");
  return (await execute(process.execPath, [script, what], { env, maxBuffer: 2 ** 24 })).stdout;
}

/**
 * @param {Section} section
 * @param {Awaited<ReturnType<typeof takeTurns>>} rounds
 * @returns {readonly Comparison[]}
 */
function compareSection({ title, unit, scale, figures }, rounds) {
  return Object.entries(figures).flatMap(([name, figureOf]) => {
    const pairs = rounds.flatMap((round) => {
      const [ours, clpeak] = [figureOf(round.ours)?.median, round.clpeak[name]];
      return ours === undefined || clpeak === undefined ? [] : [{ ours: ours / scale, clpeak }];
    });
    if (pairs.length === 0) return [];
    const ratios = pairs.map((pair) => significant(pair.ours / pair.clpeak));
    const each = (/** @type {"ours" | "clpeak"} */ side) => significant(median(pairs.map((pair) => pair[side])));
    const figure = name === title ? title : `${title}: ${name}`;
    return [{ figure, unit, ours: each("ours"), clpeak: each("clpeak"), ratio: significant(median(ratios)), ratios }];
  });
}

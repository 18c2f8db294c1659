/**
 * Makes wrong calls, each with one difference from a valid call, and prints those that did not throw the expected error.
 * Runs in a child process. It prints the name of each call first, so that the last line identifies a crash.
 *
 *   node run.mjs calls <part> <parts>     all calls of every `parts`-th member, from `part`
 *   node run.mjs sample <part> <parts>    every `parts`-th call of all members; for real drivers
 *   node run.mjs selves                   each member on a wrong receiver
 *   node run.mjs surface                  members without an entry, entries without a member
 */
import { writeSync } from "node:fs";

import { collectGarbage, collectUntil } from "@cl/base/testing";
import * as core from "@cl/core";

import { dtypeCalls } from "./calls-dtype.mjs";
import { hostFunctionCalls } from "./calls-host-function.mjs";
import { imageCalls } from "./calls-images.mjs";
import { interopCalls } from "./calls-interop.mjs";
import { objectCalls } from "./calls-objects.mjs";
import { profileCalls } from "./calls-profile.mjs";
import { viewCalls } from "./calls-view.mjs";
import { svmCalls } from "./calls-svm.mjs";
import { argumentlessCalls } from "./calls-without-arguments.mjs";
import { workCalls } from "./calls-work.mjs";
import { Environment } from "./environment.mjs";
import { judge } from "./judge.mjs";
import { getters, surface } from "./surface.mjs";
import { badValue, isPlain, missing, valueNames } from "./values.mjs";

const tables = [
  dtypeCalls,
  objectCalls,
  viewCalls,
  workCalls,
  interopCalls,
  imageCalls,
  svmCalls,
  hostFunctionCalls,
  profileCalls,
  argumentlessCalls,
];
const calls = Object.fromEntries(
  tables.flatMap((table) => Object.entries(table)).map(([name, entry]) => [name, listed(entry)]),
);
/** Returns the member of an entry. A member can have several valid calls: "CommandQueue#read of an image". */
const memberOf = (name) => name.split(/ (?:of|as|with|on) /)[0];
const functions = surface(core);
/** Calls between garbage collections, limited by the driver's memory. */
const callsBetweenCollections = 50;
const problems = [];
let made = 0;
let current = "";

process.on("uncaughtException", (error) => report(`threw outside of the call: ${error.stack}`));
process.on("unhandledRejection", (error) => report(`rejected outside of the call: ${error?.stack ?? error}`));

const [mode, part, parts] = process.argv.slice(2);
try {
  await run();
} catch (error) {
  // The handlers above would let the process end with code 0 and without a result.
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
}
const left = await collected();
if (left > 0) problems.push(`${left} handles are left: ${JSON.stringify(core.handleCounts())}`);
writeSync(1, `\n${JSON.stringify({ made, problems })}\n`);

async function run() {
  switch (mode) {
    case "calls":
      await wrongCalls(
        Object.keys(calls).filter((_, i) => i % Number(parts) === Number(part)),
        () => true,
      );
      break;
    case "sample": {
      let count = 0;
      await wrongCalls(
        Object.keys(calls),
        (label, value) => !takesLong(label, value) && count++ % Number(parts) === Number(part),
      );
      break;
    }
    case "selves":
      await wrongSelves();
      break;
    case "surface":
      problems.push(
        ...[...functions.keys()]
          .filter((name) => !Object.hasOwn(calls, name))
          .map((name) => `${name}: not in the table`),
      );
      problems.push(
        ...Object.keys(calls)
          .filter((name) => !functions.has(memberOf(name)))
          .map((name) => `${name}: not in the package`),
      );
      break;
    default:
      throw new Error(`no mode is called ${mode}`);
  }
}

/** Returns an entry with the list of its arguments, and after the first call also their names. */
function listed(entry) {
  const listing = {
    ...entry,
    args(environment) {
      const args = entry.args(environment);
      listing.names ??= Object.keys(args);
      return Object.values(args);
    },
  };
  return listing;
}

/** Returns whether a valid call would run for hours. */
function takesLong(label, value) {
  return label === "sizes.global" && value === "2**31";
}

async function wrongCalls(names, chosen) {
  for (const name of names) {
    const entry = calls[name];
    // Calls on a context get a new one, because a wrong call may affect it.
    Environment.sharesContexts = mode === "sample" && !memberOf(name).startsWith("Context");
    const outcome = await call(`${name} with valid arguments`, entry, (args) => args);
    if (outcome.error !== undefined && !entry.fails && !entry.any) report(`failed: ${outcome.error}`);
    for (const { label, argument, field, value, change } of entry.unchanged || !isPossible(entry)
      ? []
      : changes(entry)) {
      if (entry.skip?.[label]?.includes(value) || !chosen(label, value)) continue;
      const wrong = await call(`${name} with ${label} = ${value}`, entry, change);
      if (mode === "sample" && made % callsBetweenCollections === 0) await collectGarbage();
      if (wrong.missing || entry.any) continue;
      const complaint = judge(wrong, entry, argument, field, value);
      if (complaint !== undefined) report(complaint);
    }
  }
}

/** Returns whether the device supports what the call needs. */
function isPossible(entry) {
  try {
    entry.args(new Environment());
    return true;
  } catch (error) {
    if (error instanceof core.NotSupportedError) return false;
    // A real driver may reject features it lists: NVIDIA's has semaphores, but not of the exported type.
    if (mode === "sample" && error instanceof core.OpenCLError) return false;
    throw error;
  }
}

/** Returns the changes of every argument, of every field of plain objects, and of the first element of arrays. */
function changes(entry) {
  const list = [];
  const right = entry.args(new Environment());
  const { names } = entry;
  for (const [i, argument] of right.entries()) {
    const name = names[i] ?? `arg${i}`;
    const label = name.replace("?", "");
    for (const value of valueNames) {
      list.push({ label, argument: name, field: undefined, value, change: at(i, undefined, value) });
    }
    if (entry.any || typeof argument !== "object" || argument === null) continue;
    const keys = Array.isArray(argument)
      ? argument.length > 0
        ? ["0"]
        : []
      : isPlain(argument)
        ? Object.keys(argument)
        : [];
    for (const key of keys) {
      for (const value of valueNames) {
        list.push({ label: `${label}.${key}`, argument: name, field: key, value, change: at(i, key, value) });
      }
    }
  }
  return list;
}

function at(i, key, name) {
  return (args, environment) => {
    const right = key === undefined ? args[i] : args[i][key];
    const value = badValue(name, environment, right);
    if (value === missing) return missing;
    if (key === undefined) args[i] = value;
    else args[i] = Array.isArray(args[i]) ? replaced(args[i], key, value) : { ...args[i], [key]: value };
    return args;
  };
}

function replaced(array, key, value) {
  const copy = [...array];
  copy[key] = value;
  return copy;
}

async function call(label, entry, change) {
  current = label;
  const environment = new Environment();
  let args;
  let self;
  try {
    args = change(entry.args(environment), environment);
    if (args === missing) return { missing: true };
    self = entry.on?.(environment);
  } catch (error) {
    return { error };
  }
  writeSync(1, `${label}\n`);
  made++;
  return outcomeOf(() => functions.get(memberOf(label))(self, args));
}

async function outcomeOf(make) {
  try {
    const result = make();
    if (!(result instanceof Promise)) return { result };
    let timer;
    // A call that never settles is a finding.
    const late = new Promise((resolve) => (timer = setTimeout(resolve, 2000, missing)));
    const value = await Promise.race([result, late]).finally(() => clearTimeout(timer));
    return value === missing ? { error: new Error("never settled") } : { result: value };
  } catch (error) {
    return { error };
  }
}

async function wrongSelves() {
  for (const [name, invoke] of functions) {
    if (!name.includes("#")) continue;
    const entry = calls[name];
    if (entry === undefined) continue;
    const right = entry.on?.(new Environment());
    const hollow =
      right === undefined
        ? []
        : [
            ["hollow", Object.create(Object.getPrototypeOf(right))],
            ["a proxy", new Proxy(right, {})],
          ];
    for (const [label, self] of [...wrongReceivers(), ...hollow]) {
      // A method of a base class accepts all subclasses.
      if (right !== undefined && self instanceof Object && accepts(self, name, right)) continue;
      current = `${name} on ${label}`;
      writeSync(1, `${current}\n`);
      made++;
      // Any error is fine; the process must continue and the driver must receive no invalid call.
      await outcomeOf(() => invoke(self, entry.args(new Environment())));
    }
    const released = right === undefined ? undefined : new Environment().released(right);
    if (released === undefined) continue;
    current = `${name} on a released object`;
    writeSync(1, `${current}\n`);
    made++;
    const { error } = await outcomeOf(() => invoke(released, entry.args(new Environment())));
    if (error !== undefined && !(error instanceof core.DisposedError)) report(`not a DisposedError: ${error.stack}`);
  }
  for (const [name, get] of getters(core)) {
    for (const [label, self] of wrongReceivers()) {
      current = `getter ${name} on ${label}`;
      writeSync(1, `${current}\n`);
      made++;
      await outcomeOf(() => get.call(self));
    }
  }
}

/** Returns wrong receivers. New for each call, because some calls release them. */
function wrongReceivers() {
  const environment = new Environment();
  return [
    ["undefined", undefined],
    ["null", null],
    ["5", 5],
    ["{}", {}],
    ["a function", () => undefined],
    ["a queue", environment.queue],
    ["a buffer", environment.buffer],
    ["a platform", environment.platform],
    ["LocalMemory", environment.local],
  ];
}

function accepts(self, name, right) {
  const owner = name.split("#")[0];
  for (let one = Object.getPrototypeOf(self); one !== null; one = Object.getPrototypeOf(one)) {
    if (one.constructor?.name === owner) return true;
  }
  return self === right;
}

function report(complaint) {
  problems.push(`${current}: ${complaint}`);
}

/** Collects garbage and returns the number of handles left. */
async function collected() {
  await collectUntil(() => core.handleCount() === 0);
  return core.handleCount();
}

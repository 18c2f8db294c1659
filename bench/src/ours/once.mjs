// Runs the job that the command line names in @cl children for jobs that need a separate process: `once.mjs <job> [count]`.
import { messageOf } from "../message.mjs";

/**
 * @param {Record<string, (count: number) => Promise<number | string>>} jobs nanoseconds or KiB; text may add `name=value`
 */
export async function runNamedJob(jobs) {
  const [, , name = "", count] = process.argv;
  try {
    const job = jobs[name];
    if (job === undefined) throw new Error(`unknown job: ${name}`);
    console.log(`ok ${await job(Number(count))}`);
  } catch (problem) {
    console.log(`error ${messageOf(problem)}`);
    process.exitCode = 1;
  }
}

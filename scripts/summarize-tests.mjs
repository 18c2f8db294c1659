// Prints the number of passed and failed tests in vitest's JSON report, for .ci/run. Lists the failed tests on stderr.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const firstLines = (text = "") => text.split("\n").slice(0, 3).join("\n      ");
for (const { name, message, assertionResults } of testResults) {
  const failures = assertionResults.filter(({ status }) => status === "failed");
  for (const { fullName, failureMessages } of failures) {
    console.error(`    ${relative(process.cwd(), name)}: ${fullName}\n      ${firstLines(failureMessages[0])}`);
  }
  if (failures.length === 0 && message) console.error(`    ${relative(process.cwd(), name)}: ${firstLines(message)}`);
}
console.log(numPassedTests, numFailedTests);

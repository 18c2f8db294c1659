// Formats the C++ and OpenCL C files that git does not ignore; with --check, only reports unformatted files.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./lib/environment.mjs";

const patterns = ["*.cc", "*.cpp", "*.h", "*.hpp", "*.c", "*.cl"];
const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...patterns], {
  cwd: root,
  encoding: "utf8",
});
if (listed.status !== 0) throw new Error(`git ls-files failed: ${listed.stderr}`);
const files = listed.stdout.split("\0").filter((file) => file !== "");
const mode = process.argv.includes("--check") ? ["--dry-run", "--Werror"] : ["-i"];
const cli = join(root, "node_modules", "clang-format-node", "build", "cli.js");

if (files.length > 0) {
  const { status } = spawnSync(process.execPath, [cli, ...mode, ...files], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
}

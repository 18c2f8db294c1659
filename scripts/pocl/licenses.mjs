// The licenses of everything that is part of the built files, and their list in CycloneDX's form.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cxxLibrary, packageVersion } from "./requirements.mjs";
import { poclVersion } from "./sources.mjs";

const debian = (name) => `/usr/share/doc/${name}/copyright`;
const common = (name) => `/usr/share/common-licenses/${name}`;
const llvmLicense = { license: "Apache-2.0 WITH LLVM-exception", file: "llvm.txt", texts: [debian("llvm-19-dev")] };

/**
 * Components of the library and its data. A version is given, or that of a Debian package. Texts are absolute paths, or
 * relative to the sources; of a source file, the first comment is the text.
 */
const componentsOf = (target) => [
  { name: "PoCL", version: poclVersion, license: "MIT", file: "pocl.txt", texts: ["LICENSE.with.3rdparty"] },
  { name: "SLEEF", version: "in PoCL", license: "BSL-1.0", file: "sleef.txt", texts: ["lib/kernel/sleef/LICENSE.txt"] },
  {
    name: "ROCm device libraries",
    version: "in PoCL",
    license: "NCSA",
    file: "rocm.txt",
    texts: ["lib/kernel/libclc/ROCM_LICENSE.txt"],
  },
  { name: "STC", version: "in PoCL", license: "MIT", file: "stc.txt", texts: ["thirdparty/STC/LICENSE"] },
  { name: "uthash", version: "in PoCL", license: "BSD-1-Clause", file: "uthash.txt", texts: ["include/uthash.h"] },
  {
    name: "OpenCL headers",
    package: "opencl-c-headers",
    license: "Apache-2.0",
    file: "opencl-headers.txt",
    texts: [debian("opencl-c-headers")],
  },
  { name: "LLVM", package: "llvm-19-dev", ...llvmLicense },
  { name: "clang", package: "libclang-19-dev", ...llvmLicense },
  { name: "lld", package: "liblld-19-dev", ...llvmLicense },
  { name: "compiler-rt", package: "libclang-rt-19-dev", ...llvmLicense },
  { name: "zlib", package: "zlib1g-dev", license: "Zlib", file: "zlib.txt", texts: [debian("zlib1g-dev")] },
  {
    name: "Zstandard",
    package: "libzstd-dev",
    license: "BSD-3-Clause",
    file: "zstd.txt",
    texts: [debian("libzstd-dev")],
  },
  {
    name: "libstdc++",
    package: cxxLibrary(target),
    license: "GPL-3.0-or-later WITH GCC-exception-3.1",
    file: "libstdc++.txt",
    texts: [debian(cxxLibrary(target)), common("GPL-3")],
  },
];

/** Writes the texts of all licenses, a list of them and `sbom.json` to `folder`. */
export function writeLicenses(target, sources, folder) {
  mkdirSync(folder, { recursive: true });
  const rows = [];
  const listed = [];
  for (const { name, package: debianPackage, license, file, texts, ...given } of componentsOf(target)) {
    const version = given.version ?? packageVersion(debianPackage);
    writeFileSync(join(folder, file), texts.map((path) => textOf(sources, path)).join("\n"));
    rows.push(`| ${name} | ${version} | ${license} | [${file}](${file}) |`);
    listed.push({ type: "library", name, version, licenses: [{ expression: license }] });
  }
  // The texts of Debian refer to it.
  writeFileSync(join(folder, "apache-2.0.txt"), readFileSync(common("Apache-2.0")));
  const head = [
    "# Licenses of the library and its data",
    "",
    "| component | version | license | text |",
    "| --- | --- | --- | --- |",
  ];
  writeFileSync(join(folder, "README.md"), [...head, ...rows, ""].join("\n"));
  writeFileSync(join(folder, "sbom.json"), `${JSON.stringify(listed, null, 2)}\n`);
}

function textOf(sources, path) {
  const text = readFileSync(join(path.startsWith("/") ? "/" : sources, path), "utf8");
  return path.endsWith(".h") ? text.slice(0, text.indexOf("*/") + 3) : text;
}

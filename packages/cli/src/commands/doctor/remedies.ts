/** Installation commands for this system. */
import { readFileSync } from "node:fs";

type Family = "debian" | "fedora" | "arch" | "alpine" | "suse";

const commands: Readonly<Record<"loader" | "driver", Readonly<Record<Family, string>>>> = {
  loader: {
    debian: "sudo apt install ocl-icd-libopencl1",
    fedora: "sudo dnf install ocl-icd",
    arch: "sudo pacman -S ocl-icd",
    alpine: "sudo apk add opencl-icd-loader",
    suse: "sudo zypper install libOpenCL1",
  },
  driver: {
    debian: "sudo apt install pocl-opencl-icd",
    fedora: "sudo dnf install pocl",
    arch: "sudo pacman -S pocl",
    alpine: "sudo apk add pocl",
    suse: "sudo zypper install pocl",
  },
};

/** Whether `@cl/pocl` supports this platform. A program has to import it. */
const hasPackage = process.platform === "linux" && process.arch === "x64";

/** Returns how to install the OpenCL loader or, if `withPackage`, `@cl/pocl`, which needs none. */
export function installLoader(withPackage: boolean = hasPackage): string {
  const known = commandFor("loader");
  if (known !== undefined) return withPackage ? `npm install @cl/pocl, or ${known}` : known;
  if (process.platform === "win32") return "Install the GPU vendor's graphics driver, which includes OpenCL.dll.";
  return "Install an OpenCL loader (ocl-icd or the Khronos OpenCL-ICD-Loader), or set CL_LIBRARY_PATH to its file.";
}

/** Returns how to install a driver. PoCL runs on any CPU. */
export function installDriver(): string {
  const command = commandFor("driver");
  const system = command === undefined ? "PoCL" : `PoCL: ${command}`;
  return `Install the GPU vendor's driver, or for any CPU ${hasPackage ? "npm install @cl/pocl, or " : ""}${system}`;
}

function commandFor(what: keyof typeof commands): string | undefined {
  const family = process.platform === "linux" ? systemFamily() : undefined;
  return family === undefined ? undefined : commands[what][family];
}

function systemFamily(): Family | undefined {
  let text: string;
  try {
    text = readFileSync("/etc/os-release", "utf8");
  } catch {
    return undefined;
  }
  const ids = [...text.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].flatMap(([, names]) => (names as string).split(" "));
  const families: Readonly<Record<string, Family>> = {
    debian: "debian",
    ubuntu: "debian",
    fedora: "fedora",
    rhel: "fedora",
    arch: "arch",
    alpine: "alpine",
    suse: "suse",
    opensuse: "suse",
  };
  const id = ids.find((name) => Object.hasOwn(families, name));
  return id === undefined ? undefined : families[id];
}

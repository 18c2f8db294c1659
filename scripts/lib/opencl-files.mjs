// Imports of OpenCL C files: `import source from "./rows.cl"` gives the file's text as a string.
// A plugin, so that the package's bundle and the tests on the sources use the same texts.
import { readFileSync } from "node:fs";

export function openclFiles() {
  return {
    name: "opencl-files",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(".cl")) return null;
      // Compilers then report the file's name and its line, also after the text is joined with others.
      const name = id.replaceAll("\\", "/").split("/src/").pop();
      const text = `#line 1 "${name}"\n${readFileSync(id, "utf8")}`;
      return { code: `export default ${JSON.stringify(text)};\n`, moduleType: "js" };
    },
  };
}

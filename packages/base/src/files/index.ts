/**
 * The exports of `@cl/base/files`, a separate entry because it loads Node.js modules that most programs do not need.
 */
export {
  AtomicFile,
  type AtomicFileOptions,
  writeAtomically,
  writeTextAtomically,
  writeTextAtomicallySync,
} from "./atomic-file.js";

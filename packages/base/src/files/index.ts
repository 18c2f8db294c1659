/** `@cl/base/files`: apart from the rest, since it loads modules of Node.js that most programs do not need. */
export {
  AtomicFile,
  type AtomicFileOptions,
  writeAtomically,
  writeTextAtomically,
  writeTextAtomicallySync,
} from "./atomic-file.js";

import { type CommandEvent, CommandType } from "@cl/core";

import type { CommandKind } from "@cl/trace";

/** Returns the kind of a command. */
export function commandKindOf(event: CommandEvent): CommandKind {
  return kinds.get(event.commandType) ?? "other";
}

const kinds: ReadonlyMap<number, CommandKind> = new Map<number, CommandKind>([
  [CommandType.NDRANGE_KERNEL, "kernel"],
  [CommandType.TASK, "kernel"],
  [CommandType.NATIVE_KERNEL, "kernel"],
  [CommandType.READ_BUFFER, "read"],
  [CommandType.READ_BUFFER_RECT, "read"],
  [CommandType.READ_IMAGE, "read"],
  [CommandType.WRITE_BUFFER, "write"],
  [CommandType.WRITE_BUFFER_RECT, "write"],
  [CommandType.WRITE_IMAGE, "write"],
  [CommandType.COPY_BUFFER, "copy"],
  [CommandType.COPY_BUFFER_RECT, "copy"],
  [CommandType.COPY_IMAGE, "copy"],
  [CommandType.COPY_IMAGE_TO_BUFFER, "copy"],
  [CommandType.COPY_BUFFER_TO_IMAGE, "copy"],
  [CommandType.SVM_MEMCPY, "copy"],
  [CommandType.FILL_BUFFER, "fill"],
  [CommandType.FILL_IMAGE, "fill"],
  [CommandType.SVM_MEMFILL, "fill"],
  [CommandType.MAP_BUFFER, "map"],
  [CommandType.MAP_IMAGE, "map"],
  [CommandType.UNMAP_MEM_OBJECT, "map"],
  [CommandType.SVM_MAP, "map"],
  [CommandType.SVM_UNMAP, "map"],
  [CommandType.MIGRATE_MEM_OBJECTS, "migrate"],
  [CommandType.SVM_MIGRATE_MEM, "migrate"],
  [CommandType.MARKER, "barrier"],
  [CommandType.BARRIER, "barrier"],
]);

/** Public API of `@cl/mpi`. */
export type { Box } from "./boxes.js";
export { Mpi, type MpiOptions } from "./mpi.js";
export { CartesianCommunicator, type CartesianOptions, Communicator } from "./communicator.js";
export type { MessageOptions, ReceiveOptions } from "./messages.js";
export type { Received } from "./operations.js";
export { Field, type FieldArray, type FieldOptions, type FieldType } from "./field.js";
export { Grid, type GridOptions } from "./grid.js";
export { GridPart, type KernelBox } from "./grid-part.js";
export type { SplitExchange } from "./exchange.js";
export type { ExchangeOptions } from "./links.js";
export { gatherTrace } from "./gather-trace.js";
export { type RankRow, RankStatistics, rankStatistics } from "./rank-statistics.js";
export type { Reduction } from "./element-types.js";
export { type Library, NoMpiError } from "./library.js";
export { MpiError } from "./mpi-error.js";
export type { HostArray } from "./native.js";

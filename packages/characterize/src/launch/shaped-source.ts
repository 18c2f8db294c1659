/**
 * OpenCL C sources in the three loop forms of launch shapes, for the three kinds of kernel: element-wise (addition of
 * two arrays), reduction (sum) and scan (prefix sum). Use them as templates and to measure launch shapes.
 */
import { checkInteger, checkOptions, checkString, rangeError } from "@cl/base";

/** Options of {@link shapedSource}. */
export interface ShapedSourceOptions {
  /** OpenCL C name of the items' scalar type. @defaultValue `"float"` */
  readonly type?: string;
  /**
   * Number of consecutive items per vector load in `_chunk` and `_stride` kernels: 1, 2, 4, 8 or 16.
   * @defaultValue 1
   */
  readonly vectorWidth?: number;
}

/** Vector widths of OpenCL C; 1 stands for scalars. */
const widths: readonly number[] = [1, 2, 4, 8, 16];

/** Returns a vector width. Throws for other values. */
export function checkVectorWidth(value: unknown, name: string): number {
  const width = checkInteger(value, name);
  if (!widths.includes(width)) throw rangeError(name, "1, 2, 4, 8 or 16", value);
  return width;
}

/**
 * Returns the source of the kernels `add_single`, `add_chunk`, `add_stride`, `sum_…`, `totals_stride` and `scan_…`. A
 * work-item processes, in `_single`, the item at its global id; in `_chunk`, `items` contiguous items; in `_stride`,
 * vectors starting at its global id with a stride of the global size.
 *
 * Items are loaded as vectors, so memory must be aligned to the vector size. Buffers are, sub-buffers may not be.
 *
 * @example
 * ```ts
 * const device = context.devices[0]!;
 * const program = await new Program(context, shapedSource({ type: "float", vectorWidth: 4 })).build();
 * const shape = launchShape(device, 64, { kind: "elementwise", vectorWidth: 4, forms: ["chunk"] });
 * program.kernel("add_chunk").launch(queue, shape, 64n, BigInt(shape.itemsPerWorkItem), x, y, y);
 * ```
 */
export function shapedSource(options?: ShapedSourceOptions): string {
  const { type = "float", vectorWidth = 1 } = checkOptions(options, ["type", "vectorWidth"]);
  const isTypeName = /^[a-z]\w*$/.test(checkString(type, "options.type"));
  if (!isTypeName) throw rangeError("options.type", "the name of a scalar type", type);
  const width = checkVectorWidth(vectorWidth, "options.vectorWidth");
  return `
typedef ${type} item_t;
typedef ${type}${width === 1 ? "" : width} items_t;

#define WIDTH ${width}
#define AT(pointer, i) ((pointer) + (i) / WIDTH)
${source}`;
}

const source = `
__kernel void add_single(ulong n, __global const item_t *a, __global const item_t *b, __global item_t *to)
{
  const size_t i = get_global_id(0);
  if (i < n) to[i] = a[i] + b[i];
}

__kernel void add_chunk(ulong n, ulong items, __global const item_t *a, __global const item_t *b, __global item_t *to)
{
  const __global items_t *many_a = (const __global items_t *)a;
  const __global items_t *many_b = (const __global items_t *)b;
  __global items_t *many_to = (__global items_t *)to;
  size_t i = get_global_id(0) * items;
  const size_t end = min(i + items, n);
  for (; i + WIDTH <= end; i += WIDTH) *AT(many_to, i) = *AT(many_a, i) + *AT(many_b, i);
  for (; i < end; i++) to[i] = a[i] + b[i];
}

__kernel void add_stride(ulong n, __global const item_t *a, __global const item_t *b, __global item_t *to)
{
  const __global items_t *many_a = (const __global items_t *)a;
  const __global items_t *many_b = (const __global items_t *)b;
  __global items_t *many_to = (__global items_t *)to;
  const size_t whole = n / WIDTH;
  for (size_t i = get_global_id(0); i < whole; i += get_global_size(0)) many_to[i] = many_a[i] + many_b[i];
  for (size_t i = whole * WIDTH + get_global_id(0); i < n; i += get_global_size(0)) to[i] = a[i] + b[i];
}

/* Returns the sum of a vector's items. */
item_t across(items_t many)
{
  union {
    items_t many;
    item_t each[WIDTH];
  } lanes;
  lanes.many = many;
  item_t sum = lanes.each[0];
  for (int k = 1; k < WIDTH; k++) sum += lanes.each[k];
  return sum;
}

/* Returns the sum of the work-group's values in its first work-item. The group size must be a power of two. */
item_t group_sum(item_t value, __local item_t *scratch)
{
  const size_t me = get_local_id(0);
  scratch[me] = value;
  for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < half_size) scratch[me] += scratch[me + half_size];
  }
  return me == 0 ? scratch[0] : 0;
}

/* Returns the sum of a chunk, with four independent sums to hide the latency of additions. */
item_t chunk_sum(__global const item_t *from, size_t i, size_t end)
{
  const __global items_t *many = (const __global items_t *)from;
  items_t sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  for (; i + 4 * WIDTH <= end; i += 4 * WIDTH) {
    sum0 += AT(many, i)[0];
    sum1 += AT(many, i)[1];
    sum2 += AT(many, i)[2];
    sum3 += AT(many, i)[3];
  }
  for (; i + WIDTH <= end; i += WIDTH) sum0 += *AT(many, i);
  item_t total = across((sum0 + sum1) + (sum2 + sum3));
  for (; i < end; i++) total += from[i];
  return total;
}

/* Writes one sum per work-group. */
__kernel void sum_single(ulong n, __global const item_t *from, __global item_t *sums, __local item_t *scratch)
{
  const size_t i = get_global_id(0);
  const item_t sum = group_sum(i < n ? from[i] : 0, scratch);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}

__kernel void sum_chunk(ulong n, ulong items, __global const item_t *from, __global item_t *sums,
                        __local item_t *scratch)
{
  const size_t first = get_global_id(0) * items;
  const item_t sum = group_sum(chunk_sum(from, first, min(first + items, n)), scratch);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}

__kernel void sum_stride(ulong n, __global const item_t *from, __global item_t *sums, __local item_t *scratch)
{
  const __global items_t *many = (const __global items_t *)from;
  const size_t whole = n / WIDTH;
  items_t total = 0;
  for (size_t i = get_global_id(0); i < whole; i += get_global_size(0)) total += many[i];
  item_t rest = 0;
  for (size_t i = whole * WIDTH + get_global_id(0); i < n; i += get_global_size(0)) rest += from[i];
  const item_t sum = group_sum(across(total) + rest, scratch);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}

/* Returns the exclusive prefix sum: the sum of the values of all earlier work-items of the group. */
item_t group_before(item_t value, __local item_t *scratch)
{
  const size_t me = get_local_id(0);
  scratch[me] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t step = 1; step < get_local_size(0); step *= 2) {
    const item_t left = me < step ? 0 : scratch[me - step];
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[me] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return me == 0 ? 0 : scratch[me - 1];
}

/*
 * Inclusive prefix sums. The sums of the tiles are computed first, by sum_single and sum_chunk, whose groups are the
 * tiles, or by totals_stride. The argument "tiles" has the prefix sums of those.
 */
__kernel void scan_single(ulong n, __global const item_t *from, __global const item_t *tiles, __global item_t *to,
                          __local item_t *scratch)
{
  const size_t i = get_global_id(0);
  const size_t group = get_group_id(0);
  const item_t value = i < n ? from[i] : 0;
  const item_t before = group_before(value, scratch) + (group == 0 ? 0 : tiles[group - 1]);
  if (i < n) to[i] = before + value;
}

__kernel void scan_chunk(ulong n, ulong items, __global const item_t *from, __global const item_t *tiles,
                         __global item_t *to, __local item_t *scratch)
{
  const __global items_t *many_from = (const __global items_t *)from;
  __global items_t *many_to = (__global items_t *)to;
  const size_t group = get_group_id(0);
  size_t i = get_global_id(0) * items;
  const size_t end = min(i + items, n);
  item_t sum = group == 0 ? 0 : tiles[group - 1];
  /* A group of one work-item has no earlier work-items and does not need the chunk's sum. */
  if (get_local_size(0) > 1) sum += group_before(chunk_sum(from, i, end), scratch);
  for (; i + WIDTH <= end; i += WIDTH) {
    union {
      items_t many;
      item_t each[WIDTH];
    } lanes;
    lanes.many = *AT(many_from, i);
    for (int k = 0; k < WIDTH; k++) lanes.each[k] = sum += lanes.each[k];
    *AT(many_to, i) = lanes.many;
  }
  for (; i < end; i++) to[i] = sum += from[i];
}

/* In the stride form, a tile has one item per work-item of a group, and all work-items of a group iterate equally often. */
__kernel void totals_stride(ulong n, __global const item_t *from, __global item_t *totals, __local item_t *scratch)
{
  const size_t size = get_local_size(0);
  for (size_t tile = get_group_id(0); tile * size < n; tile += get_num_groups(0)) {
    const size_t i = tile * size + get_local_id(0);
    const item_t sum = group_sum(i < n ? from[i] : 0, scratch);
    if (get_local_id(0) == 0) totals[tile] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

__kernel void scan_stride(ulong n, __global const item_t *from, __global const item_t *tiles, __global item_t *to,
                          __local item_t *scratch)
{
  const size_t size = get_local_size(0);
  for (size_t tile = get_group_id(0); tile * size < n; tile += get_num_groups(0)) {
    const size_t i = tile * size + get_local_id(0);
    const item_t value = i < n ? from[i] : 0;
    const item_t before = group_before(value, scratch) + (tile == 0 ? 0 : tiles[tile - 1]);
    if (i < n) to[i] = before + value;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
`;

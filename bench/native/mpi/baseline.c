/* What a C program with MPI and OpenCL reaches, for the comparison with @cl/mpi (src/mpi.mjs): baseline JOB [+ JOB]…
 * Rank 0 prints microseconds, a line for each job:
 *   heat-list|heat-overlap|heat-exchange SIZE STEPS
 *     for a step of SIZE x SIZE cells on each rank, or for its exchange alone
 *   lattice-list|lattice-overlap|lattice-exchange SIZE STEPS FILE
 *     the same for SIZE³ cells of a flow; FILE is examples/lattice-boltzmann/lattice.cl
 *   ping-pong BYTES ROUNDS           for one way
 *   allreduce ROUNDS                 for one double
 *   allreduce-device ROUNDS          for one double, from and to the device
 *   alltoall SIZE ROUNDS             for SIZE³ complex numbers of 8 bytes, all of which are passed to MPI
 *   alltoall-device SIZE ROUNDS      for those that change ranks, from and to the device; the others are copied there
 * Or, for a check:
 *   lattice-sum SIZE STEPS FILE      a checksum of the flow after STEPS steps of SIZE³ cells on all ranks together */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                     \
  do {                                                  \
    const cl_int check_status = (call);                 \
    if (check_status != CL_SUCCESS) {                   \
      fprintf(stderr, "%s: %d\n", #call, check_status); \
      MPI_Abort(MPI_COMM_WORLD, 1);                     \
    }                                                   \
  } while (0)

static int ranks, rank;
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static void fail(const char* reason) {
  fprintf(stderr, "%s\n", reason);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

static void* allocate(size_t bytes) {
  void* memory = calloc(bytes > 0 ? bytes : 1, 1);
  if (memory == NULL) fail("out of memory");
  return memory;
}

/* The GPUs of the first platform that has some, or else the devices of the first platform. The ranks of a node take
 * them in turn. */
static void open_device(void) {
  cl_platform_id platforms[16];
  cl_uint platform_count = 0, device_count = 0;
  cl_device_id devices[64];
  CHECK(clGetPlatformIDs(16, platforms, &platform_count));
  if (platform_count > 16) platform_count = 16;
  for (cl_uint i = 0; i < platform_count && device_count == 0; i++) {
    clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 64, devices, &device_count);
  }
  if (device_count == 0) CHECK(clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 64, devices, &device_count));
  if (device_count > 64) device_count = 64;
  MPI_Comm node;
  int local_rank = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &local_rank);
  device = devices[local_rank % device_count];
  cl_int status = CL_SUCCESS;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  CHECK(status);
  queue = clCreateCommandQueue(context, device, 0, &status);
  CHECK(status);
}

static cl_program build(const char* source, const char* options) {
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  CHECK(status);
  CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL));
  return program;
}

static cl_kernel kernel_of(cl_program program, const char* name) {
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  CHECK(status);
  return kernel;
}

/* Memory of the device, filled with `content`, or with zeros. */
static cl_mem memory_of(size_t bytes, const void* content) {
  cl_int status = CL_SUCCESS;
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  CHECK(status);
  const cl_uchar zero = 0;
  if (content == NULL) CHECK(clEnqueueFillBuffer(queue, memory, &zero, 1, 0, bytes, 0, NULL, NULL));
  if (content != NULL) CHECK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, bytes, content, 0, NULL, NULL));
  CHECK(clFinish(queue));
  return memory;
}

/* Page-locked memory of the host, with which drivers copy without an intermediate copy. */
static char* pinned(size_t bytes) {
  cl_int status = CL_SUCCESS;
  if (bytes == 0) return NULL;
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &status);
  CHECK(status);
  char* mapped =
      clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &status);
  CHECK(status);
  return mapped;
}

/* A rectangle of cells that a neighbor needs, and that of the cells that it sends. Places are bytes within a row, and
 * rows. */
typedef struct {
  int peer, send_tag, receive_tag;
  size_t sent[3], received[3], region[3];
  size_t offset, bytes;
} side;

/* Sides are in pairs: what a side of one rank sends is for the other side of the pair of the neighbor. */
typedef struct {
  cl_mem memory;
  size_t row_bytes;
  int side_count, request_count, last_read;
  side sides[4];
  MPI_Request requests[8];
  char* staging;
  size_t half;
} exchange;

/* The peer of a side whose neighbor is this rank itself. */
#define NONE (-1)
static const size_t origin[3] = {0, 0, 0};

static void prepare_exchange(exchange* x, MPI_Comm communicator) {
  int own = 0;
  MPI_Comm_rank(communicator, &own);
  for (int i = 0; i < x->side_count; i++) {
    side* s = &x->sides[i];
    s->offset = x->half;
    s->bytes = s->region[0] * s->region[1];
    if (s->bytes > INT_MAX) fail("a message has more bytes than MPI can count");
    if (s->peer == own) s->peer = NONE;
    if (s->peer == NONE) continue;
    x->half += (s->bytes + 63) / 64 * 64;
    x->last_read = i;
  }
  x->staging = pinned(2 * x->half);
  for (int i = 0; i < x->side_count; i++) {
    const side* s = &x->sides[i];
    if (s->peer == NONE) continue;
    MPI_Recv_init(x->staging + x->half + s->offset, (int)s->bytes, MPI_BYTE, s->peer, s->receive_tag, communicator,
                  &x->requests[x->request_count++]);
    MPI_Send_init(x->staging + s->offset, (int)s->bytes, MPI_BYTE, s->peer, s->send_tag, communicator,
                  &x->requests[x->request_count++]);
  }
}

/* Enqueues the reads of all sides. Returns the event of the last, or NULL if this rank has no other neighbors than
 * itself: what it would send to itself is copied on the device. */
static cl_event begin(const exchange* x) {
  cl_event last = NULL;
  for (int i = 0; i < x->side_count; i++) {
    const side* s = &x->sides[i];
    if (s->peer == NONE) {
      CHECK(clEnqueueCopyBufferRect(queue, x->memory, x->memory, x->sides[i ^ 1].sent, s->received, s->region,
                                    x->row_bytes, 0, x->row_bytes, 0, 0, NULL, NULL));
    } else {
      CHECK(clEnqueueReadBufferRect(queue, x->memory, CL_FALSE, s->sent, origin, s->region, x->row_bytes, 0,
                                    s->region[0], 0, x->staging + s->offset, 0, NULL,
                                    i == x->last_read ? &last : NULL));
    }
  }
  CHECK(clFlush(queue));
  return last;
}

/* Sends and receives, and enqueues the writes of what has arrived. */
static void end(exchange* x, cl_event read) {
  if (read == NULL) return;
  CHECK(clFlush(queue));
  CHECK(clWaitForEvents(1, &read));
  CHECK(clReleaseEvent(read));
  MPI_Status statuses[8];
  MPI_Startall(x->request_count, x->requests);
  MPI_Waitall(x->request_count, x->requests, statuses);
  for (int i = 0; i < x->side_count; i++) {
    const side* s = &x->sides[i];
    if (s->peer == NONE) continue;
    CHECK(clEnqueueWriteBufferRect(queue, x->memory, CL_FALSE, s->received, origin, s->region, x->row_bytes, 0,
                                   s->region[0], 0, x->staging + x->half + s->offset, 0, NULL, NULL));
  }
}

/* Starts a measurement on all ranks. */
static double start_clock(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

/* Returns the microseconds of the slowest rank. */
static double stop_clock(double start, int count) {
  double seconds = 0, slowest = 0;
  if (queue != NULL) CHECK(clFinish(queue));
  seconds = MPI_Wtime() - start;
  MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest / count * 1e6;
}

/* What a job does between its exchanges. */
typedef enum { list, overlap, exchange_only } variant;

static variant variant_of(const char* job) {
  if (strstr(job, "-overlap") != NULL) return overlap;
  return strstr(job, "-exchange") != NULL ? exchange_only : list;
}

/* The heat equation: 0.1 is its only constant. */
static const char* const heat_source =
    "__kernel void diffuse(__global const float *u, __global float *v, const int pitch) {"
    "  const int i = get_global_id(1) * pitch + get_global_id(0);"
    "  v[i] = u[i] + 0.1f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - 4 * u[i]);"
    "}";

static MPI_Comm grid;
static cl_kernel diffuse[2];
static exchange edges[2];

static int rank_at(const int place[2], int dy, int dx) {
  const int neighbor[2] = {place[0] + dy, place[1] + dx};
  int at = 0;
  MPI_Cart_rank(grid, neighbor, &at);
  return at;
}

static void prepare_heat(int size) {
  int own = 0, division[2] = {0, 0}, periodic[2] = {1, 1}, place[2];
  MPI_Dims_create(ranks, 2, division);
  MPI_Cart_create(MPI_COMM_WORLD, 2, division, periodic, 0, &grid);
  MPI_Comm_rank(grid, &own);
  MPI_Cart_coords(grid, own, 2, place);

  const int pitch = size + 2;
  cl_program program = build(heat_source, "");
  cl_mem fields[2];
  for (int i = 0; i < 2; i++) fields[i] = memory_of((size_t)pitch * pitch * sizeof(float), NULL);
  const size_t f = sizeof(float), n = (size_t)size;
  for (int i = 0; i < 2; i++) {
    diffuse[i] = kernel_of(program, "diffuse");
    CHECK(clSetKernelArg(diffuse[i], 0, sizeof(cl_mem), &fields[i]));
    CHECK(clSetKernelArg(diffuse[i], 1, sizeof(cl_mem), &fields[1 - i]));
    CHECK(clSetKernelArg(diffuse[i], 2, sizeof pitch, &pitch));
    edges[i] = (exchange){.memory = fields[i],
                          .row_bytes = pitch * f,
                          .side_count = 4,
                          .sides = {{rank_at(place, -1, 0), 0, 1, {f, 1, 0}, {f, 0, 0}, {n * f, 1, 1}, 0, 0},
                                    {rank_at(place, 1, 0), 1, 0, {f, n, 0}, {f, n + 1, 0}, {n * f, 1, 1}, 0, 0},
                                    {rank_at(place, 0, -1), 2, 3, {f, 1, 0}, {0, 1, 0}, {f, n, 1}, 0, 0},
                                    {rank_at(place, 0, 1), 3, 2, {n * f, 1, 0}, {(n + 1) * f, 1, 0}, {f, n, 1}, 0, 0}}};
    prepare_exchange(&edges[i], grid);
  }
}

static void launch_diffuse(int i, size_t x, size_t y, size_t width, size_t height) {
  const size_t offset[2] = {x, y}, global[2] = {width, height};
  CHECK(clEnqueueNDRangeKernel(queue, diffuse[i], 2, offset, global, NULL, 0, NULL, NULL));
}

static double heat(int size, int steps, variant how) {
  const size_t n = (size_t)size;
  const double start = start_clock();
  for (int step = 0; step < steps; step++) {
    const int i = step % 2;
    const cl_event read = begin(&edges[i]);
    if (how == overlap) launch_diffuse(i, 2, 2, n - 2, n - 2);
    end(&edges[i], read);
    if (how == list) launch_diffuse(i, 1, 1, n, n);
    if (how == overlap) {
      launch_diffuse(i, 1, 1, n, 1);
      launch_diffuse(i, 1, n, n, 1);
      launch_diffuse(i, 1, 2, 1, n - 2);
      launch_diffuse(i, n, 2, 1, n - 2);
    }
  }
  return stop_clock(start, steps);
}

/* The flow of examples/lattice-boltzmann: all cells are fluid, and opposite faces are neighbors. Ranks divide the z
 * axis. Memory has a slice of the neighbor on each side, of which only the populations that cross the border are used.
 * After `even`, `odd` of the neighbor needs these of the slice at the edge; it writes them to its copy of the slice,
 * from which they are sent back. */
typedef struct {
  size_t width, slices, slice_cells, cells;
  cl_kernel even, odd, moments;
  cl_mem flow;
  exchange forth, back;
} lattice;

/* The first of the five populations that move upwards along z, and of those that move downwards, as in lattice.cl. */
enum { upwards = 9, downwards = 14, crossing = 5 };

static char* text_of(const char* path) {
  FILE* file = path == NULL ? NULL : fopen(path, "rb");
  if (file == NULL) fail("the last argument must be the path of lattice.cl");
  fseek(file, 0, SEEK_END);
  const long length = ftell(file);
  rewind(file);
  char* text = allocate((size_t)length + 1);
  if (fread(text, 1, (size_t)length, file) != (size_t)length) fail("lattice.cl cannot be read");
  fclose(file);
  return text;
}

/* The velocity at the start along an axis, as in program.mjs: something else in each cell that is exact in float64. */
static float velocity_at(size_t x, size_t y, size_t z, size_t axis) {
  return (float)((double)((3 * x + 5 * y + 7 * z + axis) % 17) / 1000);
}

/* Each population is a row, of which a slice is sent, and another received. */
static side lattice_side(const lattice* l, int peer, int tag, size_t sent, size_t from, size_t received, size_t to) {
  const size_t bytes = l->slice_cells * sizeof(float);
  return (side){peer, tag, tag ^ 1, {from * bytes, sent, 0}, {to * bytes, received, 0}, {bytes, crossing, 1}, 0, 0};
}

static lattice make_lattice(size_t width, size_t slices, const char* path) {
  if (slices < 2) fail("each rank must have two slices at least");
  lattice l = {.width = width, .slices = slices, .slice_cells = width * width, .cells = width * width * (slices + 2)};
  char options[100];
  snprintf(options, sizeof options, "-D NX=%zu -D NY=%zu -D NZ=%zu", width, width, slices + 2);
  cl_program program = build(text_of(path), options);
  l.flow = memory_of(19 * l.cells * sizeof(float), NULL);
  cl_mem flags = memory_of(l.cells, NULL);

  float* velocities = allocate(3 * l.cells * sizeof(float));
  const size_t whole = slices * (size_t)ranks;
  for (size_t cell = 0; cell < l.cells; cell++) {
    const size_t z = (cell / l.slice_cells + slices * (size_t)rank + whole - 1) % whole;
    for (size_t axis = 0; axis < 3; axis++) {
      velocities[3 * cell + axis] = velocity_at(cell % width, cell / width % width, z, axis);
    }
  }
  cl_mem velocity = memory_of(3 * l.cells * sizeof(float), velocities);
  free(velocities);
  cl_kernel start = kernel_of(program, "start");
  CHECK(clSetKernelArg(start, 0, sizeof(cl_mem), &l.flow));
  CHECK(clSetKernelArg(start, 1, sizeof(cl_mem), &velocity));
  CHECK(clEnqueueNDRangeKernel(queue, start, 1, NULL, &l.cells, NULL, 0, NULL, NULL));
  CHECK(clFinish(queue));
  CHECK(clReleaseMemObject(velocity));

  const float omega = 1, inflow = 0;
  l.even = kernel_of(program, "even");
  l.odd = kernel_of(program, "odd");
  l.moments = kernel_of(program, "moments");
  cl_kernel kernels[3] = {l.even, l.odd, l.moments};
  for (int i = 0; i < 3; i++) {
    CHECK(clSetKernelArg(kernels[i], 0, sizeof(cl_mem), &l.flow));
    CHECK(clSetKernelArg(kernels[i], 1, sizeof(cl_mem), &flags));
    if (i == 2) continue;
    CHECK(clSetKernelArg(kernels[i], 2, sizeof omega, &omega));
    CHECK(clSetKernelArg(kernels[i], 3, sizeof inflow, &inflow));
  }

  const int below = (rank + ranks - 1) % ranks, above = (rank + 1) % ranks;
  const size_t row_bytes = l.cells * sizeof(float);
  l.forth = (exchange){.memory = l.flow,
                       .row_bytes = row_bytes,
                       .side_count = 2,
                       .sides = {lattice_side(&l, below, 0, upwards, 1, downwards, 0),
                                 lattice_side(&l, above, 1, downwards, slices, upwards, slices + 1)}};
  l.back = (exchange){.memory = l.flow,
                      .row_bytes = row_bytes,
                      .side_count = 2,
                      .sides = {lattice_side(&l, below, 2, downwards, 0, upwards, 1),
                                lattice_side(&l, above, 3, upwards, slices + 1, downwards, slices)}};
  prepare_exchange(&l.forth, MPI_COMM_WORLD);
  prepare_exchange(&l.back, MPI_COMM_WORLD);
  return l;
}

static void launch_even(const lattice* l, size_t slice, size_t count) {
  const size_t offset = slice * l->slice_cells, global = count * l->slice_cells;
  CHECK(clEnqueueNDRangeKernel(queue, l->even, 1, &offset, &global, NULL, 0, NULL, NULL));
}

static void launch_odd(const lattice* l, size_t slice, size_t count) {
  const size_t offset[3] = {0, 0, slice}, global[3] = {l->width, l->width, count};
  CHECK(clEnqueueNDRangeKernel(queue, l->odd, 3, offset, global, NULL, 0, NULL, NULL));
}

static void launch(void (*kernel)(const lattice*, size_t, size_t), lattice* l, exchange* x, variant how) {
  if (how == list) kernel(l, 1, l->slices);
  if (how == overlap) {
    kernel(l, 1, 1);
    kernel(l, l->slices, 1);
  }
  const cl_event read = begin(x);
  if (how == overlap && l->slices > 2) kernel(l, 2, l->slices - 2);
  end(x, read);
}

static double flow(lattice* l, int steps, variant how) {
  const double start = start_clock();
  for (int step = 0; step < steps; step += 2) {
    launch(launch_even, l, &l->forth, how);
    launch(launch_odd, l, &l->back, how);
  }
  return stop_clock(start, steps);
}

/* Returns a sum of the bits of all moments, each times an odd number of its place. */
static uint32_t checksum(const lattice* l) {
  const size_t bytes = l->cells * 4 * sizeof(float), values = l->slices * l->slice_cells * 4;
  cl_mem moments = memory_of(bytes, NULL);
  uint32_t* bits = allocate(bytes);
  CHECK(clSetKernelArg(l->moments, 2, sizeof(cl_mem), &moments));
  CHECK(clEnqueueNDRangeKernel(queue, l->moments, 1, NULL, &l->cells, NULL, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, moments, CL_TRUE, 0, bytes, bits, 0, NULL, NULL));
  uint32_t sum = 0, all = 0;
  for (size_t i = 0; i < values; i++) {
    sum += bits[4 * l->slice_cells + i] * (uint32_t)(2 * (values * (size_t)rank + i) + 1);
  }
  MPI_Allreduce(&sum, &all, 1, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static double ping_pong(int bytes, int rounds) {
  char* data = allocate((size_t)bytes);
  const double start = start_clock();
  for (int i = 0; i < rounds; i++) {
    if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (rank < 2) MPI_Recv(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  return stop_clock(start, rounds) / 2;
}

static double allreduce(int rounds) {
  double value = 1, largest = 0;
  const double start = start_clock();
  for (int i = 0; i < rounds; i++) MPI_Allreduce(&value, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return stop_clock(start, rounds);
}

static double allreduce_device(int rounds) {
  const double one = 1;
  const cl_mem memory = memory_of(sizeof one, &one);
  double* values = (double*)pinned(2 * sizeof one);
  const double start = start_clock();
  for (int i = 0; i < rounds; i++) {
    cl_event read;
    CHECK(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, sizeof one, &values[0], 0, NULL, &read));
    CHECK(clFlush(queue));
    CHECK(clWaitForEvents(1, &read));
    CHECK(clReleaseEvent(read));
    MPI_Allreduce(&values[0], &values[1], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    CHECK(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, sizeof one, &values[1], 0, NULL, NULL));
  }
  return stop_clock(start, rounds);
}

/* Bytes that each rank has for each other one, and where they start. MPI counts them in 32 bits. */
typedef struct {
  size_t part, total;
  int *counts, *starts;
} parts;

static parts divide(int size) {
  parts p = {.total = (size_t)size * size * size * 8 / ranks};
  if (p.total > INT_MAX) fail("a rank has more bytes than MPI can count");
  p.part = p.total / ranks;
  p.counts = allocate(ranks * sizeof(int));
  p.starts = allocate(ranks * sizeof(int));
  for (int i = 0; i < ranks; i++) {
    p.counts[i] = (int)p.part;
    p.starts[i] = (int)(i * p.part);
  }
  return p;
}

static double alltoall(int size, int rounds) {
  const parts p = divide(size);
  char* sent = allocate(p.total);
  char* received = allocate(p.total);
  const double start = start_clock();
  for (int i = 0; i < rounds; i++) {
    MPI_Alltoallv(sent, p.counts, p.starts, MPI_BYTE, received, p.counts, p.starts, MPI_BYTE, MPI_COMM_WORLD);
  }
  const double microseconds = stop_clock(start, rounds);
  free(sent);
  free(received);
  return microseconds;
}

static double alltoall_device(int size, int rounds) {
  parts p = divide(size);
  // The parts before and after that of this rank.
  const size_t own = p.part * rank, before = own, after = p.total - own - p.part, next = own + p.part;
  p.counts[rank] = 0;
  const cl_mem from = memory_of(p.total, NULL), to = memory_of(p.total, NULL);
  char* sent = pinned(ranks > 1 ? p.total : 0);
  char* received = pinned(ranks > 1 ? p.total : 0);
  const double start = start_clock();
  for (int i = 0; i < rounds; i++) {
    cl_event read = NULL;
    if (before > 0) {
      CHECK(clEnqueueReadBuffer(queue, from, CL_FALSE, 0, before, sent, 0, NULL, after > 0 ? NULL : &read));
    }
    if (after > 0) CHECK(clEnqueueReadBuffer(queue, from, CL_FALSE, next, after, sent + next, 0, NULL, &read));
    CHECK(clEnqueueCopyBuffer(queue, from, to, own, own, p.part, 0, NULL, NULL));
    CHECK(clFlush(queue));
    if (read == NULL) continue;
    CHECK(clWaitForEvents(1, &read));
    CHECK(clReleaseEvent(read));
    MPI_Alltoallv(sent, p.counts, p.starts, MPI_BYTE, received, p.counts, p.starts, MPI_BYTE, MPI_COMM_WORLD);
    if (before > 0) CHECK(clEnqueueWriteBuffer(queue, to, CL_FALSE, 0, before, received, 0, NULL, NULL));
    if (after > 0) CHECK(clEnqueueWriteBuffer(queue, to, CL_FALSE, next, after, received + next, 0, NULL, NULL));
  }
  const double microseconds = stop_clock(start, rounds);
  CHECK(clReleaseMemObject(from));
  CHECK(clReleaseMemObject(to));
  return microseconds;
}

static double run(const char* job, int first, int second, const char* path) {
  if (strcmp(job, "ping-pong") == 0) {
    ping_pong(first, 100);
    return ping_pong(first, second);
  }
  if (strcmp(job, "allreduce") == 0) {
    allreduce(100);
    return allreduce(first);
  }
  if (strcmp(job, "alltoall") == 0) {
    alltoall(first, 2);
    return alltoall(first, second);
  }
  if (queue == NULL) open_device();
  const variant how = variant_of(job);
  if (strncmp(job, "heat-", 5) == 0) {
    static int prepared = 0;
    if (prepared != first) prepare_heat(first);
    prepared = first;
    heat(first, 50, how);
    return heat(first, second, how);
  }
  if (strcmp(job, "lattice-sum") == 0) {
    if (first % ranks != 0) fail("SIZE must be a multiple of the number of ranks");
    lattice l = make_lattice((size_t)first, (size_t)(first / ranks), path);
    for (int step = 0; step < second; step += 2) flow(&l, 2, step % 4 == 0 ? list : overlap);
    return checksum(&l);
  }
  if (strncmp(job, "lattice-", 8) == 0) {
    static lattice l;
    if (l.width != (size_t)first) l = make_lattice((size_t)first, (size_t)first, path);
    flow(&l, 20, how);
    return flow(&l, second, how);
  }
  if (strcmp(job, "allreduce-device") == 0) {
    allreduce_device(100);
    return allreduce_device(first);
  }
  if (strcmp(job, "alltoall-device") != 0) fail("unknown job");
  alltoall_device(first, 2);
  return alltoall_device(first, second);
}

/* Runs a job, given by its name and its arguments. */
static void run_job(char** arguments, int count) {
  const int first = count > 1 ? atoi(arguments[1]) : 0;
  const int second = count > 2 ? atoi(arguments[2]) : 0;
  const double result = run(count > 0 ? arguments[0] : "", first, second, count > 3 ? arguments[3] : NULL);
  if (rank != 0) return;
  printf("%.3f\n", result);
  fflush(stdout);
}

int main(int count, char** arguments) {
  int provided = 0;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int start = 1;
  for (int i = 1; i <= count; i++) {
    if (i < count && strcmp(arguments[i], "+") != 0) continue;
    run_job(arguments + start, i - start);
    start = i + 1;
  }
  MPI_Finalize();
  return 0;
}

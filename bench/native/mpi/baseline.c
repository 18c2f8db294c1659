/* What a C program with MPI and OpenCL reaches, for the comparison with @cl/mpi (src/mpi.mjs).
 *   baseline heat-list|heat-overlap SIZE STEPS     microseconds per step of SIZE x SIZE cells on each rank
 *   baseline ping-pong BYTES ROUNDS                microseconds for one way
 *   baseline allreduce ROUNDS                      microseconds for one double
 *   baseline alltoall SIZE ROUNDS                  microseconds for SIZE³ complex numbers of 8 bytes, all of which move
 * Rank 0 prints the number. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <mpi.h>
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

static const char* const source =
    "__kernel void diffuse(__global const float *u, __global float *v, const int pitch) {"
    "  const int i = get_global_id(1) * pitch + get_global_id(0);"
    "  v[i] = u[i] + 0.1f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - 4 * u[i]);"
    "}";

typedef struct {
  int peer, send_tag, receive_tag;
  size_t sent[3], received[3], region[3];
  size_t offset, bytes;
} side;

static MPI_Comm grid;
static cl_command_queue queue;
static cl_kernel kernels[2];
static cl_mem fields[2];
static side sides[4];
static MPI_Request requests[8];
static char* staging;
static size_t half;
static size_t row_bytes;

static int rank_at(const int place[2], int dy, int dx) {
  const int neighbor[2] = {place[0] + dy, place[1] + dx};
  int rank = 0;
  MPI_Cart_rank(grid, neighbor, &rank);
  return rank;
}

static void prepare(int size) {
  int ranks = 0, rank = 0, division[2] = {0, 0}, periodic[2] = {1, 1}, place[2];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, division);
  MPI_Cart_create(MPI_COMM_WORLD, 2, division, periodic, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, place);

  cl_platform_id platform;
  cl_device_id device;
  cl_int status = CL_SUCCESS;
  CHECK(clGetPlatformIDs(1, &platform, NULL));
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  CHECK(status);
  queue = clCreateCommandQueue(context, device, 0, &status);
  CHECK(status);
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  const int pitch = size + 2;
  const size_t bytes = (size_t)pitch * pitch * sizeof(float);
  float* zeros = calloc(1, bytes);
  for (int i = 0; i < 2; i++) {
    fields[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, &status);
    CHECK(status);
  }
  for (int i = 0; i < 2; i++) {
    kernels[i] = clCreateKernel(program, "diffuse", &status);
    CHECK(status);
    CHECK(clSetKernelArg(kernels[i], 0, sizeof(cl_mem), &fields[i]));
    CHECK(clSetKernelArg(kernels[i], 1, sizeof(cl_mem), &fields[1 - i]));
    CHECK(clSetKernelArg(kernels[i], 2, sizeof pitch, &pitch));
  }
  row_bytes = pitch * sizeof(float);
  const size_t f = sizeof(float), n = (size_t)size;
  const side made[4] = {
      {rank_at(place, -1, 0), 0, 1, {f, 1, 0}, {f, 0, 0}, {n * f, 1, 1}, 0, 0},
      {rank_at(place, 1, 0), 1, 0, {f, n, 0}, {f, n + 1, 0}, {n * f, 1, 1}, 0, 0},
      {rank_at(place, 0, -1), 2, 3, {f, 1, 0}, {0, 1, 0}, {f, n, 1}, 0, 0},
      {rank_at(place, 0, 1), 3, 2, {n * f, 1, 0}, {(n + 1) * f, 1, 0}, {f, n, 1}, 0, 0},
  };
  for (int i = 0; i < 4; i++) {
    sides[i] = made[i];
    sides[i].offset = half;
    sides[i].bytes = n * f;
    half += (sides[i].bytes + 63) / 64 * 64;
  }
  staging = malloc(2 * half);
  for (int i = 0; i < 4; i++) {
    const side* s = &sides[i];
    MPI_Recv_init(staging + half + s->offset, (int)s->bytes, MPI_BYTE, s->peer, s->receive_tag, grid, &requests[i]);
    MPI_Send_init(staging + s->offset, (int)s->bytes, MPI_BYTE, s->peer, s->send_tag, grid, &requests[4 + i]);
  }
}

/* Enqueues the reads of all sides. Returns the event of the last. */
static cl_event read_sides(cl_mem field) {
  const size_t zero[3] = {0, 0, 0};
  cl_event last = NULL;
  for (int i = 0; i < 4; i++) {
    const side* s = &sides[i];
    CHECK(clEnqueueReadBufferRect(queue, field, CL_FALSE, s->sent, zero, s->region, row_bytes, 0, s->region[0], 0,
                                  staging + s->offset, 0, NULL, i == 3 ? &last : NULL));
  }
  CHECK(clFlush(queue));
  return last;
}

static void exchange_and_write(cl_event read, cl_mem field) {
  const size_t zero[3] = {0, 0, 0};
  CHECK(clWaitForEvents(1, &read));
  CHECK(clReleaseEvent(read));
  MPI_Status statuses[8];
  MPI_Startall(8, requests);
  MPI_Waitall(8, requests, statuses);
  for (int i = 0; i < 4; i++) {
    const side* s = &sides[i];
    CHECK(clEnqueueWriteBufferRect(queue, field, CL_FALSE, s->received, zero, s->region, row_bytes, 0, s->region[0], 0,
                                   staging + half + s->offset, 0, NULL, NULL));
  }
}

static void launch(int i, size_t x, size_t y, size_t width, size_t height) {
  const size_t offset[2] = {x, y}, global[2] = {width, height};
  CHECK(clEnqueueNDRangeKernel(queue, kernels[i], 2, offset, global, NULL, 0, NULL, NULL));
}

static double heat(int size, int steps, int overlaps) {
  const size_t n = (size_t)size;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 0; step < steps; step++) {
    const int i = step % 2;
    const cl_event read = read_sides(fields[i]);
    if (overlaps) {
      launch(i, 2, 2, n - 2, n - 2);
      CHECK(clFlush(queue));
      exchange_and_write(read, fields[i]);
      launch(i, 1, 1, n, 1);
      launch(i, 1, n, n, 1);
      launch(i, 1, 2, 1, n - 2);
      launch(i, n, 2, 1, n - 2);
    } else {
      exchange_and_write(read, fields[i]);
      launch(i, 1, 1, n, n);
    }
  }
  CHECK(clFinish(queue));
  double seconds = MPI_Wtime() - start, slowest = 0;
  MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest / steps * 1e6;
}

static double ping_pong(int bytes, int rounds) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* data = calloc(1, (size_t)bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < rounds; i++) {
    if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (rank < 2) MPI_Recv(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - start) / rounds / 2 * 1e6;
}

static double allreduce(int rounds) {
  double value = 1, sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < rounds; i++) MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return (MPI_Wtime() - start) / rounds * 1e6;
}

static double alltoall(int size, int rounds) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = (int)((size_t)size * size * size * 8 / ranks / ranks);
  char* sent = calloc(ranks, bytes);
  char* received = calloc(ranks, bytes);
  int* counts = malloc(ranks * sizeof(int));
  int* starts = malloc(ranks * sizeof(int));
  for (int i = 0; i < ranks; i++) {
    counts[i] = bytes;
    starts[i] = i * bytes;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < rounds; i++)
    MPI_Alltoallv(sent, counts, starts, MPI_BYTE, received, counts, starts, MPI_BYTE, MPI_COMM_WORLD);
  return (MPI_Wtime() - start) / rounds * 1e6;
}

int main(int count, char** arguments) {
  int provided = 0, rank = 0;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* job = count > 1 ? arguments[1] : "";
  const int first = count > 2 ? atoi(arguments[2]) : 0;
  const int second = count > 3 ? atoi(arguments[3]) : 0;
  double microseconds = 0;
  if (strncmp(job, "heat", 4) == 0) {
    const int overlaps = strcmp(job, "heat-overlap") == 0;
    prepare(first);
    heat(first, 50, overlaps);
    microseconds = heat(first, second, overlaps);
  } else if (strcmp(job, "ping-pong") == 0) {
    ping_pong(first, 100);
    microseconds = ping_pong(first, second);
  } else if (strcmp(job, "alltoall") == 0) {
    alltoall(first, 2);
    microseconds = alltoall(first, second);
  } else {
    allreduce(100);
    microseconds = allreduce(first);
  }
  if (rank == 0) printf("%.3f\n", microseconds);
  MPI_Finalize();
  return 0;
}

/* An MPI and its shim in one library, for tests of what happens when MPI fails. This process is rank 0; the other ranks
 * behave well: they send what is received, and have the same data in collective operations.
 *
 * It reads these environment variables at each call, so a program can change them between operations:
 *   FAKE_MPI_FAIL  "isend=15 test=3": functions of the table that return these error codes
 *   FAKE_MPI_BYTES  bytes that messages are longer (or, if negative, shorter) than expected
 *   FAKE_MPI_LOOKS  how often a request must be tested until it is done, 0 by default
 * and these at the start:
 *   FAKE_MPI_RANKS, FAKE_MPI_THREADS (the level that init() provides), FAKE_MPI_STATE (bits: 1 initialized, 2
 * finalized) FAKE_MPI_REPORT  a file to which the numbers of requests and communicators that were not released are
 * written */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_table.h"

#define EXPORT __attribute__((visibility("default")))
#define TRUNCATED 15

typedef struct request {
  int is_persistent, is_receive, is_active, looks, bytes, source, tag;
  /* A message to this rank itself, which a receive takes. */
  const void* data;
  void* into;
  struct request* next;
} request;

static const int sizes[MPI_TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 16};
static int live_requests, live_communicators, next_communicator = 1;
/* Sends to this rank that no receive has taken. */
static request* sent;

static int number(const char* name, int otherwise) {
  const char* const text = getenv(name);
  return text == 0 ? otherwise : atoi(text);
}

static int ranks(void) { return number("FAKE_MPI_RANKS", 1); }

/* Returns the error code of a function, or 0. */
static int failure(const char* name) {
  const char* at = getenv("FAKE_MPI_FAIL");
  const size_t length = strlen(name);
  for (; at != 0 && *at != 0; at += strcspn(at, " "), at += *at == ' ') {
    if (strncmp(at, name, length) == 0 && at[length] == '=') return atoi(at + length + 1);
  }
  return 0;
}

#define FAIL_IF_TOLD                        \
  do {                                      \
    const int code = failure(__func__ + 5); \
    if (code != 0) return code;             \
  } while (0)

static int fake_init(int* thread_level) {
  *thread_level = number("FAKE_MPI_THREADS", 2);
  FAIL_IF_TOLD;
  return 0;
}
static int fake_initialized(int* flag) {
  FAIL_IF_TOLD;
  *flag = number("FAKE_MPI_STATE", 0) & 1;
  return 0;
}
static int fake_finalized(int* flag) {
  FAIL_IF_TOLD;
  *flag = (number("FAKE_MPI_STATE", 0) & 2) != 0;
  return 0;
}
static int fake_finalize(void) {
  FAIL_IF_TOLD;
  return 0;
}
static int fake_abort(mpi_handle comm, int code) {
  FAIL_IF_TOLD;
  fprintf(stderr, "fake MPI: abort of %ld with %d\n", (long)comm, code);
  _exit(code);
}
static int fake_error_text(int error, char* text, int capacity) {
  FAIL_IF_TOLD;
  snprintf(text, (size_t)capacity, "fake error %d", error);
  return 0;
}
static int fake_error_is_truncation(int error) { return error == TRUNCATED; }
static int fake_return_errors(mpi_handle comm) {
  (void)comm;
  FAIL_IF_TOLD;
  return 0;
}
static int fake_largest_tag(mpi_handle comm, int* tag) {
  (void)comm;
  FAIL_IF_TOLD;
  *tag = 32767;
  return 0;
}

static int fake_comm_rank(mpi_handle comm, int* rank) {
  (void)comm;
  FAIL_IF_TOLD;
  *rank = 0;
  return 0;
}
static int fake_comm_size(mpi_handle comm, int* size) {
  (void)comm;
  FAIL_IF_TOLD;
  *size = ranks();
  return 0;
}
static int make_communicator(mpi_handle* out) {
  ++live_communicators;
  *out = ++next_communicator;
  return 0;
}
static int fake_comm_dup(mpi_handle comm, mpi_handle* out) {
  (void)comm;
  FAIL_IF_TOLD;
  return make_communicator(out);
}
static int fake_comm_free(mpi_handle* comm) {
  FAIL_IF_TOLD;
  --live_communicators;
  *comm = 0;
  return 0;
}
static int fake_comm_split(mpi_handle comm, int color, int key, mpi_handle* out, int* has) {
  (void)comm, (void)key;
  FAIL_IF_TOLD;
  *has = color >= 0;
  *out = 0;
  return *has ? make_communicator(out) : 0;
}
static int fake_comm_split_shared(mpi_handle comm, int key, mpi_handle* out) {
  (void)comm, (void)key;
  FAIL_IF_TOLD;
  return make_communicator(out);
}
static int fake_cart_create(mpi_handle comm, int dimensions, const int* shape, const int* periodic, int reorder,
                            mpi_handle* out, int* has) {
  (void)comm, (void)dimensions, (void)shape, (void)periodic, (void)reorder;
  FAIL_IF_TOLD;
  *has = 1;
  return make_communicator(out);
}
static int fake_dims_create(int count, int dimensions, int* shape) {
  FAIL_IF_TOLD;
  /* All ranks along the first free axis. */
  for (int axis = 0; axis < dimensions; ++axis) count /= shape[axis] == 0 ? 1 : shape[axis];
  for (int axis = 0; axis < dimensions; ++axis) {
    if (shape[axis] != 0) continue;
    shape[axis] = count;
    count = 1;
  }
  return 0;
}

static request* make_request(mpi_handle* out) {
  request* const made = calloc(1, sizeof *made);
  ++live_requests;
  made->is_active = 1;
  made->looks = number("FAKE_MPI_LOOKS", 0);
  *out = (mpi_handle)made;
  return made;
}
static void free_request(mpi_handle* handle) {
  free((request*)*handle);
  --live_requests;
  *handle = 0;
}

static int fake_isend(const void* data, int count, int type, int to, int tag, mpi_handle comm, mpi_handle* out) {
  (void)comm;
  FAIL_IF_TOLD;
  request* const made = make_request(out);
  made->bytes = count * sizes[type];
  made->tag = tag;
  if (to != 0) return 0;
  /* A copy, since the memory may be changed as soon as the send has ended. */
  request* const message = calloc(1, sizeof *message);
  *message = *made;
  message->data = memcpy(malloc((size_t)made->bytes + 1), data, (size_t)made->bytes);
  request** end = &sent;
  while (*end != 0) end = &(*end)->next;
  *end = message;
  return 0;
}
static int fake_irecv(void* data, int count, int type, int from, int tag, mpi_handle comm, mpi_handle* out) {
  (void)comm;
  FAIL_IF_TOLD;
  request* const made = make_request(out);
  made->is_receive = 1;
  made->into = data;
  made->bytes = count * sizes[type];
  made->source = from < 0 ? 0 : from;
  made->tag = tag;
  return 0;
}
static int fake_send_init(const void* data, int bytes, int to, int tag, mpi_handle comm, mpi_handle* out) {
  (void)data, (void)bytes, (void)to, (void)tag, (void)comm;
  FAIL_IF_TOLD;
  request* const made = make_request(out);
  made->is_persistent = 1;
  made->is_active = 0;
  return 0;
}
static int fake_recv_init(void* data, int bytes, int from, int tag, mpi_handle comm, mpi_handle* out) {
  (void)comm;
  FAIL_IF_TOLD;
  request* const made = make_request(out);
  made->is_persistent = made->is_receive = 1;
  made->is_active = 0;
  made->into = data;
  /* The addon receives into one byte more than it expects. */
  made->bytes = bytes - 1;
  made->source = from;
  made->tag = tag;
  return 0;
}
static int fake_start(mpi_handle* handle) {
  FAIL_IF_TOLD;
  request* const started = (request*)*handle;
  if (started->is_active) return 99;
  started->is_active = 1;
  started->looks = number("FAKE_MPI_LOOKS", 0);
  return 0;
}

/* Takes a message that this rank has sent to itself. Returns whether there is one. */
static int take_message(request* receive) {
  for (request** at = &sent; *at != 0; at = &(*at)->next) {
    request* const message = *at;
    if (receive->tag >= 0 && receive->tag != message->tag) continue;
    const int fits = message->bytes < receive->bytes ? message->bytes : receive->bytes;
    memcpy(receive->into, message->data, (size_t)fits);
    receive->bytes = message->bytes;
    receive->tag = message->tag;
    *at = message->next;
    free((void*)message->data);
    free(message);
    return 1;
  }
  return 0;
}

static int fake_test(mpi_handle* handle, int* done, mpi_arrival* arrival) {
  request* const tested = (request*)*handle;
  *done = 0;
  if (tested == 0 || !tested->is_active) {
    *done = 1;
    return 0;
  }
  if (tested->looks-- > 0) return 0;
  const int code = failure("test");
  const int capacity = tested->bytes;
  if (code == 0 && tested->is_receive && tested->source == 0 && !tested->is_persistent && !take_message(tested)) {
    return 0;
  }
  *arrival = (mpi_arrival){tested->source, tested->tag, code, tested->bytes};
  if (tested->is_receive) arrival->bytes += number("FAKE_MPI_BYTES", 0);
  const int is_truncated = !tested->is_persistent && arrival->bytes > capacity;
  tested->is_active = 0;
  if (!tested->is_persistent) free_request(handle);
  if (code != 0) return code;
  *done = 1;
  return is_truncated ? TRUNCATED : 0;
}
static int fake_request_free(mpi_handle* handle) {
  FAIL_IF_TOLD;
  free_request(handle);
  return 0;
}

static int fake_ibarrier(mpi_handle comm, mpi_handle* out) {
  (void)comm;
  FAIL_IF_TOLD;
  make_request(out);
  return 0;
}
static int fake_ibcast(void* data, int count, int type, int root, mpi_handle comm, mpi_handle* out) {
  (void)data, (void)count, (void)type, (void)root, (void)comm;
  FAIL_IF_TOLD;
  make_request(out);
  return 0;
}
/* All ranks have the same data, so this is what "min" and "max" compute. */
static int fake_iallreduce(const void* from, void* to, int count, int type, int operation, mpi_handle comm,
                           mpi_handle* out) {
  (void)operation, (void)comm;
  FAIL_IF_TOLD;
  memmove(to, from, (size_t)(count * sizes[type]));
  make_request(out);
  return 0;
}
static int fake_ireduce(const void* from, void* to, int count, int type, int operation, int root, int is_root,
                        mpi_handle comm, mpi_handle* out) {
  (void)operation, (void)root, (void)comm;
  FAIL_IF_TOLD;
  if (is_root) memmove(to, from, (size_t)(count * sizes[type]));
  make_request(out);
  return 0;
}
static void collect(const void* from, int count, void* to, const int* counts, const int* starts, int size) {
  for (int rank = 0; rank < ranks(); ++rank) {
    const int moved = counts[rank] < count ? counts[rank] : count;
    memcpy((char*)to + (size_t)(starts[rank] * size), from, (size_t)(moved * size));
  }
}
static int fake_igatherv(const void* from, int count, void* to, const int* counts, const int* starts, int type,
                         int root, mpi_handle comm, mpi_handle* out) {
  (void)comm;
  FAIL_IF_TOLD;
  if (root == 0) collect(from, count, to, counts, starts, sizes[type]);
  make_request(out);
  return 0;
}
static int fake_iscatterv(const void* from, const int* counts, const int* starts, void* to, int count, int type,
                          int root, mpi_handle comm, mpi_handle* out) {
  (void)comm;
  FAIL_IF_TOLD;
  const int moved = root == 0 && counts[0] < count ? counts[0] : count;
  if (root == 0) memcpy(to, (const char*)from + starts[0] * sizes[type], (size_t)(moved * sizes[type]));
  make_request(out);
  return 0;
}
static int fake_iallgatherv(const void* from, int count, void* to, const int* counts, const int* starts, int type,
                            mpi_handle comm, mpi_handle* out) {
  (void)comm;
  FAIL_IF_TOLD;
  collect(from, count, to, counts, starts, sizes[type]);
  make_request(out);
  return 0;
}
static int fake_ialltoallv(const void* from, const int* send_counts, const int* send_starts, void* to,
                           const int* receive_counts, const int* receive_starts, int type, mpi_handle comm,
                           mpi_handle* out) {
  (void)comm;
  FAIL_IF_TOLD;
  /* Other ranks send this one what it sends itself. */
  collect((const char*)from + send_starts[0] * sizes[type], send_counts[0], to, receive_counts, receive_starts,
          sizes[type]);
  make_request(out);
  return 0;
}

/* The name of this function has no "fake_", because MPI has it. */
EXPORT int MPI_Get_library_version(char* text, int* length) {
  *length = sprintf(text, "Fake MPI 1.0");
  return 0;
}

EXPORT const mpi_table* cl_mpi_table(void) {
  static const mpi_table table = {
      .version = CL_MPI_TABLE_VERSION,
      .any_source = -1,
      .any_tag = -1,
      .world = 1,
      .no_request = 0,
      .init = fake_init,
      .initialized = fake_initialized,
      .finalized = fake_finalized,
      .finalize = fake_finalize,
      .abort = fake_abort,
      .error_text = fake_error_text,
      .error_is_truncation = fake_error_is_truncation,
      .return_errors = fake_return_errors,
      .largest_tag = fake_largest_tag,
      .comm_rank = fake_comm_rank,
      .comm_size = fake_comm_size,
      .comm_dup = fake_comm_dup,
      .comm_free = fake_comm_free,
      .comm_split = fake_comm_split,
      .comm_split_shared = fake_comm_split_shared,
      .cart_create = fake_cart_create,
      .dims_create = fake_dims_create,
      .isend = fake_isend,
      .irecv = fake_irecv,
      .send_init = fake_send_init,
      .recv_init = fake_recv_init,
      .start = fake_start,
      .test = fake_test,
      .request_free = fake_request_free,
      .ibarrier = fake_ibarrier,
      .ibcast = fake_ibcast,
      .iallreduce = fake_iallreduce,
      .ireduce = fake_ireduce,
      .igatherv = fake_igatherv,
      .iscatterv = fake_iscatterv,
      .iallgatherv = fake_iallgatherv,
      .ialltoallv = fake_ialltoallv,
  };
  return &table;
}

__attribute__((destructor)) static void write_report(void) {
  const char* const path = getenv("FAKE_MPI_REPORT");
  FILE* const file = path == 0 ? 0 : fopen(path, "w");
  if (file == 0) return;
  fprintf(file, "{\"requests\": %d, \"communicators\": %d}\n", live_requests, live_communicators);
  fclose(file);
}

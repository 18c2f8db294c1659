/* Calls one MPI through its own mpi.h, the only file that includes one. Compiled once for each MPI:
 *   mpicc -O2 -fPIC -shared … (scripts/build-shim.mjs)
 * The library is not linked: its symbols are those of the MPI that the addon has opened. */
#include <mpi.h>
#include <string.h>

#include "mpi_table.h"

#define COMM(handle) ((MPI_Comm)(handle))
#define OUT(value) ((mpi_handle)(value))

static MPI_Datatype type_of(int type) {
  switch (type) {
    case MPI_TYPE_INT8:
      return MPI_INT8_T;
    case MPI_TYPE_UINT8:
      return MPI_UINT8_T;
    case MPI_TYPE_INT16:
      return MPI_INT16_T;
    case MPI_TYPE_UINT16:
      return MPI_UINT16_T;
    case MPI_TYPE_INT32:
      return MPI_INT32_T;
    case MPI_TYPE_UINT32:
      return MPI_UINT32_T;
    case MPI_TYPE_INT64:
      return MPI_INT64_T;
    case MPI_TYPE_UINT64:
      return MPI_UINT64_T;
    case MPI_TYPE_FLOAT32:
      return MPI_FLOAT;
    case MPI_TYPE_FLOAT64:
      return MPI_DOUBLE;
    case MPI_TYPE_COMPLEX64:
      return MPI_C_FLOAT_COMPLEX;
    case MPI_TYPE_COMPLEX128:
      return MPI_C_DOUBLE_COMPLEX;
    default:
      return MPI_DATATYPE_NULL;
  }
}

static MPI_Op operation_of(int operation) {
  switch (operation) {
    case MPI_REDUCE_SUM:
      return MPI_SUM;
    case MPI_REDUCE_PROD:
      return MPI_PROD;
    case MPI_REDUCE_MIN:
      return MPI_MIN;
    case MPI_REDUCE_MAX:
      return MPI_MAX;
    case MPI_REDUCE_AND:
      return MPI_BAND;
    case MPI_REDUCE_OR:
      return MPI_BOR;
    default:
      return MPI_OP_NULL;
  }
}

/* Whatever the text is longer than the capacity, it ends with a zero. */
static void copy_text(const char* from, int length, char* to, int capacity) {
  const int count = length < capacity - 1 ? length : capacity - 1;
  memcpy(to, from, (size_t)count);
  to[count] = 0;
}

static int init(int* thread_level) {
  int provided = MPI_THREAD_SINGLE;
  const int error = MPI_Init_thread(0, 0, MPI_THREAD_SERIALIZED, &provided);
  *thread_level = provided >= MPI_THREAD_SERIALIZED ? 2 : provided >= MPI_THREAD_FUNNELED ? 1 : 0;
  return error;
}
static int initialized(int* flag) { return MPI_Initialized(flag); }
static int finalized(int* flag) { return MPI_Finalized(flag); }
static int finalize(void) { return MPI_Finalize(); }
static int abort_job(mpi_handle comm, int code) { return MPI_Abort(COMM(comm), code); }
static int error_text(int code, char* text, int capacity) {
  char sentence[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  const int error = MPI_Error_string(code, sentence, &length);
  copy_text(sentence, length, text, capacity);
  return error;
}
static int error_is_truncation(int code) {
  int class = MPI_SUCCESS;
  MPI_Error_class(code, &class);
  return class == MPI_ERR_TRUNCATE;
}
static int return_errors(mpi_handle comm) { return MPI_Comm_set_errhandler(COMM(comm), MPI_ERRORS_RETURN); }
static int largest_tag(mpi_handle comm, int* tag) {
  void* value = 0;
  int found = 0;
  const int error = MPI_Comm_get_attr(COMM(comm), MPI_TAG_UB, &value, &found);
  *tag = found ? *(int*)value : 32767;
  return error;
}

static int comm_rank(mpi_handle comm, int* rank) { return MPI_Comm_rank(COMM(comm), rank); }
static int comm_size(mpi_handle comm, int* size) { return MPI_Comm_size(COMM(comm), size); }
static int comm_dup(mpi_handle comm, mpi_handle* out) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPI_Comm_dup(COMM(comm), &made);
  *out = OUT(made);
  return error;
}
static int comm_free(mpi_handle* comm) {
  MPI_Comm freed = COMM(*comm);
  const int error = MPI_Comm_free(&freed);
  *comm = OUT(freed);
  return error;
}
static int comm_split(mpi_handle comm, int color, int key, mpi_handle* out, int* has) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPI_Comm_split(COMM(comm), color < 0 ? MPI_UNDEFINED : color, key, &made);
  *has = made != MPI_COMM_NULL;
  *out = *has ? OUT(made) : 0;
  return error;
}
static int comm_split_shared(mpi_handle comm, int key, mpi_handle* out) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPI_Comm_split_type(COMM(comm), MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &made);
  *out = OUT(made);
  return error;
}
static int cart_create(mpi_handle comm, int dimensions, const int* sizes, const int* periodic, int reorder,
                       mpi_handle* out, int* has) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPI_Cart_create(COMM(comm), dimensions, sizes, periodic, reorder, &made);
  *has = made != MPI_COMM_NULL;
  *out = *has ? OUT(made) : 0;
  return error;
}
static int dims_create(int ranks, int dimensions, int* sizes) { return MPI_Dims_create(ranks, dimensions, sizes); }

/* Runs a call that makes the request `made`. */
#define REQUEST(call)                  \
  MPI_Request made = MPI_REQUEST_NULL; \
  const int error = (call);            \
  *request = OUT(made);                \
  return error;

static int isend(const void* data, int count, int type, int to, int tag, mpi_handle comm, mpi_handle* request) {
  REQUEST(MPI_Isend(data, count, type_of(type), to, tag, COMM(comm), &made))
}
static int irecv(void* data, int count, int type, int from, int tag, mpi_handle comm, mpi_handle* request) {
  REQUEST(MPI_Irecv(data, count, type_of(type), from, tag, COMM(comm), &made))
}
static int send_init(const void* data, int bytes, int to, int tag, mpi_handle comm, mpi_handle* request) {
  REQUEST(MPI_Send_init(data, bytes, MPI_BYTE, to, tag, COMM(comm), &made))
}
static int recv_init(void* data, int bytes, int from, int tag, mpi_handle comm, mpi_handle* request) {
  REQUEST(MPI_Recv_init(data, bytes, MPI_BYTE, from, tag, COMM(comm), &made))
}
static int start(mpi_handle* request) {
  MPI_Request started = (MPI_Request)*request;
  const int error = MPI_Start(&started);
  *request = OUT(started);
  return error;
}

static void report(MPI_Status* status, int error, mpi_arrival* arrival) {
  MPI_Count bytes = 0;
  arrival->source = status->MPI_SOURCE;
  arrival->tag = status->MPI_TAG;
  arrival->error = error;
  MPI_Get_elements_x(status, MPI_BYTE, &bytes);
  arrival->bytes = (int64_t)bytes;
}
static int test(mpi_handle* request, int* done, mpi_arrival* arrival) {
  MPI_Request tested = (MPI_Request)*request;
  MPI_Status status;
  memset(&status, 0, sizeof status);
  const int error = MPI_Test(&tested, done, &status);
  *request = OUT(tested);
  if (*done || error != MPI_SUCCESS) report(&status, error, arrival);
  return error;
}
static int request_free(mpi_handle* request) {
  MPI_Request freed = (MPI_Request)*request;
  const int error = MPI_Request_free(&freed);
  *request = OUT(freed);
  return error;
}
static int ibarrier(mpi_handle comm, mpi_handle* request) { REQUEST(MPI_Ibarrier(COMM(comm), &made)) }
static int ibcast(void* data, int count, int type, int root, mpi_handle comm, mpi_handle* request) {
  REQUEST(MPI_Ibcast(data, count, type_of(type), root, COMM(comm), &made))
}
static int iallreduce(const void* from, void* to, int count, int type, int operation, mpi_handle comm,
                      mpi_handle* request) {
  REQUEST(MPI_Iallreduce(from == to ? MPI_IN_PLACE : from, to, count, type_of(type), operation_of(operation),
                         COMM(comm), &made))
}
static int ireduce(const void* from, void* to, int count, int type, int operation, int root, int is_root,
                   mpi_handle comm, mpi_handle* request) {
  REQUEST(MPI_Ireduce(is_root && from == to ? MPI_IN_PLACE : from, to, count, type_of(type), operation_of(operation),
                      root, COMM(comm), &made))
}
static int igatherv(const void* from, int count, void* to, const int* counts, const int* starts, int type, int root,
                    mpi_handle comm, mpi_handle* request) {
  REQUEST(MPI_Igatherv(from, count, type_of(type), to, counts, starts, type_of(type), root, COMM(comm), &made))
}
static int iscatterv(const void* from, const int* counts, const int* starts, void* to, int count, int type, int root,
                     mpi_handle comm, mpi_handle* request) {
  REQUEST(MPI_Iscatterv(from, counts, starts, type_of(type), to, count, type_of(type), root, COMM(comm), &made))
}
static int iallgatherv(const void* from, int count, void* to, const int* counts, const int* starts, int type,
                       mpi_handle comm, mpi_handle* request) {
  REQUEST(MPI_Iallgatherv(from, count, type_of(type), to, counts, starts, type_of(type), COMM(comm), &made))
}
static int ialltoallv(const void* from, const int* send_counts, const int* send_starts, void* to,
                      const int* receive_counts, const int* receive_starts, int type, mpi_handle comm,
                      mpi_handle* request) {
  REQUEST(MPI_Ialltoallv(from, send_counts, send_starts, type_of(type), to, receive_counts, receive_starts,
                         type_of(type), COMM(comm), &made))
}

__attribute__((visibility("default"))) const mpi_table* cl_mpi_table(void) {
  static mpi_table table;
  /* Open MPI's handles are addresses in the library, which are known only now. */
  table = (mpi_table){CL_MPI_TABLE_VERSION,
                      MPI_ANY_SOURCE,
                      MPI_ANY_TAG,
                      OUT(MPI_COMM_WORLD),
                      OUT(MPI_REQUEST_NULL),
                      init,
                      initialized,
                      finalized,
                      finalize,
                      abort_job,
                      error_text,
                      error_is_truncation,
                      return_errors,
                      largest_tag,
                      comm_rank,
                      comm_size,
                      comm_dup,
                      comm_free,
                      comm_split,
                      comm_split_shared,
                      cart_create,
                      dims_create,
                      isend,
                      irecv,
                      send_init,
                      recv_init,
                      start,
                      test,
                      request_free,
                      ibarrier,
                      ibcast,
                      iallreduce,
                      ireduce,
                      igatherv,
                      iscatterv,
                      iallgatherv,
                      ialltoallv};
  return &table;
}

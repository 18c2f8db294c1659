/* The functions of an MPI that @cl/mpi calls, with types that no MPI defines. Open MPI's handles are pointers and
 * MPICH's are numbers, so shim.c is compiled once for each, and passes this table. */
#ifndef CL_MPI_TABLE_H
#define CL_MPI_TABLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CL_MPI_TABLE_VERSION 2

typedef intptr_t mpi_handle;

/* Element types, in the order of src/element-types.ts. */
enum {
  MPI_TYPE_INT8,
  MPI_TYPE_UINT8,
  MPI_TYPE_INT16,
  MPI_TYPE_UINT16,
  MPI_TYPE_INT32,
  MPI_TYPE_UINT32,
  MPI_TYPE_INT64,
  MPI_TYPE_UINT64,
  MPI_TYPE_FLOAT32,
  MPI_TYPE_FLOAT64,
  MPI_TYPE_COMPLEX64,
  MPI_TYPE_COMPLEX128,
  MPI_TYPE_COUNT
};

/* Reductions, in the order of src/element-types.ts. */
enum {
  MPI_REDUCE_SUM,
  MPI_REDUCE_PROD,
  MPI_REDUCE_MIN,
  MPI_REDUCE_MAX,
  MPI_REDUCE_AND,
  MPI_REDUCE_OR,
  MPI_REDUCE_COUNT
};

/* What a receive got. */
typedef struct {
  int32_t source;
  int32_t tag;
  int32_t error;
  int64_t bytes;
} mpi_arrival;

/* All functions return 0 or an error code of the MPI, which error_text() describes. */
typedef struct {
  int32_t version;
  int32_t any_source;
  int32_t any_tag;
  mpi_handle world;
  mpi_handle no_request;
  int (*init)(int* thread_level);
  int (*initialized)(int* flag);
  int (*finalized)(int* flag);
  int (*finalize)(void);
  int (*abort)(mpi_handle comm, int code);
  int (*error_text)(int error, char* text, int capacity);
  /* Returns whether an error code says that a message is longer than its memory. */
  int (*error_is_truncation)(int error);
  int (*return_errors)(mpi_handle comm);
  int (*largest_tag)(mpi_handle comm, int* tag);

  int (*comm_rank)(mpi_handle comm, int* rank);
  int (*comm_size)(mpi_handle comm, int* size);
  int (*comm_dup)(mpi_handle comm, mpi_handle* out);
  int (*comm_free)(mpi_handle* comm);
  /* A negative color joins no new communicator: `out` is then 0 with `has` 0. */
  int (*comm_split)(mpi_handle comm, int color, int key, mpi_handle* out, int* has);
  int (*comm_split_shared)(mpi_handle comm, int key, mpi_handle* out);
  int (*cart_create)(mpi_handle comm, int dimensions, const int* sizes, const int* periodic, int reorder,
                     mpi_handle* out, int* has);
  int (*dims_create)(int ranks, int dimensions, int* sizes);

  int (*isend)(const void* data, int count, int type, int to, int tag, mpi_handle comm, mpi_handle* request);
  int (*irecv)(void* data, int count, int type, int from, int tag, mpi_handle comm, mpi_handle* request);
  int (*send_init)(const void* data, int bytes, int to, int tag, mpi_handle comm, mpi_handle* request);
  int (*recv_init)(void* data, int bytes, int from, int tag, mpi_handle comm, mpi_handle* request);
  int (*start)(mpi_handle* request);
  /* Completes a request. A persistent one stays. */
  int (*test)(mpi_handle* request, int* done, mpi_arrival* arrival);
  int (*request_free)(mpi_handle* request);

  int (*ibarrier)(mpi_handle comm, mpi_handle* request);
  int (*ibcast)(void* data, int count, int type, int root, mpi_handle comm, mpi_handle* request);
  /* `from` may be the same as `to`, which reduces in place. */
  int (*iallreduce)(const void* from, void* to, int count, int type, int operation, mpi_handle comm,
                    mpi_handle* request);
  int (*ireduce)(const void* from, void* to, int count, int type, int operation, int root, int is_root, mpi_handle comm,
                 mpi_handle* request);
  int (*igatherv)(const void* from, int count, void* to, const int* counts, const int* starts, int type, int root,
                  mpi_handle comm, mpi_handle* request);
  int (*iscatterv)(const void* from, const int* counts, const int* starts, void* to, int count, int type, int root,
                   mpi_handle comm, mpi_handle* request);
  int (*iallgatherv)(const void* from, int count, void* to, const int* counts, const int* starts, int type,
                     mpi_handle comm, mpi_handle* request);
  int (*ialltoallv)(const void* from, const int* send_counts, const int* send_starts, void* to,
                    const int* receive_counts, const int* receive_starts, int type, mpi_handle comm,
                    mpi_handle* request);
} mpi_table;

/* The only symbol of a shim. */
typedef const mpi_table* (*mpi_table_function)(void);
#define CL_MPI_TABLE_SYMBOL "cl_mpi_table"

#ifdef __cplusplus
}
#endif

#endif

/* What another native addon needs to know about relays (commands/relay.cc). It is C, so that any compiler can use it.
 */
#ifndef CL_RELAY_H
#define CL_RELAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CL_RELAY_VERSION 3

/* Ends one turn. The relay's writes start if `status` is 0, and fail if it is negative. */
typedef void (*cl_relay_end)(void* turn, int32_t status);

/* Host memory of a message, and the block of memory that it is a part of. */
typedef struct {
  uint8_t* data;
  size_t bytes;
  uint8_t* block;
  size_t block_bytes;
} cl_relay_place;

/* The other addon's side of a relay, passed to createRelay() as an external value. It must stay valid for as long as
 * the process runs. */
typedef struct {
  /* CL_RELAY_VERSION. */
  uint32_t version;
  /* Called for each part when a turn is enqueued: tells where the bytes of the part's message are in that turn. Turns
   * are numbered from 0. The driver learns of each block, so that it transfers without a copy between. */
  void (*place)(void* receiver, uint32_t number, uint32_t message, uint64_t turn, cl_relay_place* place);
  /* Called once per turn, on any thread, when all of its reads have ended: with status 0, or a negative one if they
   * failed. Must return soon. `end` must be called exactly once for the turn, on any thread, also after a failure. */
  void (*begin)(void* receiver, uint32_t number, uint64_t turn, int32_t status, void* reference, cl_relay_end end);
  /* Called once, on any thread, when the relay was released and all of its turns have ended: the relay no longer uses
   * the blocks. Must return soon. */
  void (*release)(void* receiver, uint32_t number);
  void* receiver;
} cl_relay_receiver;

#ifdef __cplusplus
}
#endif

#endif

/* What another native addon needs to know about relays (commands/relay.cc). It is C, so that any compiler can use it.
 */
#ifndef CL_RELAY_H
#define CL_RELAY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CL_RELAY_VERSION 2

/* Ends one turn. The relay's writes start if `status` is 0, and fail if it is negative. */
typedef void (*cl_relay_end)(void* turn, int32_t status);

/* The other addon's side of a relay, passed to createRelay() as an external value. It must stay valid for as long as
 * the process runs. */
typedef struct {
  /* CL_RELAY_VERSION. */
  uint32_t version;
  /* Called once per launch, on any thread, when all of the relay's reads have ended: with status 0, or a negative one
   * if they failed. Must return soon. `end` must be called exactly once for the turn, on any thread, also after a
   * failure. */
  void (*begin)(void* receiver, uint32_t number, int32_t status, void* turn, cl_relay_end end);
  /* Called once, on any thread, when the relay was released and all of its turns have ended. Must return soon. The host
   * memory is freed afterwards, unless 0 is returned because it is still in use: then it is leaked. */
  int32_t (*release)(void* receiver, uint32_t number);
  void* receiver;
} cl_relay_receiver;

#ifdef __cplusplus
}
#endif

#endif

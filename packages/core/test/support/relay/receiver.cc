// An addon that takes part in relays: receiver(bytes, milliseconds, status) returns an external value whose turns add 1
// to each byte of its only message on another thread, after a while, and then end with the status. If `milliseconds` is
// negative, they end before begin() returns. The message has two places, which turns use alternately. released()
// returns how many relays were released and have no turns left.
#include <node_api.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "commands/relay.h"

namespace {

struct Receiver {
  cl_relay_receiver face;
  std::vector<uint8_t> host;
  int32_t milliseconds;
  int32_t status;
};

uint8_t* messageOf(Receiver& self, uint64_t turn) { return self.host.data() + turn % 2 * (self.host.size() / 2); }

void place(void* data, uint32_t, uint32_t, uint64_t turn, cl_relay_place* place) {
  Receiver& self = *static_cast<Receiver*>(data);
  *place = {messageOf(self, turn), self.host.size() / 2, self.host.data(), self.host.size()};
}

void begin(void* data, uint32_t, uint64_t number, int32_t status, void* turn, cl_relay_end end) {
  auto* const self = static_cast<Receiver*>(data);
  const auto receive = [=] {
    uint8_t* const message = messageOf(*self, number);
    for (size_t i = 0; i < self->host.size() / 2; ++i) ++message[i];
    end(turn, status != 0 ? status : self->status);
  };
  if (self->milliseconds < 0) return receive();
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(self->milliseconds));
    receive();
  }).detach();
}

std::atomic<int32_t> releases{0};

void release(void*, uint32_t) { ++releases; }

napi_value released(napi_env env, napi_callback_info) {
  napi_value count = nullptr;
  napi_create_int32(env, releases, &count);
  return count;
}

napi_value receiver(napi_env env, napi_callback_info info) {
  size_t count = 3;
  napi_value arguments[3];
  napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr);
  // Never freed, since its relays may outlive the environment.
  auto* const made = new Receiver{{CL_RELAY_VERSION, place, begin, release, nullptr}, {}, 0, 0};
  made->face.receiver = made;
  uint32_t bytes = 0;
  napi_get_value_uint32(env, arguments[0], &bytes);
  made->host.resize(2 * size_t{bytes});
  napi_get_value_int32(env, arguments[1], &made->milliseconds);
  napi_get_value_int32(env, arguments[2], &made->status);
  napi_value external = nullptr;
  napi_create_external(env, &made->face, nullptr, nullptr, &external);
  return external;
}

}  // namespace

NAPI_MODULE_INIT() {
  napi_value function = nullptr;
  napi_create_function(env, "receiver", NAPI_AUTO_LENGTH, receiver, nullptr, &function);
  napi_set_named_property(env, exports, "receiver", function);
  napi_create_function(env, "released", NAPI_AUTO_LENGTH, released, nullptr, &function);
  napi_set_named_property(env, exports, "released", function);
  return exports;
}

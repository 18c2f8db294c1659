/* C functions for the tests of native kernels, and a Node-API module that exports their addresses. */
#include <dlfcn.h>
#include <node_api.h>
#include <pthread.h>
#include <stdint.h>

struct scale_arguments {
  int32_t* values;
  const int32_t* factors;
  int32_t count;
  int32_t bias;
};

/* values[i] = values[i] * factors[i] + bias */
static void scale(void* block) {
  const struct scale_arguments* arguments = block;
  for (int32_t i = 0; i < arguments->count; i++)
    arguments->values[i] = arguments->values[i] * arguments->factors[i] + arguments->bias;
}

static int32_t calls;

static void count(void* block) {
  (void)block;
  __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);
}

static napi_value countOf(napi_env env, napi_callback_info info) {
  (void)info;
  napi_value result;
  napi_create_int32(env, __atomic_load_n(&calls, __ATOMIC_SEQ_CST), &result);
  return result;
}

typedef int32_t (*set_status)(void* event, int32_t status);

static void* complete(void* event) {
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW);
  set_status set = library == 0 ? 0 : (set_status)dlsym(library, "clSetUserEventStatus");
  if (set != 0) set(event, 0);
  return 0;
}

/* completeOnThread(pointer): completes the user event on another thread. */
static napi_value completeOnThread(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument;
  uint64_t pointer = 0;
  bool lossless = false;
  napi_get_cb_info(env, info, &count, &argument, 0, 0);
  napi_get_value_bigint_uint64(env, argument, &pointer, &lossless);
  pthread_t thread;
  if (pthread_create(&thread, 0, complete, (void*)(uintptr_t)pointer) == 0) pthread_detach(thread);
  return 0;
}

static void export_address(napi_env env, napi_value exports, const char* name, void (*function)(void*)) {
  napi_value address;
  napi_create_bigint_uint64(env, (uint64_t)(uintptr_t)function, &address);
  napi_set_named_property(env, exports, name, address);
}

NAPI_MODULE_INIT() {
  export_address(env, exports, "scale", scale);
  export_address(env, exports, "count", count);
  napi_value function;
  napi_create_function(env, "countOf", NAPI_AUTO_LENGTH, countOf, 0, &function);
  napi_set_named_property(env, exports, "countOf", function);
  napi_create_function(env, "completeOnThread", NAPI_AUTO_LENGTH, completeOnThread, 0, &function);
  napi_set_named_property(env, exports, "completeOnThread", function);
  return exports;
}

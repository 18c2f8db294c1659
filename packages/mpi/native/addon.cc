// The addon's exports. All take and return numbers, strings and typed arrays; src/native.ts has their types. Sizes,
// types and ranks are checked in TypeScript. JavaScript's main thread only.
#include <napi.h>

#include <chrono>

#include "engine.h"
#include "exchange.h"
#include "numbers.h"

namespace cl::mpi {
namespace {

/// Communicators by the numbers that JavaScript knows them by. The first is the world.
struct Communicator {
  mpi_handle handle;
  int rank;
  int size;
};
std::vector<Communicator>& communicators() {
  static auto* const list = new std::vector<Communicator>();
  return *list;
}

const Communicator& communicator(const Napi::CallbackInfo& info, size_t i) {
  return communicators().at(info[i].As<Napi::Number>().Uint32Value());
}

int integer(const Napi::CallbackInfo& info, size_t i) { return info[i].As<Napi::Number>().Int32Value(); }

struct Bytes {
  uint8_t* data = nullptr;
  size_t bytes = 0;
};

/// The memory of a typed array; empty for undefined.
Bytes bytesOf(napi_env env, napi_value value) {
  // In the order of napi_typedarray_type.
  constexpr size_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8};
  napi_typedarray_type type{};
  size_t length = 0;
  void* data = nullptr;
  if (napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr) != napi_ok) return {};
  return {static_cast<uint8_t*>(data), length * sizes[type]};
}

/// The numbers of an Int32Array; empty for undefined.
std::vector<int> integers(napi_env env, napi_value value) {
  const Bytes bytes = bytesOf(env, value);
  const auto* const first = reinterpret_cast<const int*>(bytes.data);
  return {first, first + bytes.bytes / sizeof(int)};
}

/// What connect() has received.
Numbers* numbers = nullptr;
Napi::FunctionReference* errorClass = nullptr;

/// Adds a communicator that MPI has made, and returns its number.
double addCommunicator(mpi_handle handle) {
  check(mpi().return_errors(handle), "MPI_Comm_set_errhandler");
  Communicator made{handle, 0, 0};
  check(mpi().comm_rank(handle, &made.rank), "MPI_Comm_rank");
  check(mpi().comm_size(handle, &made.size), "MPI_Comm_size");
  communicators().push_back(made);
  return static_cast<double>(communicators().size() - 1);
}

/// connect(numbers: Int32Array, errorClass: MpiError): once, before other calls of MPI.
Napi::Value connect(const Napi::CallbackInfo& info) {
  numbers = reinterpret_cast<Numbers*>(bytesOf(info.Env(), info[0]).data);
  errorClass = new Napi::FunctionReference(Napi::Persistent(info[1].As<Napi::Function>()));
  return info.Env().Undefined();
}

/// openLibrary(name) -> the text of its version
Napi::Value openLibrary_(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), openLibrary(info[0].As<Napi::String>()));
}

/// openShim(path)
Napi::Value openShim_(const Napi::CallbackInfo& info) {
  openShim(info[0].As<Napi::String>());
  return info.Env().Undefined();
}

/// Wakes the event loop. Leaked, because the engine's thread may call it until the process ends.
Napi::ThreadSafeFunction* wake = nullptr;

/// initialize(id, onSettled: () => void): starts MPI on the engine's thread, which also has to end it.
Napi::Value initialize(const Napi::CallbackInfo& info) {
  Engine& engine = Engine::instance();
  wake = new Napi::ThreadSafeFunction(
      Napi::ThreadSafeFunction::New(info.Env(), info[1].As<Napi::Function>(), "@cl/mpi", 0, 1));
  wake->Unref(info.Env());
  engine.start([] { wake->NonBlockingCall(); });
  engine.call(info[0].As<Napi::Number>(), [&engine] {
    int level = 0;
    check(mpi().init(&level), "MPI_Init_thread");
    if (level < 2) throw MpiError("this MPI cannot be called by two threads in turn (MPI_THREAD_SERIALIZED)");
    addCommunicator(mpi().world);
    engine.rank = communicators().front().rank;
    return 0;
  });
  return info.Env().Undefined();
}

/// holdLoop(hold): sets whether operations keep the event loop alive.
Napi::Value holdLoop(const Napi::CallbackInfo& info) {
  if (wake == nullptr) return info.Env().Undefined();
  if (info[0].As<Napi::Boolean>().Value())
    wake->Ref(info.Env());
  else
    wake->Unref(info.Env());
  return info.Env().Undefined();
}

/// initialized() -> 0 not yet, 1 initialized, 2 finalized
Napi::Value initialized(const Napi::CallbackInfo& info) {
  int started = 0;
  int ended = 0;
  check(mpi().initialized(&started), "MPI_Initialized");
  check(mpi().finalized(&ended), "MPI_Finalized");
  return Napi::Number::New(info.Env(), ended != 0 ? 2 : started != 0 ? 1 : 0);
}

/// configure(stallSeconds, abortsOnFailure)
Napi::Value configure(const Napi::CallbackInfo& info) {
  Engine& engine = Engine::instance();
  engine.stallSeconds = info[0].As<Napi::Number>().DoubleValue();
  engine.policy = info[1].As<Napi::Boolean>().Value() ? FailurePolicy::Abort : FailurePolicy::Report;
  return info.Env().Undefined();
}

/// finalize(id): ends MPI on the engine's thread.
Napi::Value finalize(const Napi::CallbackInfo& info) {
  Engine::instance().call(info[0].As<Napi::Number>(), [] { return Engine::instance().finalize(); });
  return info.Env().Undefined();
}

/// finalizeSync(warning, seconds): ends MPI and waits for it. Prints the warning if that takes longer.
Napi::Value finalizeSync(const Napi::CallbackInfo& info) {
  Engine::instance().callAndWait([] { return Engine::instance().finalize(); }, info[0].As<Napi::String>(),
                                 info[1].As<Napi::Number>());
  return info.Env().Undefined();
}

/// abort(reason, code)
Napi::Value abortAll(const Napi::CallbackInfo& info) {
  Engine::instance().abortNow(info[0].As<Napi::String>(), integer(info, 1));
}

/// say(sentence): prints it on stderr, preceded by the rank.
Napi::Value say(const Napi::CallbackInfo& info) {
  Engine::instance().say(info[0].As<Napi::String>());
  return info.Env().Undefined();
}

/// rankAndSize(communicator) -> [rank, size]
Napi::Value rankAndSize(const Napi::CallbackInfo& info) {
  const Communicator& comm = communicator(info, 0);
  const auto result = Napi::Array::New(info.Env(), 2);
  result.Set(0u, comm.rank);
  result.Set(1u, comm.size);
  return result;
}

/// largestTag() -> the largest tag of a message
Napi::Value largestTag(const Napi::CallbackInfo& info) {
  int tag = 0;
  check(mpi().largest_tag(mpi().world, &tag), "MPI_Comm_get_attr");
  return Napi::Number::New(info.Env(), tag);
}

/// Communicators that were made on the engine's thread, 0 where this rank is in none. JavaScript learns the position.
std::vector<mpi_handle>& madeCommunicators() {
  static auto* const list = new std::vector<mpi_handle>();
  return *list;
}

/// makeCommunicator(id, kind: 0 duplicate, 1 split, 2 shared memory, 3 grid, of, color, key, sizes?, periodic?)
Napi::Value makeCommunicator(const Napi::CallbackInfo& info) {
  const double id = info[0].As<Napi::Number>();
  const int kind = integer(info, 1);
  const Communicator of = communicator(info, 2);
  const int color = integer(info, 3);
  const int key = integer(info, 4);
  const auto sizes = integers(info.Env(), info[5]);
  const auto periodic = integers(info.Env(), info[6]);
  Engine::instance().call(id, [=] {
    mpi_handle made = 0;
    int has = 1;
    const int dimensions = static_cast<int>(sizes.size());
    switch (kind) {
      case 0:
        check(mpi().comm_dup(of.handle, &made), "MPI_Comm_dup");
        break;
      case 1:
        check(mpi().comm_split(of.handle, color, key, &made, &has), "MPI_Comm_split");
        break;
      case 2:
        check(mpi().comm_split_shared(of.handle, key, &made), "MPI_Comm_split_type");
        break;
      default:
        check(mpi().cart_create(of.handle, dimensions, sizes.data(), periodic.data(), 0, &made, &has),
              "MPI_Cart_create");
    }
    madeCommunicators().push_back(has != 0 ? made : 0);
    return static_cast<int>(madeCommunicators().size() - 1);
  });
  return info.Env().Undefined();
}

/// takeCommunicator(position) -> the number of a communicator that was made, or -1 if this rank is in none.
Napi::Value takeCommunicator(const Napi::CallbackInfo& info) {
  const Engine::Lock lock(Engine::instance());
  const mpi_handle made = madeCommunicators().at(static_cast<size_t>(integer(info, 0)));
  return Napi::Number::New(info.Env(), made == 0 ? -1 : addCommunicator(made));
}

/// freeCommunicator(id, communicator)
Napi::Value freeCommunicator(const Napi::CallbackInfo& info) {
  const mpi_handle handle = communicator(info, 1).handle;
  Engine::instance().call(info[0].As<Napi::Number>(), [handle] {
    mpi_handle freed = handle;
    check(mpi().comm_free(&freed), "MPI_Comm_free");
    return 0;
  });
  return info.Env().Undefined();
}

/// divide(ranks, sizes: Int32Array): replaces sizes of 0 so that their product is the number of ranks.
Napi::Value divide(const Napi::CallbackInfo& info) {
  const Engine::Lock lock(Engine::instance());
  auto sizes = info[1].As<Napi::Int32Array>();
  check(mpi().dims_create(integer(info, 0), static_cast<int>(sizes.ElementLength()), sizes.Data()), "MPI_Dims_create");
  return info.Env().Undefined();
}

/// Reads a request: its numbers, and the arrays (from, to, sendCounts, sendStarts, receiveCounts, receiveStarts).
Request requestOf(napi_env env, const napi_value* arrays) {
  const Communicator& comm = communicators().at(static_cast<size_t>(numbers->communicator));
  Request request{static_cast<Kind>(numbers->kind), comm.handle, comm.rank, numbers->type};
  const Bytes from = bytesOf(env, arrays[0]);
  const Bytes to = bytesOf(env, arrays[1]);
  request.from = from.data;
  request.to = to.data;
  const bool countsTo =
      request.kind == Kind::Receive || request.kind == Kind::Broadcast || request.kind == Kind::Scatter;
  request.count = static_cast<int>((countsTo ? to : from).bytes / static_cast<size_t>(sizeOf(request.type)));
  request.peer = numbers->peer;
  request.tag = numbers->tag;
  if (request.kind == Kind::Send || request.kind == Kind::Receive) {
    if (request.peer < 0) request.peer = mpi().any_source;
    if (request.tag < 0) request.tag = mpi().any_tag;
    return request;
  }
  request.sendCounts = integers(env, arrays[2]);
  request.sendStarts = integers(env, arrays[3]);
  request.receiveCounts = integers(env, arrays[4]);
  request.receiveStarts = integers(env, arrays[5]);
  return request;
}

/// Returns why an operation failed, or `value`, and writes the source and the tag of what it received.
napi_value resultOf(napi_env env, const Outcome& outcome, napi_value value) {
  if (!outcome.failure.empty()) return Napi::String::New(env, outcome.failure);
  numbers->source = outcome.arrival.source;
  numbers->arrivedTag = outcome.arrival.tag;
  return value;
}

/// How long an operation is asked about before the engine gets it, if that has no other one: for about as long as it
/// takes to wake up two threads. Messages of 8 bytes back and forth took 5 to 8 instead of 30 µs each.
constexpr std::chrono::microseconds kPatience{15};
constexpr int kLooksPerTime = 16;

/// Returns whether an operation that was started ends soon.
bool endsSoon(Engine& engine, Operation& operation) {
  if (engine.pending() > 0) return false;
  const auto limit = std::chrono::steady_clock::now() + kPatience;
  do {
    for (int looks = 0; looks < kLooksPerTime; ++looks)
      if (operation.test()) return true;
  } while (std::chrono::steady_clock::now() < limit);
  return false;
}

/// start(id, …arrays) -> true if it has already ended, the failure if it has failed, else undefined; then the id is
/// settled.
napi_value start(napi_env env, const napi_value* arguments) {
  double id = 0;
  napi_get_value_double(env, arguments[0], &id);
  auto operation = std::make_unique<SingleOperation>(requestOf(env, arguments + 1));
  Engine& engine = Engine::instance();
  {
    const Engine::Lock lock(engine);
    const bool hasEnded = operation->start() || endsSoon(engine, *operation);
    if (hasEnded) return resultOf(env, operation->outcome(), Napi::Boolean::New(env, true));
  }
  engine.add(id, std::move(operation));
  return nullptr;
}

/// run(…arrays) -> undefined, or the failure
napi_value run(napi_env env, const napi_value* arguments) {
  SingleOperation operation(requestOf(env, arguments));
  return resultOf(env, Engine::instance().run(operation), nullptr);
}

/// takeSettled() -> [id, failure or undefined, source, tag, …]
Napi::Value takeSettled(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto settled = Engine::instance().takeSettled();
  const auto result = Napi::Array::New(env, 4 * settled.size());
  uint32_t at = 0;
  for (const auto& [id, outcome] : settled) {
    const auto& [failure, arrival] = outcome;
    result.Set(at++, id);
    result.Set(at++, failure.empty() ? env.Undefined() : Napi::String::New(env, failure));
    result.Set(at++, arrival.source);
    result.Set(at++, arrival.tag);
  }
  return result;
}

/// pending() -> how many operations have not ended
Napi::Value pending(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Engine::instance().pending()));
}

/// describePending() -> one of them, or ""
Napi::Value describePending(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), Engine::instance().describePending());
}

/// receiver() -> what relays are created with
Napi::Value receiver(const Napi::CallbackInfo& info) {
  auto* const address = const_cast<cl_relay_receiver*>(&Engine::instance().receiver());
  return Napi::External<cl_relay_receiver>::New(info.Env(), address);
}

/// addExchange(name, communicator, pieces: Float64Array of [isSend, peer, tag, bytes], shares) -> number
Napi::Value addExchange(const Napi::CallbackInfo& info) {
  const auto numbers = info[2].As<Napi::Float64Array>();
  std::vector<Piece> pieces;
  for (size_t i = 0; i + 3 < numbers.ElementLength(); i += 4) {
    const double* const at = numbers.Data() + i;
    pieces.push_back({at[0] != 0, static_cast<int>(at[1]), static_cast<int>(at[2]), static_cast<size_t>(at[3])});
  }
  Engine& engine = Engine::instance();
  std::unique_ptr<Exchange> exchange;
  {
    const Engine::Lock lock(engine);
    exchange = std::make_unique<Exchange>(communicator(info, 1).handle, pieces, info[3].As<Napi::Boolean>());
  }
  const uint32_t number = engine.addRelayed(info[0].As<Napi::String>(), std::move(exchange));
  return Napi::Number::New(info.Env(), number);
}

/// addAllreduce(name, communicator, type, count, reduction) -> number
Napi::Value addAllreduce(const Napi::CallbackInfo& info) {
  const Communicator& comm = communicator(info, 1);
  Request request{Kind::Allreduce, comm.handle, comm.rank, integer(info, 2)};
  request.count = integer(info, 3);
  request.tag = integer(info, 4);
  auto memory = std::make_unique<MemoryBlock>(static_cast<size_t>(request.count) * sizeOf(request.type), false);
  auto operation = std::make_unique<SingleOperation>(std::move(request), std::move(memory));
  const uint32_t number = Engine::instance().addRelayed(info[0].As<Napi::String>(), std::move(operation));
  return Napi::Number::New(info.Env(), number);
}

/// removeRelayed(number): removes an operation that has no relay. That of a relay is removed when the relay has ended.
Napi::Value removeRelayed(const Napi::CallbackInfo& info) {
  Engine::instance().removeRelayed(info[0].As<Napi::Number>().Uint32Value());
  return info.Env().Undefined();
}

/// relayedCount() -> number of operations that were added and not removed, for tests
Napi::Value relayedCount(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Engine::instance().relayedCount()));
}

/// Runs `body` and converts errors to JavaScript's.
template <typename Body>
auto guarded(Napi::Env env, Body body) {
  try {
    return body();
  } catch (const Napi::Error&) {
    throw;
  } catch (const RoutineError& error) {
    if (errorClass == nullptr) throw Napi::Error::New(env, error.what());
    throw Napi::Error(env,
                      errorClass->New({Napi::String::New(env, error.routine), Napi::String::New(env, error.text)}));
  } catch (const std::exception& error) {
    throw Napi::Error::New(env, error.what());
  }
}

template <Napi::Value (*Body)(const Napi::CallbackInfo&)>
Napi::Value invoke(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] { return Body(info); });
}

/// For hot functions: avoids the wrappers of node-addon-api, which take as long as a message between two ranks.
template <napi_value (*Body)(napi_env, const napi_value*), size_t Count>
napi_value invokeHot(napi_env env, napi_callback_info info) {
  napi_value arguments[Count];
  size_t count = Count;
  napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr);
  try {
    return guarded(env, [&] { return Body(env, arguments); });
  } catch (const Napi::Error& error) {
    error.ThrowAsJavaScriptException();
    return nullptr;
  }
}

Napi::Object exportAll(Napi::Env env, Napi::Object exports) {
  const auto add = [&](const char* name, Napi::Value (*body)(const Napi::CallbackInfo&)) {
    exports.Set(name, Napi::Function::New(env, body, name));
  };
  const auto addHot = [&](const char* name, napi_callback body) {
    napi_value function = nullptr;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, body, nullptr, &function);
    exports.Set(name, function);
  };
  add("connect", invoke<connect>);
  add("openLibrary", invoke<openLibrary_>);
  add("openShim", invoke<openShim_>);
  add("initialize", invoke<initialize>);
  add("initialized", invoke<initialized>);
  add("configure", invoke<configure>);
  add("finalize", invoke<finalize>);
  add("finalizeSync", invoke<finalizeSync>);
  add("holdLoop", invoke<holdLoop>);
  add("abort", invoke<abortAll>);
  add("say", invoke<say>);
  add("rankAndSize", invoke<rankAndSize>);
  add("largestTag", invoke<largestTag>);
  add("makeCommunicator", invoke<makeCommunicator>);
  add("takeCommunicator", invoke<takeCommunicator>);
  add("freeCommunicator", invoke<freeCommunicator>);
  add("divide", invoke<divide>);
  addHot("start", invokeHot<start, 7>);
  addHot("run", invokeHot<run, 6>);
  add("takeSettled", invoke<takeSettled>);
  add("pending", invoke<pending>);
  add("describePending", invoke<describePending>);
  add("receiver", invoke<receiver>);
  add("addExchange", invoke<addExchange>);
  add("addAllreduce", invoke<addAllreduce>);
  add("removeRelayed", invoke<removeRelayed>);
  add("relayedCount", invoke<relayedCount>);
  return exports;
}

}  // namespace
}  // namespace cl::mpi

using cl::mpi::exportAll;
NODE_API_MODULE(cl_mpi, exportAll)

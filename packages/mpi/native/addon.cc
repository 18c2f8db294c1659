// The addon's exports. All take and return numbers, strings and typed arrays; src/native.ts has their types. Sizes,
// types and ranks are checked in TypeScript. JavaScript's main thread only.
#include <napi.h>

#include "engine.h"

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
Bytes bytesOf(const Napi::Value& value) {
  if (!value.IsTypedArray()) return {};
  const auto array = value.As<Napi::TypedArray>();
  return {static_cast<uint8_t*>(array.ArrayBuffer().Data()) + array.ByteOffset(), array.ByteLength()};
}

std::vector<int> integers(const Napi::Value& value) {
  if (!value.IsTypedArray()) return {};
  const auto array = value.As<Napi::Int32Array>();
  return {array.Data(), array.Data() + array.ElementLength()};
}

/// Adds a communicator that MPI has made, and returns its number.
double addCommunicator(mpi_handle handle) {
  check(mpi().return_errors(handle), "MPI_Comm_set_errhandler");
  Communicator made{handle, 0, 0};
  check(mpi().comm_rank(handle, &made.rank), "MPI_Comm_rank");
  check(mpi().comm_size(handle, &made.size), "MPI_Comm_size");
  communicators().push_back(made);
  return static_cast<double>(communicators().size() - 1);
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
  Engine::instance().call(info[0].As<Napi::Number>(), [] { check(mpi().finalize(), "MPI_Finalize"); });
  return info.Env().Undefined();
}

/// finalizeSync(warning, seconds): ends MPI and waits for it. Prints the warning if that takes longer.
Napi::Value finalizeSync(const Napi::CallbackInfo& info) {
  Engine::instance().callAndWait([] { check(mpi().finalize(), "MPI_Finalize"); }, info[0].As<Napi::String>(),
                                 info[1].As<Napi::Number>());
  return info.Env().Undefined();
}

/// abort(reason, code)
Napi::Value abortAll(const Napi::CallbackInfo& info) {
  Engine::instance().abortNow(info[0].As<Napi::String>(), integer(info, 1));
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

/// A communicator that is being made on the engine's thread; JavaScript takes its number when the id has settled.
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
  const auto sizes = integers(info[5]);
  const auto periodic = integers(info[6]);
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
  });
  return info.Env().Undefined();
}

/// takeCommunicator() -> the number of the oldest one that was made, or -1 if this rank is in none. Ids settle in
/// order.
Napi::Value takeCommunicator(const Napi::CallbackInfo& info) {
  const Engine::Lock lock(Engine::instance());
  const mpi_handle made = madeCommunicators().front();
  madeCommunicators().erase(madeCommunicators().begin());
  return Napi::Number::New(info.Env(), made == 0 ? -1 : addCommunicator(made));
}

/// freeCommunicator(id, communicator)
Napi::Value freeCommunicator(const Napi::CallbackInfo& info) {
  const mpi_handle handle = communicator(info, 1).handle;
  Engine::instance().call(info[0].As<Napi::Number>(), [handle] {
    mpi_handle freed = handle;
    check(mpi().comm_free(&freed), "MPI_Comm_free");
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

/// Reads (…, kind, communicator, type, from, to, peer, tag, sendCounts, sendStarts, receiveCounts, receiveStarts) from
/// position `i`.
Request requestOf(const Napi::CallbackInfo& info, size_t i) {
  const Communicator& comm = communicator(info, i + 1);
  Request request{static_cast<Kind>(integer(info, i)), comm.handle, comm.rank, integer(info, i + 2)};
  const Bytes from = bytesOf(info[i + 3]);
  const Bytes to = bytesOf(info[i + 4]);
  request.from = from.data;
  request.to = to.data;
  const bool countsTo =
      request.kind == Kind::Receive || request.kind == Kind::Broadcast || request.kind == Kind::Scatter;
  request.count = static_cast<int>((countsTo ? to : from).bytes / static_cast<size_t>(sizeOf(request.type)));
  request.peer = integer(info, i + 5);
  request.tag = integer(info, i + 6);
  const bool isMessage = request.kind == Kind::Send || request.kind == Kind::Receive;
  if (isMessage && request.peer < 0) request.peer = mpi().any_source;
  if (isMessage && request.tag < 0) request.tag = mpi().any_tag;
  request.sendCounts = integers(info[i + 7]);
  request.sendStarts = integers(info[i + 8]);
  request.receiveCounts = integers(info[i + 9]);
  request.receiveStarts = integers(info[i + 10]);
  return request;
}

/// [source, tag], or the failure as a string
Napi::Value resultOf(Napi::Env env, const Outcome& outcome) {
  if (!outcome.failure.empty()) return Napi::String::New(env, outcome.failure);
  const auto result = Napi::Array::New(env, 2);
  result.Set(0u, outcome.arrival.source);
  result.Set(1u, outcome.arrival.tag);
  return result;
}

/// start(id, …request) -> its result if it has already ended, else undefined; then the id is settled.
Napi::Value start(const Napi::CallbackInfo& info) {
  auto operation = std::make_unique<SingleOperation>(requestOf(info, 1));
  Engine& engine = Engine::instance();
  {
    const Engine::Lock lock(engine);
    if (operation->start()) return resultOf(info.Env(), operation->outcome());
  }
  engine.add(info[0].As<Napi::Number>(), std::move(operation));
  return info.Env().Undefined();
}

/// run(…request) -> its result
Napi::Value run(const Napi::CallbackInfo& info) {
  SingleOperation operation(requestOf(info, 0));
  return resultOf(info.Env(), Engine::instance().run(operation));
}

/// takeSettled() -> [id, result, id, result, …]
Napi::Value takeSettled(const Napi::CallbackInfo& info) {
  const auto settled = Engine::instance().takeSettled();
  const auto result = Napi::Array::New(info.Env(), 2 * settled.size());
  for (size_t i = 0; i < settled.size(); ++i) {
    result.Set(static_cast<uint32_t>(2 * i), settled[i].id);
    result.Set(static_cast<uint32_t>(2 * i + 1), resultOf(info.Env(), settled[i].outcome));
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

/// addExchange(name, communicator, host, pieces: Float64Array of [isSend, peer, tag, offset, bytes]) -> number
Napi::Value addExchange(const Napi::CallbackInfo& info) {
  const Bytes host = bytesOf(info[2]);
  const auto numbers = info[3].As<Napi::Float64Array>();
  std::vector<Piece> pieces;
  for (size_t i = 0; i + 4 < numbers.ElementLength(); i += 5) {
    const double* const at = numbers.Data() + i;
    const Piece piece{at[0] != 0, static_cast<int>(at[1]), static_cast<int>(at[2]), static_cast<size_t>(at[3]),
                      static_cast<size_t>(at[4])};
    if (piece.offset + piece.bytes + (piece.isSend ? 0 : 1) > host.bytes)
      throw MpiError("the host memory is too short");
    pieces.push_back(piece);
  }
  Engine& engine = Engine::instance();
  std::unique_ptr<Exchange> exchange;
  {
    const Engine::Lock lock(engine);
    exchange = std::make_unique<Exchange>(communicator(info, 1).handle, host.data, std::move(pieces));
  }
  const uint32_t number = engine.addRelayed(info[0].As<Napi::String>(), std::move(exchange));
  return Napi::Number::New(info.Env(), number);
}

/// addRepeated(name, …request) -> number
Napi::Value addRepeated(const Napi::CallbackInfo& info) {
  auto operation = std::make_unique<SingleOperation>(requestOf(info, 1));
  const uint32_t number = Engine::instance().addRelayed(info[0].As<Napi::String>(), std::move(operation));
  return Napi::Number::New(info.Env(), number);
}

/// removeRelayed(number, turns): removes it when it has run that many turns
Napi::Value removeRelayed(const Napi::CallbackInfo& info) {
  const auto turns = static_cast<uint64_t>(info[1].As<Napi::Number>().DoubleValue());
  Engine::instance().removeRelayed(info[0].As<Napi::Number>().Uint32Value(), turns);
  return info.Env().Undefined();
}

/// relayedCount() -> number of operations that were added and not removed, for tests
Napi::Value relayedCount(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Engine::instance().relayedCount()));
}

/// Converts errors to JavaScript's.
template <Napi::Value (*Body)(const Napi::CallbackInfo&)>
Napi::Value guarded(const Napi::CallbackInfo& info) {
  try {
    return Body(info);
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Napi::Error::New(info.Env(), error.what());
  }
}

Napi::Object exportAll(Napi::Env env, Napi::Object exports) {
  const auto add = [&](const char* name, Napi::Value (*body)(const Napi::CallbackInfo&)) {
    exports.Set(name, Napi::Function::New(env, body, name));
  };
  add("openLibrary", guarded<openLibrary_>);
  add("openShim", guarded<openShim_>);
  add("initialize", guarded<initialize>);
  add("initialized", guarded<initialized>);
  add("configure", guarded<configure>);
  add("finalize", guarded<finalize>);
  add("finalizeSync", guarded<finalizeSync>);
  add("holdLoop", guarded<holdLoop>);
  add("abort", guarded<abortAll>);
  add("rankAndSize", guarded<rankAndSize>);
  add("largestTag", guarded<largestTag>);
  add("makeCommunicator", guarded<makeCommunicator>);
  add("takeCommunicator", guarded<takeCommunicator>);
  add("freeCommunicator", guarded<freeCommunicator>);
  add("divide", guarded<divide>);
  add("start", guarded<start>);
  add("run", guarded<run>);
  add("takeSettled", guarded<takeSettled>);
  add("pending", guarded<pending>);
  add("describePending", guarded<describePending>);
  add("receiver", guarded<receiver>);
  add("addExchange", guarded<addExchange>);
  add("addRepeated", guarded<addRepeated>);
  add("removeRelayed", guarded<removeRelayed>);
  add("relayedCount", guarded<relayedCount>);
  return exports;
}

}  // namespace
}  // namespace cl::mpi

using cl::mpi::exportAll;
NODE_API_MODULE(cl_mpi, exportAll)

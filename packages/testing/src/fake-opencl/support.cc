// Failure injection, call and misuse counts, the driver thread, and the report at process exit.
#include "support.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <thread>

#include "commands.h"
#include "objects.h"

namespace fake {
namespace {

/** One entry of FAKE_CL_FAIL: `routine=status`, `routine@n=status` or `routine@n+=status`; the routine may be `*`. */
struct Rule {
  std::string routine;
  long nth = 0;
  bool onwards = false;
  cl_int status = CL_SUCCESS;
  long seen = 0;

  bool applies(std::string_view name) {
    if (routine != "*" && routine != name) return false;
    ++seen;
    return nth == 0 || seen == nth || (onwards && seen > nth);
  }
};

/** The address of a caller's list and a copy of its contents. */
struct StoredList {
  const char* routine;
  const void* address;
  std::vector<std::byte> contents;
};

struct State {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> environment;
  std::condition_variable_any changed;
  std::map<std::string, long, std::less<>> calls;
  long total = 0;
  long misused = 0;
  std::vector<std::string> notes;
  std::string fail_text;
  std::vector<Rule> rules;
  std::vector<StoredList> lists;
};

struct Driver {
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable idle;
  std::deque<std::function<void()>> tasks;
  bool started = false;
  bool running = false;
};

// Never destroyed, since detached threads and late callers may use them after static destructors have run.
State& state() {
  static State* const instance = new State;
  return *instance;
}

Driver& driver() {
  static Driver* const instance = new Driver;
  return *instance;
}

thread_local const char* current_routine = "";

Rule parse_rule(const std::string& text) {
  Rule rule;
  const auto equals = text.rfind('=');
  std::string left = text.substr(0, equals);
  if (equals != std::string::npos) rule.status = std::atoi(text.c_str() + equals + 1);
  if (const auto at = left.find('@'); at != std::string::npos) {
    rule.nth = std::atol(left.c_str() + at + 1);
    rule.onwards = left.back() == '+';
    left.resize(at);
  }
  rule.routine = left;
  return rule;
}

/**
 * Copies the control variables. Scripts change the environment while other threads make calls, where getenv could read
 * memory that setenv has freed. So the variables are copied only in calls on the main thread, which changes them, and
 * in the first call.
 */
void read_environment(State& s) {
  static bool known = false;
  if (known && gettid() != getpid()) return;
  known = true;
  s.environment.clear();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    if (!text.starts_with("FAKE_CL_") || equals == text.npos) continue;
    s.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
}

/**
 * Parses FAKE_CL_FAIL. Counts restart when the variable changes, so that a test can inject a failure after its setup.
 */
void read_rules(State& s) {
  const std::string text = control("FAKE_CL_FAIL");
  if (s.fail_text == text) return;
  s.fail_text = text;
  s.rules.clear();
  std::size_t start = 0;
  while (start < s.fail_text.size()) {
    const auto end = std::min(s.fail_text.find(',', start), s.fail_text.size());
    if (end > start) s.rules.push_back(parse_rule(s.fail_text.substr(start, end - start)));
    start = end + 1;
  }
}

void run_driver() {
  Driver& d = driver();
  std::unique_lock lock(d.mutex);
  for (;;) {
    d.wake.wait(lock, [&] { return !d.tasks.empty(); });
    const auto task = std::move(d.tasks.front());
    d.tasks.pop_front();
    d.running = true;
    lock.unlock();
    task();
    lock.lock();
    d.running = false;
    d.idle.notify_all();
  }
}

void check_stored_lists(State& s) {
  for (const StoredList& list : s.lists) {
    if (std::memcmp(list.address, list.contents.data(), list.contents.size()) == 0) continue;
    ++s.misused;
    s.notes.push_back(std::string(list.routine) + ": the list changed after the call");
  }
}

void write_report(const char* path) {
  const std::lock_guard lock(mutex());
  State& s = state();
  check_stored_lists(s);
  std::ofstream out(path);
  const char* separator = "";
  out << "{\"live\":{";
  for (const auto& [kind, count] : live_counts()) {
    out << separator << '"' << kind << "\":" << count;
    separator = ",";
  }
  out << "},\"misuse\":" << s.misused << ",\"notes\":[";
  separator = "";
  for (const auto& note : s.notes) {
    out << separator << '"' << note << '"';
    separator = ",";
  }
  out << "],\"total\":" << s.total << ",\"calls\":{";
  separator = "";
  for (const auto& [name, count] : s.calls) {
    out << separator << '"' << name << "\":" << count;
    separator = ",";
  }
  out << "}}\n";
}

/** Waits for running callbacks to release their objects, with a time limit, since one may never return. */
void wait_for_driver() {
  Driver& d = driver();
  std::unique_lock lock(d.mutex);
  d.idle.wait_for(lock, std::chrono::seconds(1), [&] { return d.tasks.empty() && !d.running; });
}

[[gnu::destructor]] void at_exit() {
  wait_for_driver();
  if (const char* const path = std::getenv("FAKE_CL_REPORT"); path != nullptr && *path != '\0') write_report(path);
}

}  // namespace

std::string version_text() {
  return std::to_string(opencl_version / 100) + "." + std::to_string(opencl_version / 10 % 10);
}

void misuse(cl_int status, const std::string& reason) {
  State& s = state();
  ++s.misused;
  if (s.notes.size() < 20) s.notes.push_back(std::string(current_routine) + ": " + reason);
  throw Failure{status};
}

std::mutex& mutex() { return state().mutex; }

std::condition_variable_any& changed() { return state().changed; }

cl_int enter(const char* routine) {
  State& s = state();
  current_routine = routine;
  ++s.calls[routine];
  ++s.total;
  read_environment(s);
  read_rules(s);
  cl_int status = CL_SUCCESS;
  for (Rule& rule : s.rules) {
    if (rule.applies(routine) && status == CL_SUCCESS) status = rule.status;
  }
  if (control("FAKE_CL_EVENTS") != "manual") complete_all();
  return status;
}

std::string control(const char* name) {
  const auto& environment = state().environment;
  const auto found = environment.find(std::string_view(name));
  return found == environment.end() ? std::string() : found->second;
}

long control(const char* name, long default_value) {
  const std::string value = control(name);
  return value.empty() ? default_value : std::atol(value.c_str());
}

void post(std::function<void()> task) {
  Driver& d = driver();
  const std::lock_guard lock(d.mutex);
  d.tasks.push_back(std::move(task));
  if (!d.started) {
    d.started = true;
    std::thread(run_driver).detach();
  }
  d.wake.notify_one();
}

cl_ulong now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<cl_ulong>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

void store_list(const void* list, std::size_t bytes) {
  if (control("FAKE_CL_KEEPS_LISTS", 0) == 0) return;
  const auto first = static_cast<const std::byte*>(list);
  state().lists.push_back({current_routine, list, {first, first + bytes}});
}

std::string padded(std::string text) {
  const auto length = static_cast<std::size_t>(control("FAKE_CL_LONG", 0));
  // The terminating zero is included, as in the size that a query reports.
  if (text.size() + 2 < length) text += ' ' + std::string(length - text.size() - 2, 'x');
  return text;
}

}  // namespace fake

// The control interface for C++ tests, which use dlsym; scripts read the report.

extern "C" int fake_live(const char* kind) {
  const std::lock_guard lock(fake::mutex());
  const auto counts = fake::live_counts();
  const auto found = counts.find(kind);
  return found == counts.end() ? -1 : static_cast<int>(found->second);
}

extern "C" int fake_calls(const char* routine) {
  const std::lock_guard lock(fake::mutex());
  const auto& calls = fake::state().calls;
  if (std::string_view(routine) == "*") return static_cast<int>(fake::state().total);
  const auto found = calls.find(routine);
  return found == calls.end() ? 0 : static_cast<int>(found->second);
}

extern "C" int fake_misuse() {
  const std::lock_guard lock(fake::mutex());
  return static_cast<int>(fake::state().misused);
}

extern "C" void fake_complete_all() {
  const std::lock_guard lock(fake::mutex());
  fake::complete_all();
}

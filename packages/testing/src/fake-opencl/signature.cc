// Reads kernel declarations from OpenCL C. Comments are dropped, macros without parameters are expanded; conditions are
// not evaluated, so that the last definition before a use counts.
#include "signature.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <utility>

namespace fake {
namespace {

using Tokens = std::vector<std::string>;
using Macros = std::map<std::string, Tokens>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/** Returns the end of a directive, which may continue on further lines. */
std::size_t directive_end(const std::string& source, std::size_t at) {
  for (;;) {
    at = source.find('\n', at);
    if (at == std::string::npos) return source.size();
    if (source[at - 1] != '\\') return at;
    ++at;
  }
}

Tokens tokenize(const std::string& source, Macros macros);

/** Stores the macro that a directive defines if it has no parameters. Those in its body are expanded here. */
void define(Macros& macros, std::string directive) {
  std::replace(directive.begin(), directive.end(), '\\', ' ');
  const std::string start = "#define ";
  if (!directive.starts_with(start)) return;
  auto end = start.size();
  while (end < directive.size() && is_word(directive[end])) ++end;
  if (end == directive.size() || directive[end] == '(') return;
  Tokens body = tokenize(directive.substr(end), macros);
  macros[directive.substr(start.size(), end - start.size())] = std::move(body);
}

Tokens tokenize(const std::string& source, Macros macros) {
  Tokens tokens;
  bool line_start = true;
  std::size_t at = 0;
  while (at < source.size()) {
    const char c = source[at];
    if (c == '\n') line_start = true;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
    } else if (c == '#' && line_start) {
      const auto end = directive_end(source, at);
      define(macros, source.substr(at, end - at));
      at = end;
    } else if (source.compare(at, 2, "//") == 0) {
      at = std::min(source.find('\n', at), source.size());
    } else if (source.compare(at, 2, "/*") == 0) {
      const auto end = source.find("*/", at + 2);
      at = end == std::string::npos ? source.size() : end + 2;
    } else {
      line_start = false;
      auto end = at + 1;
      while (is_word(c) && end < source.size() && is_word(source[end])) ++end;
      const auto token = source.substr(at, end - at);
      at = end;
      if (const auto macro = macros.find(token); macro != macros.end()) {
        tokens.insert(tokens.end(), macro->second.begin(), macro->second.end());
      } else {
        tokens.push_back(token);
      }
    }
  }
  return tokens;
}

/** Returns the index after the parenthesis that closes the one at `open`. */
std::size_t close_of(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (auto at = open; at < tokens.size(); ++at) {
    if (tokens[at] == "(") ++depth;
    if (tokens[at] == ")" && --depth == 0) return at + 1;
  }
  return tokens.size();
}

std::size_t scalar_size(const std::string& type) {
  static const std::map<std::string, std::size_t> sizes{
      {"char", 1},  {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"half", 2},   {"int", 4},      {"uint", 4},
      {"float", 4}, {"long", 8},  {"ulong", 8}, {"double", 8}, {"size_t", 8}, {"ptrdiff_t", 8}};
  const auto digits = type.find_first_of("0123456789");
  const auto found = sizes.find(type.substr(0, digits));
  if (found == sizes.end()) return 0;
  if (digits == std::string::npos) return found->second;
  const auto lanes = static_cast<std::size_t>(std::atoi(type.c_str() + digits));
  return found->second * (lanes == 3 ? 4 : lanes);
}

std::string bare(const std::string& word) { return word.starts_with("__") ? word.substr(2) : word; }

/** Stores a qualifier. Returns false if the word is part of the type or the name. */
bool qualify(Parameter& parameter, bool& constant, const std::string& token) {
  static const std::map<std::string, cl_kernel_arg_address_qualifier> addresses{
      {"global", CL_KERNEL_ARG_ADDRESS_GLOBAL},
      {"local", CL_KERNEL_ARG_ADDRESS_LOCAL},
      {"constant", CL_KERNEL_ARG_ADDRESS_CONSTANT},
      {"private", CL_KERNEL_ARG_ADDRESS_PRIVATE}};
  static const std::map<std::string, cl_kernel_arg_access_qualifier> accesses{
      {"read_only", CL_KERNEL_ARG_ACCESS_READ_ONLY},
      {"write_only", CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
      {"read_write", CL_KERNEL_ARG_ACCESS_READ_WRITE}};
  const std::string word = bare(token);
  if (const auto found = addresses.find(word); found != addresses.end()) {
    parameter.address = found->second;
  } else if (const auto access = accesses.find(word); access != accesses.end()) {
    parameter.access = access->second;
  } else if (word == "const") {
    constant = true;
  } else if (word == "restrict") {
    parameter.qualifiers |= CL_KERNEL_ARG_TYPE_RESTRICT;
  } else if (word == "volatile") {
    parameter.qualifiers |= CL_KERNEL_ARG_TYPE_VOLATILE;
  } else {
    return word == "struct" || word == "signed";
  }
  return true;
}

Parameter parse_parameter(const Tokens& tokens) {
  Parameter parameter;
  Tokens words;
  std::string stars;
  bool constant = false;
  for (const auto& token : tokens) {
    if (token == "*") {
      stars += token;
    } else if (!qualify(parameter, constant, token)) {
      words.push_back(token);
    }
  }
  if (words.size() > 1) {
    parameter.name = words.back();
    words.pop_back();
  }
  const bool pipe = !words.empty() && words.front() == "pipe";
  if (pipe) {
    words.erase(words.begin());
    parameter.qualifiers |= CL_KERNEL_ARG_TYPE_PIPE;
    parameter.address = CL_KERNEL_ARG_ADDRESS_GLOBAL;
  }
  const bool is_unsigned = !words.empty() && words.front() == "unsigned";
  if (is_unsigned) words.erase(words.begin());
  const std::string base = words.empty() ? "int" : words.front();
  parameter.type = (is_unsigned ? "u" : "") + base + stars;
  if (pipe) {
    parameter.size = sizeof(cl_mem);
  } else if (!stars.empty()) {
    if (constant || parameter.address == CL_KERNEL_ARG_ADDRESS_CONSTANT)
      parameter.qualifiers |= CL_KERNEL_ARG_TYPE_CONST;
    parameter.size = parameter.is_local() ? 0 : sizeof(cl_mem);
  } else if (base.ends_with("_t") && base != "size_t" && base != "ptrdiff_t") {
    const bool image = base.starts_with("image");
    if (image || base == "sampler_t") parameter.size = sizeof(cl_mem);
    if (image) parameter.address = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    if (image && parameter.access == CL_KERNEL_ARG_ACCESS_NONE) parameter.access = CL_KERNEL_ARG_ACCESS_READ_ONLY;
  } else {
    parameter.size = scalar_size(parameter.type);
  }
  return parameter;
}

std::vector<Parameter> parse_parameters(const Tokens& tokens, std::size_t first, std::size_t last) {
  std::vector<Parameter> parameters;
  Tokens part;
  for (auto at = first; at <= last; ++at) {
    if (at == last || tokens[at] == ",") {
      if (!part.empty() && part != Tokens{"void"}) parameters.push_back(parse_parameter(part));
      part.clear();
    } else if (tokens[at] == "__attribute__") {
      at = close_of(tokens, at + 1) - 1;
    } else {
      part.push_back(tokens[at]);
    }
  }
  return parameters;
}

/** Stores `name(arguments)` of `__attribute__((name(arguments)))`, and the sizes of reqd_work_group_size. */
void parse_attribute(Signature& kernel, const Tokens& tokens, std::size_t open, std::size_t end) {
  std::string text;
  for (auto at = open + 2; at + 2 < end; ++at) text += tokens[at];
  kernel.attributes += (kernel.attributes.empty() ? "" : " ") + text;
  if (!text.starts_with("reqd_work_group_size")) return;
  std::size_t dimension = 0;
  for (auto at = open + 4; at < end && dimension < 3; at += 2) {
    kernel.required[dimension++] = static_cast<std::size_t>(std::atol(tokens[at].c_str()));
  }
}

}  // namespace

bool Parameter::is_mem() const {
  const bool pointer = type.ends_with('*') && !is_local();
  return pointer || (qualifiers & CL_KERNEL_ARG_TYPE_PIPE) != 0 || type.starts_with("image");
}

std::vector<Signature> parse_signatures(const std::string& source) {
  const Tokens tokens = tokenize(source, {});
  std::vector<Signature> kernels;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (bare(tokens[at]) != "kernel") continue;
    Signature kernel;
    std::size_t next = at + 1;
    while (next + 1 < tokens.size() && tokens[next + 1] != "(" && tokens[next] != ";") ++next;
    while (next < tokens.size() && tokens[next] == "__attribute__") {
      const auto end = close_of(tokens, next + 1);
      parse_attribute(kernel, tokens, next + 1, end);
      next = end;
      while (next + 1 < tokens.size() && tokens[next + 1] != "(") ++next;
    }
    if (next + 1 >= tokens.size() || tokens[next + 1] != "(") continue;
    const auto end = close_of(tokens, next + 1);
    kernel.name = tokens[next];
    kernel.parameters = parse_parameters(tokens, next + 2, end - 1);
    at = end - 1;
    // A declaration without a body is skipped: its definition follows.
    if (end < tokens.size() && tokens[end] == "{") kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace fake

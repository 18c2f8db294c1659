// An immutable set of 64-bit ids: a Patricia trie (Okasaki and Gill, "Fast Mergeable Integer Maps", 1998).
//
// Sets share nodes, so adding an id to a set costs a few nodes, not a copy. Thousands of commands can therefore record
// the thousands of events that each waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace cl {

/// An immutable set; copying it is cheap.
class IdSet {
 public:
  using Id = uint64_t;

  IdSet() = default;
  explicit IdSet(Id id);

  bool empty() const { return root_ == nullptr; }
  size_t size() const;
  /// Returns whether both sets share their root. Equal sets may have different roots.
  bool isSame(const IdSet& other) const { return root_ == other.root_; }

  /// Returns the union. Shares the root of this set if `other` adds nothing.
  IdSet with(const IdSet& other) const { return IdSet(unite(root_, other.root_)); }
  IdSet without(Id id) const { return IdSet(remove(root_, id)); }

  /// Calls `visit` with the ids below `end` in ascending order until it returns true. Returns whether it did.
  template <typename Visit>
  bool any(Visit visit, Id end = ~Id{0}) const {
    return anyIn(root_.get(), visit, end);
  }

  /// Returns the ids for which `keep` returns true. Shares the root of this set if those are all.
  template <typename Keep>
  IdSet filtered(Keep keep) const {
    return IdSet(filter(root_, keep));
  }

 private:
  struct Node;
  using Link = std::shared_ptr<const Node>;
  struct Node {
    /// The id of a leaf, or the common leading bits of a branch's ids, followed by zeros.
    Id prefix;
    /// The highest bit in which a branch's ids differ, or 0 for a leaf.
    Id bit;
    size_t size;
    Link zero;
    Link one;

    bool covers(Id id) const { return bit == 0 ? id == prefix : (id & ~(bit | (bit - 1))) == prefix; }
  };

  explicit IdSet(Link root) : root_(std::move(root)) {}

  static Link branch(Id prefix, Id bit, Link zero, Link one);
  static Link join(const Link& first, const Link& second);
  static Link unite(const Link& first, const Link& second);
  static Link remove(const Link& node, Id id);

  template <typename Visit>
  static bool anyIn(const Node* node, Visit& visit, Id end) {
    if (node == nullptr || node->prefix >= end) return false;
    if (node->bit == 0) return visit(node->prefix);
    return anyIn(node->zero.get(), visit, end) || anyIn(node->one.get(), visit, end);
  }

  template <typename Keep>
  static Link filter(const Link& node, Keep& keep) {
    if (!node) return node;
    if (node->bit == 0) return keep(node->prefix) ? node : Link();
    const Link zero = filter(node->zero, keep);
    const Link one = filter(node->one, keep);
    if (zero == node->zero && one == node->one) return node;
    return branch(node->prefix, node->bit, zero, one);
  }

  Link root_;
};

}  // namespace cl

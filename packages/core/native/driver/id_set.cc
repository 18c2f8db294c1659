#include "driver/id_set.h"

#include <bit>

namespace cl {

IdSet::IdSet(Id id) : root_(std::make_shared<const Node>(Node{id, 0, 1, {}, {}})) {}

size_t IdSet::size() const { return root_ ? root_->size : 0; }

IdSet::Link IdSet::branch(Id prefix, Id bit, Link zero, Link one) {
  if (!zero) return one;
  if (!one) return zero;
  const size_t size = zero->size + one->size;
  return std::make_shared<const Node>(Node{prefix, bit, size, std::move(zero), std::move(one)});
}

/// Joins two sets with different prefixes.
IdSet::Link IdSet::join(const Link& first, const Link& second) {
  const Id bit = std::bit_floor(first->prefix ^ second->prefix);
  const Id prefix = first->prefix & ~(bit | (bit - 1));
  return (first->prefix & bit) == 0 ? branch(prefix, bit, first, second) : branch(prefix, bit, second, first);
}

IdSet::Link IdSet::unite(const Link& first, const Link& second) {
  if (!second || first == second) return first;
  if (!first) return second;
  const bool contains = first->bit > second->bit && first->covers(second->prefix);
  const bool isContained = second->bit > first->bit && second->covers(first->prefix);
  if (contains || (first->bit != 0 && first->bit == second->bit && first->prefix == second->prefix)) {
    Link zero = first->zero;
    Link one = first->one;
    if (!contains) {
      zero = unite(zero, second->zero);
      one = unite(one, second->one);
    } else if ((second->prefix & first->bit) == 0) {
      zero = unite(zero, second);
    } else {
      one = unite(one, second);
    }
    if (zero == first->zero && one == first->one) return first;
    return branch(first->prefix, first->bit, std::move(zero), std::move(one));
  }
  if (isContained) {
    if ((first->prefix & second->bit) == 0)
      return branch(second->prefix, second->bit, unite(first, second->zero), second->one);
    return branch(second->prefix, second->bit, second->zero, unite(first, second->one));
  }
  if (first->bit == 0 && second->bit == 0 && first->prefix == second->prefix) return first;
  return join(first, second);
}

IdSet::Link IdSet::remove(const Link& node, Id id) {
  if (!node || !node->covers(id)) return node;
  if (node->bit == 0) return {};
  const bool isOne = (id & node->bit) != 0;
  Link side = remove(isOne ? node->one : node->zero, id);
  if (side == (isOne ? node->one : node->zero)) return node;
  return isOne ? branch(node->prefix, node->bit, node->zero, std::move(side))
               : branch(node->prefix, node->bit, std::move(side), node->one);
}

}  // namespace cl

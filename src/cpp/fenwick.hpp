// A Fenwick tree: sums over the first so many positions, and changes at single positions, both in O(log n).
//
// Node k, from 1 on, holds the sum over the positions k - b .. k - 1, where b is the lowest bit of k. A sum
// over the first k positions adds node k, takes the lowest bit from k, and goes on until k = 0. What a node
// holds is up to the user of the tree.
#pragma once

#include <algorithm>
#include <cstddef>

#include "buffer.hpp"

namespace concordant {

template <class Node>
class Fenwick {
public:
    // Room for the nodes 1 .. size, and node 0 for the empty sum; without initial values.
    void resize(std::size_t size) {
        nodes_.reserve(size + 1);
        size_ = size;
    }
    void fill(const Node& node) { std::fill_n(nodes_.data(), size_ + 1, node); }

    // Call change(node, k) for every node k whose range includes the position.
    template <class Change>
    void change(std::size_t position, Change change) {
        for (std::size_t k = position + 1; k <= size_; k += k & (~k + 1)) change(nodes_.data()[k], k);
    }
    // Call visit(node, k) for the nodes k that make up the first `end` positions.
    template <class Visit>
    void visit_before(std::size_t end, Visit visit) const {
        for (std::size_t k = end; k != 0; k = next_before(k)) visit(nodes_.data()[k], k);
    }
    // The node after k of those that make up the first positions; 0 at the end.
    static std::size_t next_before(std::size_t k) { return k & (k - 1); }

    Node& operator[](std::size_t k) { return nodes_.data()[k]; }
    const Node& operator[](std::size_t k) const { return nodes_.data()[k]; }
    std::size_t size() const { return size_; }

private:
    Buffer<Node> nodes_;
    std::size_t size_ = 0;
};

}  // namespace concordant

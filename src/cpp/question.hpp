// What a walk down one ranking asks about another.
#pragma once

#include "ranking.hpp"

namespace concordant {

// One question of a sweep. When do items enter the set: &Window::first of the ranking walked, as soon as they are above
// the item asking; &Window::last, as soon as they are not below it. And where the answers go, unless null, for every
// position k of the ranking walked: how many in the set are above item k in the other ranking, and how many are tied
// with it there, the item itself included if it has entered.
struct Question {
    const Windows* walked;
    Index Window::*enter;
    Index* above;
    Index* tied;
};

}  // namespace concordant

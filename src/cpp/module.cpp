// The module `_core`: arrays in, counts and sums out; what they mean is decided in Python.
#include <nanobind/nanobind.h>

#include "bind/register.hpp"
#include "bind/unlocked.hpp"

NB_MODULE(_core, m) {
    nanobind::set_leak_warnings(false);  // plans live as long as the interpreter
    concordant::bind::leave_the_exception_of_the_handler();
    concordant::bind::register_pairs(m);
    concordant::bind::register_items(m);
    concordant::bind::register_floats(m);
    concordant::bind::register_flips(m);
    concordant::bind::register_graded(m);
    concordant::bind::register_explain(m);
    concordant::bind::register_groups(m);
    concordant::bind::register_round(m);
    concordant::bind::register_lists(m);
    concordant::bind::register_topics(m);
    concordant::bind::register_runs(m);
}

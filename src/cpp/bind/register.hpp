// Each file of this folder registers its functions.
#pragma once

#include <nanobind/nanobind.h>

namespace concordant::bind {

void register_pairs(nanobind::module_& m);
void register_items(nanobind::module_& m);
void register_floats(nanobind::module_& m);
void register_flips(nanobind::module_& m);
void register_graded(nanobind::module_& m);
void register_explain(nanobind::module_& m);
void register_groups(nanobind::module_& m);
void register_round(nanobind::module_& m);
void register_lists(nanobind::module_& m);
void register_topics(nanobind::module_& m);
void register_runs(nanobind::module_& m);

}  // namespace concordant::bind

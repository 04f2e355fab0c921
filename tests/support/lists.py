"""Random lists that need not hold the same items, as groups of tied items."""

from __future__ import annotations

from hypothesis import strategies as st

from support.strategies import permuted


def _cut(draw, items, tied):
    """Cut a list into groups of one to four items."""
    ends = draw(st.binary(min_size=len(items), max_size=len(items))) if tied else bytes(len(items))
    groups = []
    for item, end in zip(items, ends, strict=True):
        if groups and end % 2 and len(groups[-1]) < 4:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


@st.composite
def two_lists(draw, kind=None, *, same_length=False, same_items=False, max_size=9, min_size=1):
    """Two lists; `untied` as the kind leaves out ties."""
    pool = draw(permuted(12))
    n_x = draw(st.integers(min_size, max_size))
    n_y = n_x if same_length or same_items else draw(st.integers(min_size, max_size))
    items_x = pool[:n_x]
    items_y = [items_x[k] for k in draw(permuted(n_x))] if same_items else draw(permuted(12))[:n_y]
    tied = kind is not untied
    return _cut(draw, items_x, tied), _cut(draw, items_y, tied)


def any_lists():
    """Two lists, either of which may be empty."""
    return two_lists(min_size=0)


untied = object()

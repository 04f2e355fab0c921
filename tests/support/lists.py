"""Random lists that need not hold the same items, as groups of tied items."""

from __future__ import annotations

from hypothesis import strategies as st


@st.composite
def _cut(draw, items, tied):
    groups = []
    while items:
        size = draw(st.integers(1, min(4, len(items)))) if tied else 1
        groups.append(list(items[:size]))
        items = items[size:]
    return groups


@st.composite
def two_lists(draw, kind=None, *, same_length=False, same_items=False, max_size=9, min_size=1):
    """Two lists; `untied` as the kind leaves out ties."""
    pool = draw(st.permutations(range(12)))
    n_x = draw(st.integers(min_size, max_size))
    n_y = n_x if same_length or same_items else draw(st.integers(min_size, max_size))
    items_x = pool[:n_x]
    items_y = draw(st.permutations(items_x)) if same_items else draw(st.permutations(range(12)))[:n_y]
    tied = kind is not untied
    return draw(_cut(items_x, tied)), draw(_cut(items_y, tied))


def any_lists():
    """Two lists, either of which may be empty."""
    return two_lists(min_size=0)


untied = object()

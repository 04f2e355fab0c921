"""Print a checksum of coefficients of random rankings: it is the same if all values are, to the last bit."""

from __future__ import annotations

import hashlib
import warnings

import numpy as np

import concordant as cd


def main() -> None:
    """Draw rankings of many sizes, with and without ties, and correlate them."""
    warnings.simplefilter("ignore")  # of undefined values
    rng = np.random.default_rng(1)
    found = hashlib.sha256()
    count = 0
    for size in (2, 3, 5, 8, 13, 40, 64, 65, 300, 5000):
        x, y = rng.normal(size=(2, 50, size))
        for a, b in ((x, x + y), (np.round(x, 1), np.round(x + y, 1)), (np.exp(20 * x), np.exp(20 * y))):
            for name, coefficient in cd.REGISTRY.items():
                if coefficient.inputs != "scores":
                    continue
                for threshold in (0.0, 0.05):
                    try:
                        values = getattr(cd, name)(a, b, **({"threshold": threshold} if threshold else {}))
                    except (TypeError, cd.ConcordantError):  # no threshold, or ties
                        continue
                    found.update(np.asarray(values, dtype=float).tobytes())
                    count += np.size(values)
        for _ in range(20):
            one, other = rng.permutation(size + 3)[:size].tolist(), rng.permutation(size + 3)[:size].tolist()
            for name in ("rbo", "rba", "kendall_distance", "footrule"):
                found.update(np.float64(getattr(cd, name)(one, other)).tobytes())
                count += 1
    print(f"{count} values, SHA-256 {found.hexdigest()}")


if __name__ == "__main__":
    main()

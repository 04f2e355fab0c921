"""Random draws that can be repeated in another process.

The process that hands out the work makes all draws in order, and stores the state of the generator before
each. A piece of work contains this state instead of the draws, and the worker repeats the draws. So the
numbers do not depend on the workers, or on the number of pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Draws"]


class Draws:
    """The result of `draw(rng, *arguments)`; it is pickled as the state of the generator before the draw.

    `draw` is a function at the top level of a module. With ``keep=False`` the draws only advance the
    generator, and are repeated when they are needed.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        draw: Callable[..., NDArray[Any]],
        *arguments: Any,
        keep: bool = True,
    ) -> None:
        self.kind, self.state = type(rng.bit_generator), rng.bit_generator.state
        self.draw, self.arguments = draw, arguments
        drawn = draw(rng, *arguments)
        self.drawn = drawn if keep else None

    def __getstate__(self) -> dict[str, Any]:
        """Do not pickle the draws."""
        return {**self.__dict__, "drawn": None}

    def get(self) -> NDArray[Any]:
        """Return the draws."""
        return self.drawn if self.drawn is not None else self.draw(self.generator(), *self.arguments)

    def generator(self) -> np.random.Generator:
        """Return a generator in the state before the draws."""
        source = self.kind()
        source.state = self.state
        return np.random.Generator(source)

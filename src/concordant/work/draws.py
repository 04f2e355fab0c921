"""Random draws that can be made again elsewhere.

The process that hands out the work makes all draws, in their order, and notes the state of the generator
before each. A piece of work carries this state, not the draws: whoever does it makes the same draws. So the
numbers do not depend on who does the work, or in how many pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Draws"]


class Draws:
    """What `draw(rng, *arguments)` returned; it travels as the state of the generator before the draw.

    `draw` is a function at the top of its file. With ``keep=False`` the draws are made to move the generator
    on, and made again when they are asked for.
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
        """Leave the draws at home."""
        return {**self.__dict__, "drawn": None}

    def get(self) -> NDArray[Any]:
        """Return the draws."""
        return self.drawn if self.drawn is not None else self.draw(self.generator(), *self.arguments)

    def generator(self) -> np.random.Generator:
        """Return a generator in the state that it had before the draws."""
        source = self.kind()
        source.state = self.state
        return np.random.Generator(source)

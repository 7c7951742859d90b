"""Spaces and base classes of Gymnasium where it is installed, otherwise what stands for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gymnasium import Env
    from gymnasium.spaces import Box
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    HAS_GYMNASIUM = True
else:
    try:
        from gymnasium import Env
        from gymnasium.spaces import Box
        from gymnasium.vector import AutoresetMode, VectorEnv
        from gymnasium.vector.utils import batch_space

        HAS_GYMNASIUM = True
    except ImportError as e:
        if not isinstance(e, ModuleNotFoundError) or e.name != "gymnasium":
            raise ImportError(f"the Gymnasium that is installed cannot be used: {e}; want gymnasium >= 1.1, or none", name="gymnasium") from e
        import enum

        HAS_GYMNASIUM = False

        class AutoresetMode(enum.Enum):
            NEXT_STEP = "NextStep"
            SAME_STEP = "SameStep"
            DISABLED = "Disabled"

        class Box:
            """Arrays of a shape between bounds, as gymnasium.spaces.Box."""

            def __init__(self, low: Any, high: Any, dtype: Any = np.float64) -> None:
                self.low, self.high = np.asarray(low, dtype), np.asarray(high, dtype)
                self.shape, self.dtype = self.low.shape, np.dtype(dtype)
                self._random = np.random.default_rng()

            def seed(self, seed: int | None = None) -> None:
                self._random = np.random.default_rng(seed)

            def sample(self) -> Any:
                """Uniform between two bounds, and normal where one is missing."""
                bounded = np.isfinite(self.low) & np.isfinite(self.high)
                low, high = np.where(bounded, self.low, 0), np.where(bounded, self.high, 1)
                normal = np.clip(self._random.standard_normal(self.shape), self.low, self.high)
                return np.where(bounded, self._random.uniform(low, high), normal).astype(self.dtype)

            def contains(self, x: Any) -> bool:
                x = np.asarray(x)
                return bool(x.shape == self.shape and np.all(x >= self.low) and np.all(x <= self.high))

            __contains__ = contains

            def __repr__(self) -> str:
                return f"Box({self.low.min() if self.low.size else ''}, {self.high.max() if self.high.size else ''}, {self.shape}, {self.dtype})"

        class _Base:
            """What the base classes of Gymnasium have besides what every environment brings."""

            spec = None
            render_mode = None

            def __class_getitem__(cls, _: Any) -> Any:
                return cls

            @property
            def unwrapped(self) -> Any:
                return self

        class VectorEnv(_Base):
            closed = False

        class Env(_Base):
            def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
                """Seeds np_random, as that of gymnasium.Env."""
                if seed is not None or not hasattr(self, "np_random"):
                    self.np_random = np.random.default_rng(seed)

        def batch_space(space: Box, n: int) -> Box:
            return Box(np.tile(space.low, (n, 1)), np.tile(space.high, (n, 1)), space.dtype)


__all__ = ["HAS_GYMNASIUM", "AutoresetMode", "Box", "Env", "VectorEnv", "batch_space"]

"""Spaces and the base class of Gymnasium where it is installed, otherwise what stands for them."""

import numpy as np

try:
    from gymnasium.spaces import Box
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as e:
    if not isinstance(e, ModuleNotFoundError) or e.name != "gymnasium":
        raise ImportError(f"the Gymnasium that is installed cannot be used: {e}; want gymnasium >= 1.1, or none", name="gymnasium") from e
    import enum

    class AutoresetMode(enum.Enum):
        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"

    class Box:
        """Arrays of a shape between bounds, as gymnasium.spaces.Box."""

        def __init__(self, low, high, dtype=np.float64):
            self.low, self.high = np.asarray(low, dtype), np.asarray(high, dtype)
            self.shape, self.dtype = self.low.shape, np.dtype(dtype)
            self._random = np.random.default_rng()

        def seed(self, seed=None):
            self._random = np.random.default_rng(seed)

        def sample(self):
            """Uniform between two bounds, and normal where one is missing."""
            bounded = np.isfinite(self.low) & np.isfinite(self.high)
            low, high = np.where(bounded, self.low, 0), np.where(bounded, self.high, 1)
            normal = np.clip(self._random.standard_normal(self.shape), self.low, self.high)
            return np.where(bounded, self._random.uniform(low, high), normal).astype(self.dtype)

        def contains(self, x):
            x = np.asarray(x)
            return bool(x.shape == self.shape and np.all(x >= self.low) and np.all(x <= self.high))

        __contains__ = contains

        def __repr__(self):
            return f"Box({self.low.min() if self.low.size else ''}, {self.high.max() if self.high.size else ''}, {self.shape}, {self.dtype})"

    class VectorEnv:
        """What VectorEnv of Gymnasium has besides what every environment brings."""

        spec = None
        render_mode = None
        closed = False

        @property
        def unwrapped(self):
            return self

    def batch_space(space, n):
        return Box(np.tile(space.low, (n, 1)), np.tile(space.high, (n, 1)), space.dtype)


__all__ = ["AutoresetMode", "Box", "VectorEnv", "batch_space"]

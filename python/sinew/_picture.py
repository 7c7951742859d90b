"""Pictures of scenes, drawn by NumPy alone: triangles into a buffer of depths."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SMOOTH = 2  # samples of a pixel along each axis
_SIDES = 12  # of what is round
_FRAGMENTS = 1 << 21  # at a time, which bounds the memory
_LAYERS = 4  # of walls that are seen through one another
_BACKGROUND = (np.array([0.96, 0.97, 0.99]), np.array([0.80, 0.84, 0.89]))  # above, below
_LIGHT = np.array([0.35, 0.25, 0.9])  # towards it, in axes of the camera: right, up, to the viewer
_LINE = 1.2  # least width of a line, pixels


@dataclass(frozen=True)
class Camera:
    """From where pictures are taken, in parallel projection.

    azimuth, elevation   directions from which it looks, degrees: azimuth 0 from +x, 90 from +y, elevation 90 from above
    size                 height of the picture in the world, m; without it that of the robot when it is first drawn
    center               point in the middle, m; without it the middle of the robot: of a rod as it is first drawn, of a body always
    width, height        pixels
    """

    azimuth: float = -60
    elevation: float = 20
    size: float | None = None
    center: tuple[float, float, float] | None = None
    width: int = 480
    height: int = 480

    def axes(self) -> Array:
        """Rows: right, up and towards the viewer, in world axes."""
        a, e = np.radians(self.azimuth), np.radians(self.elevation)
        back = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        return np.array([right, np.cross(back, right), back])


class Picture:
    """Pictures of one robot, one after the other, by one camera."""

    def __init__(self, camera: Camera) -> None:
        if not (0 < camera.width <= 4096 and 0 < camera.height <= 4096):
            raise ValueError(f"a picture of {camera.width} by {camera.height} pixels; want 1 to 4096")
        if camera.size is not None and not 0 < camera.size < np.inf:
            raise ValueError(f"the size of a picture is {camera.size} m; want a number above 0")
        self._camera = camera
        self._center: Array | None = None
        self._size = 0.0

    def draw(self, scene: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
        """The picture of a scene: array of (height, width, 3)."""
        self._aim(scene)
        assert self._center is not None
        c = self._camera
        width, height = c.width * _SMOOTH, c.height * _SMOOTH
        pixel = self._size / height
        solid, clear = _Triangles(), _Triangles()
        _list_shapes(scene, _LINE * pixel * _SMOOTH / 2, solid, clear)
        axes = c.axes()
        image = np.linspace(_BACKGROUND[0], _BACKGROUND[1], height)[:, None].repeat(width, 1).reshape(-1, 3)
        depth = np.full(width * height, -np.inf)
        for triangles, draw in ((solid, _draw_solid), (clear, _draw_clear)):
            view = triangles.seen(axes, self._center, pixel, width, height)
            if view is not None:
                draw(view, image, depth)
        image = image.reshape(c.height, _SMOOTH, c.width, _SMOOTH, 3).mean(axis=(1, 3))
        return np.asarray(np.round(255 * np.clip(image, 0, 1)), np.uint8)

    def _aim(self, scene: Mapping[str, Any]) -> None:
        """Puts the robot into the picture."""
        c, scale = self._camera, scene["scale"]
        is_rod = any(t["name"] == "backbone" for t in scene["tubes"])
        if self._center is None or not is_rod and c.center is None:
            points = _robot_points(scene)
            self._center = np.array(c.center) * scale if c.center is not None else (points.min(axis=0) + points.max(axis=0)) / 2
        if not self._size:
            if c.size is not None:
                self._size = c.size * scale
                return
            points = _robot_points(scene)
            extent = float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
            # room for a rod that bends to any side, and around a body for the arrow of its field
            self._size = (1.6 if is_rod else 3.5) * extent


def _robot_points(scene: Mapping[str, Any]) -> Array:
    """Points of the robot itself, without what is around it: the rod, or the bodies."""
    rods = [np.array(t["points"]) for t in scene["tubes"] if t["name"] in ("backbone", "body")]
    if rods:
        robot = np.concatenate(rods)
        reach = 2 * np.linalg.norm(np.ptp(robot, axis=0))
        for m in scene["meshes"]:  # with what it is in, where that is no larger than a few robots
            wall = _corners(m)
            if np.linalg.norm(np.ptp(wall, axis=0)) < reach:
                robot = np.concatenate([robot, [wall.min(axis=0), wall.max(axis=0)]])
        return robot
    points = [np.array(s["pose"][:3]) + sign * max(s["semi_axes"]) for s in scene["spheres"] for sign in (-1, 1)]
    return np.array(points) if points else np.array([[-0.05] * 3, [0.05] * 3])


class _Triangles:
    """Corners, normals at the corners and colors of triangles."""

    def __init__(self) -> None:
        self._corners: list[Array] = []
        self._normals: list[Array] = []
        self._colors: list[Array] = []

    def add(self, corners: Array, normals: Array, color: Array) -> None:
        """Adds arrays of (n, 3, 3) of one color."""
        self._corners.append(corners)
        self._normals.append(normals)
        self._colors.append(np.broadcast_to(color, (len(corners), 4)))

    def seen(self, axes: Array, center: Array, pixel: float, width: int, height: int) -> _View | None:
        """The triangles as a camera sees them, None where there are none."""
        if not self._corners:
            return None
        at = (np.concatenate(self._corners) - center) @ axes.T / pixel
        at[..., 0] += width / 2
        at[..., 1] = height / 2 - at[..., 1]
        color = np.concatenate(self._colors)
        return _View(at, _lit(np.concatenate(self._normals) @ axes.T, color[:, :3]), color[:, 3], width, height)


def _lit(normals: Array, colors: Array) -> Array:
    """Colors of corners with these normals in axes of the camera: array of (n, 3, 3)."""
    normals = normals / np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-12)
    normals = normals * np.where(normals[..., 2:] < 0, -1, 1)  # both sides are lit
    light = _LIGHT / np.linalg.norm(_LIGHT)
    half = (light + [0, 0, 1]) / np.linalg.norm(light + [0, 0, 1])
    bright = 0.45 + 0.55 * np.clip(normals @ light, 0, 1)
    gloss = 0.25 * np.clip(normals @ half, 0, 1) ** 40
    return np.asarray(colors[:, None] * bright[..., None] + gloss[..., None])


class _View:
    """Triangles in pixels: corners (n, 3, 3) with z towards the viewer, colors of the corners and opacity."""

    def __init__(self, corners: Array, colors: Array, opacity: Array, width: int, height: int) -> None:
        x, y = corners[..., 0], corners[..., 1]
        area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        seen = (np.abs(area) > 1e-9) & (x.max(axis=1) > 0) & (x.min(axis=1) < width) & (y.max(axis=1) > 0) & (y.min(axis=1) < height)
        self._corners, self._area, self.opacity = corners[seen], area[seen], opacity[seen]
        self._width, self._height = width, height
        # depth and color are linear in a triangle: their values at pixel 0, 0 and what a column and a row add
        values = np.concatenate([corners[..., 2:], colors], axis=2)[seen]
        x, y, area = x[seen, :, None], y[seen, :, None], self._area[:, None]
        one, two = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]
        self._along = (one * (y[:, 2] - y[:, 0]) - two * (y[:, 1] - y[:, 0])) / area
        self._down = (two * (x[:, 1] - x[:, 0]) - one * (x[:, 2] - x[:, 0])) / area
        self._first = values[:, 0] - self._along * x[:, 0] - self._down * y[:, 0]

    def fragments(self) -> Iterator[tuple[Ints, Ints, Array]]:
        """Yields triangle, pixel and depth of what the triangles cover, a part of them at a time."""
        y = self._corners[..., 1]
        top = np.maximum(np.ceil(y.min(axis=1) - 0.5), 0).astype(np.int64)
        tall = np.maximum(np.minimum(np.floor(y.max(axis=1) - 0.5), self._height - 1).astype(np.int64) - top + 1, 0)
        t, k = _repeated(tall)
        row = top[t] + k
        left, right = np.zeros(len(t)), np.full(len(t), float(self._width - 1))
        for i in range(3):  # a row of a triangle is what lies on the inner side of its three edges
            p, q = self._corners[t, i, :2], self._corners[t, (i + 1) % 3, :2]
            rise, down = (p[:, 1] - q[:, 1]) * np.sign(self._area[t]), row + 0.5 - p[:, 1]
            with np.errstate(divide="ignore", invalid="ignore"):
                at = p[:, 0] + (q[:, 0] - p[:, 0]) * down / (q[:, 1] - p[:, 1]) - 0.5
            left = np.where(rise > 0, np.maximum(left, np.ceil(at)), left)
            right = np.where(rise < 0, np.minimum(right, np.floor(at)), right)
        wide = np.maximum(right - left + 1, 0).astype(np.int64)
        ends, first = np.cumsum(wide), 0
        while first < len(t):
            last = max(first + 1, int(np.searchsorted(ends, (ends[first - 1] if first else 0) + _FRAGMENTS, "right")))
            r, k = _repeated(wide[first:last])
            r += first
            column, this = left[r].astype(np.int64) + k, t[r]
            z = self._first[this, 0] + self._along[this, 0] * (column + 0.5) + self._down[this, 0] * (row[r] + 0.5)
            yield this, row[r] * self._width + column, z
            first = last

    def colors(self, triangle: Ints, pixel: Ints) -> Array:
        """The colors of triangles at pixels: array of (n, 3)."""
        column, row = (pixel % self._width + 0.5)[:, None], (pixel // self._width + 0.5)[:, None]
        return np.asarray(self._first[triangle, 1:] + self._along[triangle, 1:] * column + self._down[triangle, 1:] * row)


def _repeated(counts: Ints) -> tuple[Ints, Ints]:
    """Each index as often as its count, and which time it is, from 0."""
    index = np.repeat(np.arange(len(counts)), counts)
    return index, np.arange(len(index)) - np.repeat(np.cumsum(counts) - counts, counts)


def _draw_solid(view: _View, image: Array, depth: Array) -> None:
    for triangle, pixel, z in view.fragments():
        np.maximum.at(depth, pixel, z)
        front = z == depth[pixel]
        image[pixel[front]] = view.colors(triangle[front], pixel[front])


def _draw_clear(view: _View, image: Array, depth: Array) -> None:
    """Lays what one sees through over what is behind it, from back to front."""
    parts = []
    for triangle, pixel, z in view.fragments():
        front = z > depth[pixel]
        parts.append((triangle[front], pixel[front], z[front]))
    if not parts:
        return
    triangle, pixel, z = (np.concatenate(p) for p in zip(*parts))
    order = np.lexsort((z, pixel))
    triangle, pixel = triangle[order], pixel[order]
    starts = np.flatnonzero(np.diff(pixel, prepend=-1))
    counts = np.diff(np.append(starts, len(pixel)))
    index, layer = _repeated(counts)
    layer -= np.maximum(counts - _LAYERS, 0)[index]  # the nearest ones
    for k in range(_LAYERS):
        this = layer == k
        opacity = view.opacity[triangle[this], None]
        image[pixel[this]] = (1 - opacity) * image[pixel[this]] + opacity * view.colors(triangle[this], pixel[this])


def _list_shapes(scene: Mapping[str, Any], line: float, solid: _Triangles, clear: _Triangles) -> None:
    """Lists the shapes of a scene as triangles. line is the least radius of a line."""

    def add(shape: Mapping[str, Any], corners: Array, normals: Array) -> None:
        color = np.array(shape["color"], np.float64)
        (solid if color[3] > 0.9 else clear).add(corners, normals, color)

    for t in scene["tubes"]:
        points = np.array(t["points"])
        radii = np.broadcast_to(np.array(t["radii"]), len(points))
        add(t, *_tube(points, np.maximum(radii, line), closed=len(points) > 2))
    for d in scene["disks"]:
        half = np.array([0, 0, max(d["thickness"], line) / 2])
        points = _placed(np.array([-half, half]), d["pose"])
        add(d, *_tube(points, np.full(2, d["radius"]), closed=True, sides=2 * _SIDES))
    for s in scene["spheres"]:
        add(s, *_ellipsoid(np.array(s["pose"]), np.array(s["semi_axes"])))
    for p in scene["polylines"]:
        points = np.array(p["points"])
        add(p, *_tube(points, np.full(len(points), max(p["width"] / 2, line)), closed=False, sides=6))
    for a in scene["arrows"]:
        start, end = np.array(a["from"]), np.array(a["to"])
        way, radius = np.linalg.norm(end - start), max(a["radius"], line)
        if way > 0:
            neck = start + (end - start) * max(0.0, 1 - 5 * radius / way)
            add(a, *_tube(np.array([start, neck, neck, end]), np.array([radius, radius, 2.2 * radius, 0]), closed=True))
    for m in scene["meshes"]:
        corners = _corners(m).reshape(-1, 3, 3)
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        add(m, corners, np.repeat(normals[:, None], 3, 1))


def _corners(mesh: Mapping[str, Any]) -> Array:
    """The corners of the triangles of a mesh in the world: array of (3 n, 3)."""
    return _placed(np.frombuffer(base64.b64decode(mesh["corners"]), "<f4").reshape(-1, 3).astype(np.float64), mesh["pose"])


def _tube(points: Array, radii: Array, *, closed: bool, sides: int = _SIDES) -> tuple[Array, Array]:
    """A round body along points, with flat ends if it is closed."""
    moved = np.linalg.norm(np.diff(points, axis=0), axis=1) > 0
    jumps = np.diff(radii) != 0  # a ring in the same place with another radius
    keep = np.concatenate([[True], moved | jumps])
    points, radii = points[keep], radii[keep]
    if len(points) < 2 or not moved.any():
        return np.zeros((0, 3, 3)), np.zeros((0, 3, 3))
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    known = np.flatnonzero(lengths)
    nearest = known[np.clip(np.searchsorted(known, np.arange(len(steps)), "right") - 1, 0, None)]  # where there is no step, the one before
    steps = steps[nearest] / lengths[nearest, None]
    tangents = np.concatenate([steps[:1], steps[:-1] + steps[1:], steps[-1:]])
    tangents /= np.maximum(np.linalg.norm(tangents, axis=1, keepdims=True), 1e-12)
    across = np.zeros_like(points)
    e = np.cross(tangents[0], np.eye(3)[np.argmin(np.abs(tangents[0]))])
    for i, t in enumerate(tangents):  # carried along without a twist
        e = e - (e @ t) * t
        e /= max(float(np.linalg.norm(e)), 1e-12)
        across[i] = e
    other = np.cross(tangents, across)
    phi = np.linspace(0, 2 * np.pi, sides + 1)
    rings = np.cos(phi)[None, :, None] * across[:, None] + np.sin(phi)[None, :, None] * other[:, None]
    corners, normals = _grid(points[:, None] + radii[:, None, None] * rings, rings)
    if closed:
        for end in (0, -1):
            if radii[end] > 0:
                ring = points[end] + radii[end] * rings[end]
                cap = np.stack([np.broadcast_to(points[end], (sides, 3)), ring[:-1], ring[1:]], axis=1)
                corners = np.concatenate([corners, cap])
                normals = np.concatenate([normals, np.broadcast_to(tangents[end], cap.shape)])
    return corners, normals


def _ellipsoid(pose: Array, semi_axes: Array) -> tuple[Array, Array]:
    theta, phi = np.linspace(0, np.pi, _SIDES + 1)[:, None], np.linspace(0, 2 * np.pi, 2 * _SIDES + 1)[None]
    unit = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta) + 0 * phi], axis=-1)
    turn = np.concatenate([np.zeros(3), pose[3:]])
    return _grid(_placed(unit * semi_axes, pose), _placed(unit / semi_axes * semi_axes.min(), turn))


def _grid(points: Array, normals: Array) -> tuple[Array, Array]:
    """The triangles of a grid of points: arrays of (rows, columns, 3)."""

    def triangles(v: Array) -> Array:
        a, b, c, d = v[:-1, :-1], v[:-1, 1:], v[1:, :-1], v[1:, 1:]
        return np.concatenate([np.stack([a, b, d], axis=2), np.stack([a, d, c], axis=2)]).reshape(-1, 3, 3)

    return triangles(points), triangles(normals)


def _placed(points: Array, pose: Any) -> Array:
    """Points (..., 3) in axes at a pose, in world axes."""
    x, y, z, qx, qy, qz, qw = pose
    v = np.array([qx, qy, qz])
    twice = 2 * np.cross(v, points)
    return np.asarray(points + qw * twice + np.cross(v, twice) + np.array([x, y, z]))

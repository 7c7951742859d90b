"""Builds the programs and their robots into the wheel. `go build` must be at hand; GOOS and GOARCH choose the platform.

SINEW_SOURCE is the folder of the source, where this one is not in it.
"""

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(os.environ.get("SINEW_SOURCE", Path(__file__).resolve().parent.parent))

# Static programs run on any libc, so that the oldest tag is right.
PLATFORMS = {
    ("linux", "amd64"): "manylinux2014_x86_64",
    ("linux", "arm64"): "manylinux2014_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
}


def platform():
    out = subprocess.run(["go", "env", "GOOS", "GOARCH"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    target = tuple(out.split())
    if target not in PLATFORMS:
        raise SystemExit(f"sinew has no wheel for {'/'.join(target)}; there are {', '.join('/'.join(p) for p in PLATFORMS)}")
    return PLATFORMS[target]


class BuildPrograms(build_py):
    def run(self):
        super().run()
        to = Path(self.build_lib).resolve() / "sinew" / "bin"
        to.mkdir(parents=True, exist_ok=True)
        command = ["go", "build", "-trimpath", "-ldflags=-s", "-o", f"{to}{os.sep}", "./cmd/tendonsim", "./cmd/microrobot"]
        subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "CGO_ENABLED": "0"})
        robots = to.parent / "robots"
        robots.mkdir(exist_ok=True)
        for folder in ("robots", "worlds"):
            for path in (ROOT / "launch" / folder).iterdir():
                if path.suffix in (".yaml", ".stl"):
                    shutil.copy(path, robots)


class PlatformWheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", platform()


setup(cmdclass={"build_py": BuildPrograms, "bdist_wheel": PlatformWheel})

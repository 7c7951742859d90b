"""The part of launch.launch_description_sources that our launch files use."""
from . import load


class PythonLaunchDescriptionSource:
    def __init__(self, path):
        self.path = path

    def description(self):
        return load(self.path)

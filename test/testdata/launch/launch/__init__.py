"""Stands in for the launch system of ROS 2, which Debian does not have: what our
launch files use of it, and resolve() instead of running anything."""
import importlib.util


class LaunchDescription:
    def __init__(self, entities):
        self.entities = entities


class Context(dict):
    """The launch configurations."""


def load(path):
    """The launch description of a file."""
    spec = importlib.util.spec_from_file_location('launch_file', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.generate_launch_description()


def text_of(value, context):
    """The text of a substitution, of a list of them, or of plain text."""
    if isinstance(value, (list, tuple)):
        return ''.join(text_of(v, context) for v in value)
    return value if isinstance(value, str) else value.perform(context)


def resolve(description, context):
    """The processes that the description would start."""
    started = []
    for entity in description.entities:
        started += entity.visit(context)
    return started

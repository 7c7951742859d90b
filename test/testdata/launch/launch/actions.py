"""The part of launch.actions that our launch files use."""
from . import LaunchDescription, resolve, text_of


class Shutdown:
    pass


class DeclareLaunchArgument:
    def __init__(self, name, *, default_value, description):
        assert isinstance(description, str)
        self.name, self.default = name, default_value

    def visit(self, context):
        context.setdefault(self.name, text_of(self.default, context))
        return []


class OpaqueFunction:
    def __init__(self, *, function):
        self.function = function

    def visit(self, context):
        return resolve(LaunchDescription(self.function(context)), context)


class IncludeLaunchDescription:
    def __init__(self, source, *, launch_arguments=()):
        self.source, self.arguments = source, launch_arguments

    def visit(self, context):
        for name, value in self.arguments:
            context[name] = text_of(value, context)
        return resolve(self.source.description(), context)


class ExecuteProcess:
    def __init__(self, *, cmd, name, output, on_exit):
        assert output == 'screen' and isinstance(on_exit, Shutdown)
        self.cmd, self.name = cmd, name

    def visit(self, context):
        return [{'name': self.name, 'cmd': [text_of(part, context) for part in self.cmd]}]


class LogInfo:
    def __init__(self, *, msg):
        self.message = msg

    def visit(self, context):
        return [{'message': text_of(self.message, context)}]

"""The part of launch_ros.actions that our launch files use."""


class Node:
    def __init__(self, *, package, executable, name, namespace, arguments, remappings):
        self.start = {'package': package, 'executable': executable, 'name': name, 'namespace': namespace,
                      'arguments': arguments, 'remappings': dict(remappings)}

    def visit(self, context):
        return [self.start]

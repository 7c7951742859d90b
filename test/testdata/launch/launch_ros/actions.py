"""The part of launch_ros.actions that our launch files use."""


class Node:
    def __init__(self, *, package, executable, name='', namespace='', arguments=(), remappings=(), parameters=(), output='log'):
        self.start = {'package': package, 'executable': executable, 'name': name, 'namespace': namespace,
                      'arguments': list(arguments), 'remappings': dict(remappings), 'parameters': list(parameters)}

    def visit(self, context):
        return [self.start]

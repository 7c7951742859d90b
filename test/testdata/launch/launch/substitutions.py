"""The part of launch.substitutions that our launch files use."""


class LaunchConfiguration:
    def __init__(self, name):
        self.name = name

    def perform(self, context):
        return context[self.name]

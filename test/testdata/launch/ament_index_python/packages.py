"""The part of ament_index_python.packages that our launch files use. Installed are the
packages that the variable INSTALLED names."""
import os


class PackageNotFoundError(KeyError):
    pass


def get_package_prefix(package):
    if package not in os.environ['INSTALLED'].split():
        raise PackageNotFoundError(package)
    return '/opt/ros'

"""Starts one of the two programs as a ROS 2 node; included by tendonsim.launch.py and microrobot.launch.py."""
import os
import shutil

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, LogInfo, OpaqueFunction, Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

HERE = os.path.dirname(os.path.abspath(__file__))

ARGUMENTS = {  # name: default, description
    'program': ('tendonsim', 'tendonsim or microrobot.'),
    'name': (LaunchConfiguration('program'), 'Node name; topics are /NS/NAME/measured_cp and so on.'),
    'ns': ('/', 'Namespace, for several robots in one domain.'),
    'config': ('', 'Robot file; empty for the built-in robot.'),
    'robots': ('', 'Fleet file: several robots instead of one, with names of their own; it takes no config or rviz.'),
    'params': ('', 'ROS 2 parameter file with values that win over those of the robot file.'),
    'demo': ('false', 'Run the demo motion until the first command.'),
    'ros': ('ros2', 'Networks to serve: ros2, or both for ROS 1 as well.'),
    'rviz': ('true', 'Show the robot in rviz2.'),
    'view': ('', 'Configuration of rviz2; empty for that of the program.'),
    'record': ('', "Record the robot's topics to this .mcap file; of robots each to one with its name, x.arms.left.mcap; empty for no recording."),
}


def find(program):
    """The program is static: it needs no ROS, only to be found. Built beside this
    file (go build -o launch/bin/ ./cmd/...), installed by colcon, or in PATH."""
    installed = os.path.join(HERE, '..', '..', 'lib', 'sinew_bringup', program)
    for path in (os.path.join(HERE, 'bin', program), installed):
        if os.access(path, os.X_OK):
            return os.path.abspath(path)
    path = shutil.which(program)
    if path is None:
        raise RuntimeError(f'{program} is not built; run: go build -o launch/bin/ ./cmd/...')
    return path


def command(program, ns, name, config, robots, params, demo, ros, record):
    """The command line of the robot."""
    line = [find(program), 'run', '--ros', ros, '--demo' if is_true(demo) else '--no-demo']
    line += ['--config', config] if config else []
    line += ['--robots', robots] if robots else []
    line += ['--record', record] if record else []
    line += ['--ros-args', '-r', f'__node:={name}']
    line += ['-r', f'__ns:={ns}'] if ns.strip('/') else []
    line += ['--params-file', params] if params else []
    return line


def installed(package):
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        return False
    return True


def is_true(text):
    return text.lower() in ('true', '1', 'yes', 'on')


def start(context):
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    rviz, program, name = value.pop('rviz'), value['program'], value['name']
    view = value.pop('view') or os.path.join(HERE, program + '_ros2.rviz')
    ns = value['ns'] = '/' + value['ns'].strip('/')
    actions = [ExecuteProcess(cmd=command(**value), name=name, output='screen', on_exit=Shutdown())]
    if value['robots']:
        return actions  # a configuration of rviz2 is of one robot
    if is_true(rviz) and not installed('rviz2'):
        actions.append(LogInfo(msg='WARNING: rviz2 is not installed: the robot runs without a picture (rviz:=false silences this)'))
    elif is_true(rviz):
        node = ns.rstrip('/') + '/' + name
        actions.append(Node(
            package='rviz2', executable='rviz2', name=name + '_rviz', namespace=ns,
            arguments=['-d', view],
            remappings=[(f'/{program}/{topic}', f'{node}/{topic}') for topic in ('markers', 'tip_path', 'path', 'robot_description')],
        ))
    return actions


def generate_launch_description():
    arguments = [DeclareLaunchArgument(n, default_value=d, description=t) for n, (d, t) in ARGUMENTS.items()]
    return LaunchDescription([*arguments, OpaqueFunction(function=start)])

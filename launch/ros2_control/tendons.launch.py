"""Drives a running tendonsim robot with ros2_control: ros2 launch launch/ros2_control/tendons.launch.py

The robot runs beside it: ros2 launch launch/tendonsim.launch.py
"""
import os

import xacro
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

HERE = os.path.dirname(os.path.abspath(__file__))

ARGUMENTS = {  # name: default, description
    'node': ('/tendonsim', 'Absolute name of the node of the robot.'),
    'tendons': ('long_up long_left short_down short_right', 'Names of its tendons.'),
    'command': ('effort', 'effort for tensions (N), position for pulls (m).'),
    'controllers': (os.path.join(HERE, 'controllers.yaml'), 'Controllers and their tendons.'),
    'controller': ('tension_controller', 'The controller that commands.'),
}


def start(context):
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    mappings = {name: value[name] for name in ('node', 'tendons', 'command')}
    urdf = xacro.process_file(os.path.join(HERE, 'tendons.urdf.xacro'), mappings=mappings).toxml()
    description = {'robot_description': urdf}
    return [
        Node(package='robot_state_publisher', executable='robot_state_publisher', parameters=[description]),
        Node(package='controller_manager', executable='ros2_control_node', parameters=[description, value['controllers']], output='screen'),
        *(Node(package='controller_manager', executable='spawner', arguments=[name, '--param-file', value['controllers']])
          for name in ('joint_state_broadcaster', value['controller'])),
    ]


def generate_launch_description():
    arguments = [DeclareLaunchArgument(n, default_value=d, description=t) for n, (d, t) in ARGUMENTS.items()]
    return LaunchDescription([*arguments, OpaqueFunction(function=start)])

"""Moves the motors of a running arm_with_rod with ros2_control: ros2 launch launch/ros2_control/arm.launch.py

The robot runs beside it: ros2 launch launch/mechanism.launch.py robot:=arm_with_rod
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
}


def start(context):
    node = LaunchConfiguration('node').perform(context)
    description = {'robot_description': xacro.process_file(os.path.join(HERE, 'arm.urdf.xacro'), mappings={'node': node}).toxml()}
    controllers = os.path.join(HERE, 'arm_controllers.yaml')
    return [
        # gives the description to controller managers that read it from its topic; the frames on /tf are the robot's own
        Node(package='robot_state_publisher', executable='robot_state_publisher', parameters=[description],
             remappings=[('/tf', '/arm_control/tf'), ('/tf_static', '/arm_control/tf_static')]),
        Node(package='controller_manager', executable='ros2_control_node', parameters=[description, controllers], output='screen'),
        *(Node(package='controller_manager', executable='spawner', arguments=[name, '--param-file', controllers])
          for name in ('joint_state_broadcaster', 'arm_controller')),
    ]


def generate_launch_description():
    arguments = [DeclareLaunchArgument(n, default_value=d, description=t) for n, (d, t) in ARGUMENTS.items()]
    return LaunchDescription([*arguments, OpaqueFunction(function=start)])

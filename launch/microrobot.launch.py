"""Simulates a magnetic microrobot: ros2 launch sinew_bringup microrobot.launch.py

It takes the arguments of robot.launch.py (name, ns, config, rviz, record, ...); --show-args lists them.
"""
import os

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource


def generate_launch_description():
    robot = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'robot.launch.py')
    return LaunchDescription([IncludeLaunchDescription(
        PythonLaunchDescriptionSource(robot), launch_arguments=[('program', 'microrobot')])])

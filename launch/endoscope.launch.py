"""Simulates an endoscope in a tube like the end of a colon: ros2 launch sinew_bringup endoscope.launch.py

It takes the arguments of robot.launch.py (name, ns, rviz, record, ...); --show-args lists them.
"""
import os

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource

HERE = os.path.dirname(os.path.abspath(__file__))


def generate_launch_description():
    return LaunchDescription([IncludeLaunchDescription(
        PythonLaunchDescriptionSource(os.path.join(HERE, 'robot.launch.py')),
        launch_arguments=[
            ('program', 'tendonsim'),
            ('config', os.path.join(HERE, 'worlds', 'endoscope.yaml')),
            ('view', os.path.join(HERE, 'endoscope_ros2.rviz')),
        ])])

"""Simulates a robot of several rods, bodies and joints: ros2 launch sinew_bringup mechanism.launch.py robot:=arm_with_rod

It takes the arguments of robot.launch.py (name, ns, rviz, record, ...); --show-args lists them.
"""
import os

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration

HERE = os.path.dirname(os.path.abspath(__file__))
ROBOTS = 'six_leg_robot, gripper_with_ball, tendon_hand, arm_with_rod, y_tree, thrown_ring or double_pendulum.'
VIEWS = ('tendon_hand', 'thrown_ring')  # robots that are much smaller, or move much farther, than the others


def start(context):
    robot = LaunchConfiguration('robot').perform(context)
    view = robot if robot in VIEWS else 'mechanism'
    return [IncludeLaunchDescription(
        PythonLaunchDescriptionSource(os.path.join(HERE, 'robot.launch.py')),
        launch_arguments=[
            ('program', 'tendonsim'),
            ('config', os.path.join(HERE, 'robots', robot + '.yaml')),
            ('view', os.path.join(HERE, view + '_ros2.rviz')),
        ])]


def generate_launch_description():
    return LaunchDescription([DeclareLaunchArgument('robot', default_value='gripper_with_ball', description=ROBOTS), OpaqueFunction(function=start)])

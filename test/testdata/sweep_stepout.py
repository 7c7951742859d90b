#!/usr/bin/python3
"""Records how fast a magnetic body turns in a rotating field, frequency by frequency.

The field turns about z. Below the step-out frequency the body turns with it; above,
it slips, and its mean rate drops. The angles of body and field come from measured_cp
and field_at_robot, matched by their stamps; above step-out the mean is taken over
whole slips, so that it does not depend on where in a slip the recording begins.

Writes lines of frequency_hz,rate_hz,slips to a CSV file.

Usage: sweep_stepout.py FILE AMPLITUDE_T SECONDS FREQUENCY_HZ...
"""
import math
import sys

import rospy
from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import MagneticField
from sinew_msgs.msg import RotatingField

SETTLING = 0.5  # s after a change of frequency that are not used
LARGEST = 0.35  # turns of the field between two samples: more cannot be told from less
TRIES = 10  # for a recording without a larger gap


class Unwound:
    """An angle without jumps."""

    def __init__(self):
        self.turns = None  # in turns

    def add(self, angle):
        angle /= 2 * math.pi
        if self.turns is None:
            self.turns = angle
        else:
            self.turns += (angle - self.turns + 0.5) % 1 - 0.5
        return self.turns


class Recorder:
    """Keeps time, angle of the body and lag behind the field, in turns."""

    def __init__(self):
        self.clear()
        rospy.Subscriber("/microrobot/measured_cp", PoseStamped, self.keep_pose, queue_size=200)
        rospy.Subscriber("/microrobot/field_at_robot", MagneticField, self.keep_field, queue_size=200)

    def clear(self):
        """Forgets what was recorded."""
        self.poses, self.fields = [], {}

    def keep_pose(self, pose):
        q = pose.pose.orientation
        self.poses.append((pose.header.stamp.to_sec(), 2 * math.atan2(q.z, q.w)))

    def keep_field(self, field):
        b = field.magnetic_field
        self.fields[field.header.stamp.to_sec()] = math.atan2(b.y, b.x)

    def samples(self):
        """Times for which there are both, with the angle of the body and the lag."""
        body, field = Unwound(), Unwound()
        rows = []
        for t, angle in self.poses:
            if t in self.fields:
                turns = body.add(angle)
                rows.append((t, turns, field.add(self.fields[t]) - turns))
        return rows

    @staticmethod
    def complete(samples, frequency):
        """Whether no gap between samples is too large."""
        longest = max((b[0] - a[0] for a, b in zip(samples, samples[1:])), default=math.inf)
        return longest * frequency < LARGEST

    @staticmethod
    def rate(samples):
        """Mean rate of the body (Hz), and over how many slips it was taken."""
        marks = []  # when the lag grew past a whole number of turns and a half
        for before, after in zip(samples, samples[1:]):
            level = math.floor(before[2] + 0.5) + 0.5
            if before[2] < level <= after[2]:
                part = (level - before[2]) / (after[2] - before[2])
                marks.append([a + part * (b - a) for a, b in zip(before, after)])
        if len(marks) < 2:
            marks = [samples[0], samples[-1]]
            slips = 0
        else:
            slips = len(marks) - 1
        (t0, b0, _), (t1, b1, _) = marks[0], marks[-1]
        return (b1 - b0) / (t1 - t0), slips


def record(commands, recorder, message, seconds):
    """Commands the field and returns what was sampled after it settled."""
    clock = rospy.Rate(20)  # more often than the robot's command timeout asks
    begin = rospy.get_time()
    settled = False
    while rospy.get_time() < begin + SETTLING + seconds:
        commands.publish(message)
        if not settled and rospy.get_time() > begin + SETTLING:
            recorder.clear()
            settled = True
        clock.sleep()
    return recorder.samples()


def main():
    name, amplitude, seconds = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    rospy.init_node("sweep_stepout")
    commands = rospy.Publisher("/microrobot/rotating_field", RotatingField, queue_size=1)
    recorder = Recorder()
    message = RotatingField()
    message.header.frame_id = "world"
    message.axis.z, message.amplitude = 1, amplitude
    with open(name, "w") as out:
        print("frequency_hz,rate_hz,slips", file=out)
        for frequency in map(float, sys.argv[4:]):
            message.frequency = frequency
            samples = []
            for _ in range(TRIES):
                samples = record(commands, recorder, message, seconds)
                if recorder.complete(samples, frequency):
                    break
            else:
                sys.exit("samples at %g Hz are too far apart" % frequency)
            rate, slips = recorder.rate(samples)
            print("%g,%.5f,%d" % (frequency, rate, slips), file=out)


if __name__ == "__main__":
    main()

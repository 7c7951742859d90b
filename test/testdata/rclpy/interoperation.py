"""What a user of rclpy does with a running tendonsim, each case by the API of rclpy alone.
Environment: PRODUCT is the program, RECORDINGS a folder for what it records."""
import contextlib
import importlib
import os
import subprocess
import tempfile
import threading
import time
import unittest

import rclpy
import yaml
from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped
from lifecycle_msgs.msg import Transition, TransitionEvent
from lifecycle_msgs.srv import ChangeState, GetAvailableStates, GetAvailableTransitions, GetState
from rcl_interfaces.msg import Log, ParameterEvent
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter, parameter_value_to_python
from rclpy.parameter_client import AsyncParameterClient
from rclpy.qos import DurabilityPolicy, QoSPolicyKind, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import CameraInfo, Imu, JointState
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import SetBool, Trigger
from type_description_interfaces.srv import GetTypeDescription

LIMIT = 60.0  # s, for what comes at once on an idle machine
LATCHED = QoSProfile(depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL)
FOREIGN = ('sinew_msgs', 'simulation_interfaces', 'tf2_msgs', 'vision_msgs')  # packages without a wheel
SHOULD_STAY_SILENT = {'/tendonsim/hil_error'}  # without hardware there is no error


class Product:
    """A running tendonsim, whose output is read while it runs."""

    def __init__(self, *args):
        command = [os.environ['PRODUCT'], 'run', '--ros', 'ros2', '--no-demo', '--view', 'off', *args]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.output = ''
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.output += line

    def end(self):
        self.process.terminate()
        return self.process.wait(LIMIT)


class Case(unittest.TestCase):
    args = ()

    @classmethod
    def setUpClass(cls):
        cls.product = Product(*cls.args)
        rclpy.init()
        cls.node = Node('user', enable_rosout=False)
        cls.executor = SingleThreadedExecutor()
        cls.executor.add_node(cls.node)
        cls.thread = threading.Thread(target=cls.spin)
        cls.thread.start()
        cls.clients, cls.subscriptions = {}, {}

    @classmethod
    def spin(cls):
        with contextlib.suppress(ExternalShutdownException):
            cls.executor.spin()

    @classmethod
    def tearDownClass(cls):
        rclpy.shutdown()
        cls.thread.join()
        code = cls.product.end()
        assert code == 0, f'ended with {code}:\n{cls.product.output}'

    def wait(self, what, done):
        end = time.monotonic() + LIMIT
        while not done():
            self.assertLess(time.monotonic(), end, f'{what}: not within {LIMIT} s\n{self.product.output}')
            self.assertIsNone(self.product.process.poll(), f'the program has ended:\n{self.product.output}')
            time.sleep(0.01)

    def result(self, future):
        self.wait('an answer', future.done)
        return future.result()

    def call(self, name, kind, request=None):
        client = self.clients.get(name)
        if client is None:
            client = self.clients[name] = self.node.create_client(kind, '/tendonsim/' + name)
        self.wait('server of ' + name, client.service_is_ready)
        return self.result(client.call_async(request or kind.Request()))

    def subscribe(self, topic, kind, qos=10, **more):
        got = []
        self.subscriptions[topic] = self.node.create_subscription(kind, topic, got.append, qos, **more)
        return got


def find(kind):
    """The class of a type by its name, such as std_msgs/msg/String."""
    package, folder, name = kind.split('/')
    return getattr(importlib.import_module(f'{package}.{folder}'), name)


class Topics(Case):
    args = ('--ros-args', '-p', 'rates.publish_hz:=25.0')  # Python takes 20 topics at 200 Hz only on an idle machine

    def graph(self, ask):
        self.wait('the node in the graph', lambda: 'tendonsim' in self.node.get_node_names())
        previous = None
        while previous is None or previous != ask('tendonsim', '/'):
            previous = ask('tendonsim', '/')
            time.sleep(1)
        return {name: kinds[0] for name, kinds in previous if kinds[0].split('/')[0] not in FOREIGN}

    def test_out(self):
        """Every topic arrives, and its type has the hash of the ROS 2 release."""
        topics = self.graph(self.node.get_publisher_names_and_types_by_node)
        self.assertGreater(len(topics), 12, topics)
        received = {name: self.subscribe(name, find(kind), LATCHED if name in ('/rosout', '/tendonsim/robot_description') else 10)
                    for name, kind in topics.items()}
        for name in topics:
            own = {str(i.topic_type_hash) for i in self.node.get_subscriptions_info_by_topic(name) if i.node_name == 'user'}
            theirs = {str(i.topic_type_hash) for i in self.node.get_publishers_info_by_topic(name) if i.node_name == 'tendonsim'}
            self.assertEqual((own, len(own)), (theirs, 1), name)
        parameters = AsyncParameterClient(self.node, '/tendonsim')
        self.wait('the services of parameters', parameters.services_are_ready)

        def cause_events():  # of transitions and of parameters; the node may not know the subscriptions yet
            self.call('disable', Trigger)
            self.call('enable', Trigger)
            for rate in (10.0, 20.0):
                self.result(parameters.set_parameters([Parameter('rates.marker_hz', value=rate)]))

        for name, messages in received.items():
            self.wait(name, lambda: messages or name in SHOULD_STAY_SILENT or cause_events())
            self.node.destroy_subscription(self.subscriptions[name])  # a busy machine has no time for all of them
        tip, joints = received['/tendonsim/measured_cp'][-1], received['/tendonsim/measured_js'][-1]
        self.assertEqual(tip.header.frame_id, 'world')
        self.assertEqual((set(joints.name), len(joints.position)), ({'long_up', 'long_left', 'short_down', 'short_right'}, 4))
        self.assertIn('<link name="tendonsim/base"/>', received['/tendonsim/robot_description'][-1].data)

    def test_in(self):
        """Commands have their effect, of either reliability, and their types the hashes of the release."""
        topics = self.graph(self.node.get_subscriber_names_and_types_by_node)
        self.assertGreater(len(topics), 6, topics)
        for name, kind in topics.items():
            publisher = self.node.create_publisher(find(kind), name, 10)
            self.wait('two readers of ' + name, lambda: len(self.node.get_subscriptions_info_by_topic(name)) >= 1)
            own = {str(i.topic_type_hash) for i in self.node.get_publishers_info_by_topic(name)}
            theirs = {str(i.topic_type_hash) for i in self.node.get_subscriptions_info_by_topic(name)}
            self.assertEqual((own, len(own)), (theirs, 1), name)
            self.node.destroy_publisher(publisher)
        applied = self.subscribe('/tendonsim/setpoint_js', JointState)
        for reliability in (ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT):
            publisher = self.node.create_publisher(JointState, '/tendonsim/servo_jf', QoSProfile(depth=1, reliability=reliability))
            for force in (2.0, 0.0):
                def there():
                    publisher.publish(JointState(name=['long_up'], effort=[force]))
                    return applied and applied[-1].effort[list(applied[-1].name).index('long_up')] == force
                self.wait(f'{force} N, {reliability.name}', there)
            self.node.destroy_publisher(publisher)

    def test_quality_of_service(self):
        """Both sides learn that they do not match."""
        asked, offered = [], []
        log = self.subscribe('/rosout', Log, LATCHED)
        self.subscribe('/tendonsim/measured_cp', PoseStamped, LATCHED,
                       event_callbacks=SubscriptionEventCallbacks(incompatible_qos=asked.append))
        self.wait('the event of the subscription', lambda: asked)
        self.assertEqual(asked[-1].last_policy_kind, QoSPolicyKind.DURABILITY)
        self.wait('the line in the log', lambda: any('endpoint not matched' in m.msg and 'durability' in m.msg.lower()
                                                     and 'measured_cp' in m.msg for m in log))
        before = self.product.output.count('endpoint not matched')
        publisher = self.node.create_publisher(String, '/tendonsim/state_command', QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT),
                                               event_callbacks=PublisherEventCallbacks(incompatible_qos=offered.append))
        self.wait('the event of the publisher', lambda: offered)  # of one of the two readers of a command
        self.assertEqual(offered[-1].last_policy_kind, QoSPolicyKind.RELIABILITY)
        paused = self.subscribe('/tendonsim/transition_event', TransitionEvent)
        publisher.publish(String(data='disable'))
        self.wait('the command', lambda: paused or publisher.publish(String(data='disable')))
        self.assertEqual(self.product.output.count('endpoint not matched'), before, self.product.output)
        self.call('enable', Trigger)

    def test_rosout(self):
        """The log from before the subscription came, by its node's name, and what comes later."""
        log = self.subscribe('/rosout', Log, LATCHED)
        self.wait('lines', lambda: any(m.name == 'tendonsim' and m.level == 20 for m in log))
        self.call('enable', Trigger)
        publisher = self.node.create_publisher(Float64MultiArray, '/tendonsim/tensions', 10)
        self.wait('the refused command', lambda: any('command refused' in m.msg and '3 values, want 4' in m.msg for m in log)
                  or publisher.publish(Float64MultiArray(data=[1.0, 2.0, 3.0])))


SENSED = """
rod: {length_m: 0.2, radius_m: 0.001, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, density_kg_per_m3: 2000, elements: 6}
base: {direction: [1, 0, 0], normal: [0, 0, 1]}
tendons: []
initial_state: equilibrium
sensors:
  - {name: imu, rate_hz: 50, latency_s: 0.03, imu: {angular_velocity_error: {noise: 0.1}}}
  - {name: tracker, rate_hz: 20, pose: {position_error: {noise: 0.002}, rotation_error: {noise: 0.1}}}
  - {name: camera, rate_hz: 20, camera: {world: true, position_m: [0, 0, -1], width_px: 640, height_px: 480, fx_px: 600, distortion: [0.1, 0, 0, 0], markers: [{name: tip}]}}
rates: {publish_hz: 10, marker_hz: 1}
"""


class Sensors(Case):
    """Every measurement arrives once, with the time at which it was taken, though the robot publishes more seldom."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        file = os.path.join(cls.folder.name, 'robot.yaml')
        with open(file, 'w') as f:
            f.write(SENSED)
        cls.args = ('--config', file, '--clock')  # stamps are simulated time, which knows no hold-ups
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    def test_imu(self):
        got = self.subscribe('/tendonsim/sensors/imu', Imu, qos=100)
        self.wait('a hundred measurements', lambda: len(got) >= 100)
        taken = [m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for m in got]
        periods = [b - a for a, b in zip(taken, taken[1:])]
        self.assertEqual(sum(not 0.0199 < p < 0.0201 for p in periods), 0, f'measurements every 20 ms are {periods} apart')
        m = got[-1]
        self.assertEqual(m.orientation_covariance[0], -1)
        self.assertAlmostEqual(m.angular_velocity_covariance[0], 0.01)
        force = (m.linear_acceleration.x**2 + m.linear_acceleration.y**2 + m.linear_acceleration.z**2) ** 0.5
        self.assertAlmostEqual(force, 9.80665, places=3)
        self.assertTrue(m.header.frame_id.endswith('sensors/imu'), m.header.frame_id)

    def test_covariance(self):
        got = self.subscribe('/tendonsim/sensors/tracker/with_covariance', PoseWithCovarianceStamped, qos=100)
        self.wait('measurements', lambda: len(got) >= 3)
        want = [0.0] * 36
        want[::7] = [4e-6] * 3 + [0.01] * 3
        for a, b in zip(got[-1].pose.covariance, want):
            self.assertAlmostEqual(a, b, places=12)
        self.assertEqual(got[-1].header.frame_id, 'world')

    def test_optics(self):
        """They are kept for whoever comes later, beside points of a type that has no wheel."""
        got = self.subscribe('/tendonsim/sensors/camera/camera_info', CameraInfo, LATCHED)
        self.wait('the optics', lambda: got)
        m = got[0]
        self.assertEqual((m.width, m.height, m.distortion_model, list(m.d)), (640, 480, 'plumb_bob', [0.1, 0.0, 0.0, 0.0, 0.0]))
        self.assertEqual(list(m.k), [600.0, 0.0, 319.5, 0.0, 600.0, 239.5, 0.0, 0.0, 1.0])
        self.assertTrue(m.header.frame_id.endswith('sensors/camera'), m.header.frame_id)
        own = {str(i.topic_type_hash) for i in self.node.get_subscriptions_info_by_topic('/tendonsim/sensors/camera/camera_info') if i.node_name == 'user'}
        theirs = {str(i.topic_type_hash) for i in self.node.get_publishers_info_by_topic('/tendonsim/sensors/camera/camera_info')}
        self.assertEqual(own, theirs)
        points = self.node.get_publishers_info_by_topic('/tendonsim/sensors/camera')
        self.assertEqual([i.topic_type for i in points], ['vision_msgs/msg/Detection2DArray'])


class Services(Case):
    args = ('--record-dir', os.environ['RECORDINGS'])

    def test_services(self):
        """Every service of a package that has a wheel answers."""
        t = Trigger
        for name in ('save_state', 'restore_state', 'take_command', 'disable', 'enable', 'reset', 'e_stop', 'reset', 'enable'):
            answer = self.call(name, t)
            self.assertTrue(answer.success and answer.message, f'{name}: {answer}')
        for on in (True, False):
            answer = self.call('pause', SetBool, SetBool.Request(data=on))
            self.assertTrue(answer.success and answer.message, answer)
        for name in ('start_recording', 'stop_recording'):
            answer = self.call(name, t)
            self.assertTrue(answer.success and answer.message, f'{name}: {answer}')
        hash_ = self.node.get_publishers_info_by_topic('/tendonsim/measured_js')[0].topic_type_hash
        answer = self.call('get_type_description', GetTypeDescription,
                           GetTypeDescription.Request(type_name='sensor_msgs/msg/JointState', type_hash=str(hash_)))
        self.assertTrue(answer.successful, answer.failure_reason)
        self.assertEqual([f.name for f in answer.type_description.type_description.fields], ['header', 'name', 'position', 'velocity', 'effort'])
        self.lifecycle()
        offered = {name.rsplit('/', 1)[1] for name, kinds in self.node.get_service_names_and_types_by_node('tendonsim', '/')
                   if kinds[0].split('/')[0] not in FOREIGN + ('rcl_interfaces',)}
        self.assertEqual(offered, set(self.clients), 'services offered and called')

    def lifecycle(self):
        """As of any managed node, by label and by number."""
        events = self.subscribe('/tendonsim/transition_event', TransitionEvent)
        state = lambda: self.call('get_state', GetState).current_state.label
        change = lambda **t: self.call('change_state', ChangeState, ChangeState.Request(transition=Transition(**t))).success
        self.wait('a first event', lambda: events or (change(label='deactivate') and change(label='activate')) and None)
        self.assertEqual(state(), 'active')
        for transition, goal in (({'label': 'deactivate'}, 'inactive'), ({'id': Transition.TRANSITION_ACTIVATE}, 'active'),
                                 ({'id': Transition.TRANSITION_DEACTIVATE}, 'inactive'), ({'label': 'configure'}, 'inactive'),
                                 ({'label': 'activate'}, 'active')):
            self.assertTrue(change(**transition), transition)
            self.assertEqual(state(), goal)
            self.wait('an event of ' + goal, lambda: events and events[-1].goal_state.label == goal)
        self.assertFalse(change(label='none'))
        self.assertEqual(state(), 'active')
        states = {s.label for s in self.call('get_available_states', GetAvailableStates).available_states}
        self.assertLessEqual({'inactive', 'active', 'finalized'}, states)
        possible = {t.transition.label for t in self.call('get_available_transitions', GetAvailableTransitions).available_transitions}
        self.assertLessEqual({'deactivate'}, possible)
        graph = self.call('get_transition_graph', GetAvailableTransitions).available_transitions
        self.assertLessEqual({'activate', 'deactivate'}, {t.transition.label for t in graph})


class Parameters(Case):
    limit = 'tendons.long_up.limits.max_tension_n'
    small = 'tendons.long_up.limits.max_rate_m_per_s'

    def setUp(self):
        self.client = AsyncParameterClient(self.node, '/tendonsim')
        self.wait('the services', self.client.services_are_ready)

    def values(self, *names):
        return [parameter_value_to_python(v) for v in self.result(self.client.get_parameters(list(names))).values]

    def test_read(self):
        names = self.result(self.client.list_parameters([], 0)).result.names
        self.assertGreater(len(names), 100)
        self.assertIn('use_sim_time', names)
        below = self.result(self.client.list_parameters(['tendons.long_up.limits'], 1)).result
        self.assertEqual((len(below.names), below.prefixes), (4, ['tendons.long_up.limits']))
        self.assertEqual(self.values('rates.publish_hz', 'none', 'use_sim_time', 'rod.elements', 'solver.method'),
                         [200.0, None, False, 20, 'implicit'])
        types = self.result(self.client.get_parameter_types(['rod.elements', 'accept', 'rates.publish_hz', 'none'])).types
        self.assertEqual([Parameter.Type(t).name for t in types], ['INTEGER', 'STRING_ARRAY', 'DOUBLE', 'NOT_SET'])
        rate, modulus = self.result(self.client.describe_parameters(['rates.publish_hz', 'rod.youngs_modulus_pa'])).descriptors
        self.assertEqual((rate.read_only, modulus.read_only, rate.floating_point_range[0].to_value), (False, True, 20000.0))
        self.assertIn('Hz', rate.description)

    def test_set(self):
        events = self.subscribe('/parameter_events', ParameterEvent)
        good, bad = Parameter(self.limit, value=3.0), Parameter('rates.publish_hz', value=-1.0)
        self.wait('a first event', lambda: any(e.node == '/tendonsim' for e in events) or [
            self.result(self.client.set_parameters([Parameter('rates.marker_hz', value=rate)])) for rate in (10.0, 20.0)] and None)
        results = self.result(self.client.set_parameters([good, bad, Parameter('none', value=1.0), Parameter('rod.youngs_modulus_pa', value=2e6)])).results
        self.assertEqual([r.successful for r in results], [True, False, False, False], results)
        for r, reason in zip(results[1:], ('out of range', 'no such parameter', 'fixed while the robot runs')):
            self.assertIn(reason, r.reason)
        self.wait('the event', lambda: any(e.node == '/tendonsim' and [p.name for p in e.changed_parameters] == [self.limit] for e in events))
        both = [Parameter(self.limit, value=4.0), bad]
        self.assertFalse(self.result(self.client.set_parameters_atomically(both)).result.successful)
        self.assertEqual(self.values(self.limit), [3.0])
        both[1] = Parameter('rates.publish_hz', value=100.0)
        self.assertTrue(self.result(self.client.set_parameters_atomically(both)).result.successful)
        self.assertEqual(self.values(self.limit, 'rates.publish_hz'), [4.0, 100.0])

    def dump(self):
        """What ros2 param dump writes: one tree of the values of all parameters."""
        names, tree = self.result(self.client.list_parameters([], 0)).result.names, {}
        for name, value in zip(names, self.values(*names)):
            *folders, last = name.split('.')
            branch = tree
            for f in folders:
                branch = branch.setdefault(f, {})
            branch[last] = value.tolist() if hasattr(value, 'tolist') else value
        return names, yaml.dump({'/tendonsim': {'ros__parameters': tree}}, default_flow_style=False)

    def test_dump_and_load(self):
        """The file can be loaded, and another program started with it: all values are the same."""
        values = {self.small: 1e-6, self.limit: 3.25, 'rates.marker_hz': 1e-2}
        results = self.result(self.client.set_parameters([Parameter(k, value=v) for k, v in values.items()])).results
        self.assertTrue(all(r.successful for r in results), results)
        names, text = self.dump()
        was = self.values(*names)
        with tempfile.TemporaryDirectory() as directory:
            file = os.path.join(directory, 'tendonsim.yaml')
            with open(file, 'w') as f:
                f.write(text)
            for name in values:
                self.result(self.client.set_parameters([Parameter(name, value=2.0)]))
            for name, r in zip(names, self.result(self.client.load_parameter_file(file)).results):
                self.assertTrue(r.successful, f'{name}: {r.reason}')
            self.assertEqual(self.values(*names), was)
            self.assertEqual(self.values(*values), list(values.values()))
            with open(file, 'w') as f:
                f.write(text.replace('/tendonsim:', '/other:'))
            other = Product('--ros-args', '-r', '__node:=other', '--params-file', file)
            try:
                self.client = AsyncParameterClient(self.node, '/other')
                self.wait('the services of the other', self.client.services_are_ready)
                self.assertEqual(self.values(*names), was)
            finally:
                other.end()


if __name__ == '__main__':
    unittest.main()

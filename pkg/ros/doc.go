// Package ros serves any sim.Model to ROS networks.
//
// Bridge maps each kind of port to its message type once, publishes the
// simulator's snapshots with their frames, markers and diagnostics, and turns
// arriving messages into commands. It speaks through Transport, behind which
// stand ROS 1 (package ros1), ROS 2 (package ros2) and recordings (package
// record). Package naming resolves the names of its topics.
//
// A ModelPublisher publishes what a Bridge says of a model without a loop, and a
// PassiveBridge serves a loop on another clock than the computer's: simulations and
// replays give the same messages as a node.
//
// Every robot has, beside the topics of its ports:
//
//	/tf                frames, at the publishing rate but at most 100 Hz
//	/diagnostics       step loop, commands and solver (REP 107), 1 Hz
//	/clock             with Options.SimTime, every snapshot
//	~operating_state   latched, on change and 1 Hz
//	~sim_stats         1 Hz
//	~markers           the scene in frame world, at the marker rate but at most 30 Hz
//	~state_command     requests as text: enable, disable, pause, resume, reset,
//	                   e_stop, save_state, restore_state, take_command,
//	                   demo, step N
//
// With Options.Hardware a real robot is compared with the simulated one:
//
//	~hardware/measured_cp   in, its pose
//	~hardware/measured_js   in, its tendons or joints
//	~hil_error              out, for every pose of it that can be compared
//
// Where the network has them there are the services ~reset, ~enable, ~disable,
// ~e_stop, ~save_state, ~restore_state, ~take_command, ~pause and ~step, and ~demo with Options.Demo.
package ros

// Package ros2 is the ros.Transport for ROS 2: the conventions that ROS 2 lays
// over DDS, spoken by a participant of package rtps, without a ROS installation.
//
// What ROS 2 nodes of Humble and later, on Fast DDS and Cyclone DDS, expect and
// get:
//
//   - Names: topic /x is the DDS topic rt/x, type pkg/msg/T is
//     pkg::msg::dds_::T_. Names that ROS 2 does not allow are refused.
//
//   - Publishers are reliable, which subscriptions of either reliability accept;
//     latched topics are transient local and keep one message, others are
//     volatile and keep the last 10 (/tf: 100). A slow reader loses what was
//     replaced; it never holds anybody up.
//
//   - Subscriptions receive from reliable and from best-effort publishers, each
//     in its own way, through two readers; see subscription.
//
//   - Endpoints announce their type hash (REP 2011), the participant its
//     enclave, and ros_discovery_info tells which endpoints are those of the
//     node, to each reader in the form of its release; see graph.
//
//   - Services are two topics, rq/xRequest and rr/xReply. Implementations of ROS 2
//     differ in how a reply says to which request it belongs; each client is
//     answered in the way of its request, see mapping, and alone.
//
// Discovery follows the environment variables of ROS 2, with one difference: it
// stays on this host unless they widen it; see ParseEnvironment.
package ros2

// Package ros2 is the ros.Transport for ROS 2. It implements the conventions of ROS 2 on a DDS
// participant of package rtps, without a ROS installation.
//
// It interoperates with nodes of ROS 2 Humble and later on Fast DDS and Cyclone DDS:
//
//   - Names: topic /x is the DDS topic rt/x, type pkg/msg/T is
//     pkg::msg::dds_::T_. Names that ROS 2 does not allow are refused.
//
//   - Publishers are reliable, which subscriptions of either reliability accept;
//     latched topics are transient local and keep one message, others are
//     volatile and keep the last 10 (/tf: 100). A slow reader loses messages that
//     were replaced; it never blocks the publisher.
//
//   - Subscriptions receive from reliable and from best-effort publishers, by two
//     readers; see subscription.
//
//   - Endpoints announce their type hash (REP 2011), the participant its
//     enclave. ros_discovery_info lists the endpoints of each node, for each reader
//     in the form of its release; see graph.
//
//   - Services are two topics, rq/xRequest and rr/xReply. Implementations of ROS 2
//     differ in how a reply identifies its request; each reply has the mapping of
//     its request, see Mapping, and goes to its client only.
//
// Discovery follows the environment variables of ROS 2, with one difference: its default range is
// this host; see ParseEnvironment.
package ros2

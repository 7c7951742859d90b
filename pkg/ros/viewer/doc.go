// Package viewer serves the topics, services and parameters of a node to viewers: an HTTP server
// with the Foxglove WebSocket protocol, as one more ros.Transport.
//
// Both subprotocols are accepted, foxglove.websocket.v1 and foxglove.sdk.v1, whose messages are the
// same. Channels have ros2msg schemas and the CDR bytes of ROS 2. A viewer that publishes a command
// is a source of commands like any node, with the name "viewer ADDRESS:PORT".
//
// No viewer can block the robot. Each has a bounded queue per subscription; one that does not keep
// up gets the newest message of each channel, and one that does not read at all is disconnected.
// Requests of viewers are bounded in size and number. A malformed request is answered with a
// status, and too many of them end the connection.
//
// On a loopback address the pages that may connect are those of the server itself, of this computer
// and of Foxglove; see access. On any other address a token is needed, which is part of the link.
//
// Protocol: https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md.
package viewer

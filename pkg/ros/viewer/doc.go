// Package viewer serves the topics, services and parameters of a node to viewers: an HTTP
// server with the Foxglove WebSocket protocol, as one more ros.Transport.
//
// Both subprotocols are accepted, foxglove.websocket.v1 and foxglove.sdk.v1, whose messages
// are the same. Channels have ros2msg schemas and the CDR bytes that ROS 2 gets. A viewer that
// publishes a command is a commander like any node, by the name "viewer ADDRESS:PORT".
//
// Nobody here makes the robot wait. Each viewer has a bounded queue per subscription; one that
// does not keep up gets the newest message of each channel, and one that does not read at all is
// disconnected. What viewers send is bounded in size and number, and what is malformed is
// answered with a status and, when there is too much of it, with the end of the connection.
//
// On a loopback address the pages that may connect are those of the server itself, of this
// computer and of Foxglove; see access. On any other address a token is needed, which is
// part of the link.
//
// Protocol: https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md.
package viewer

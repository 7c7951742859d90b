// Package parameter serves the parameters of a node to the networks.
//
// A Table holds them: names with dots, values of a few types, descriptions. Whoever sets some,
// through the services of ROS 2 or the parameter server of ROS 1, sets all or none of them, and
// one request is done after the other. What the values do is the business of the table's owner,
// which may refuse them. Everybody is told of what has changed, in order.
package parameter

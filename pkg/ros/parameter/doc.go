// Package parameter serves the parameters of a node to the networks.
//
// A Table holds them: names with dots, values of a few types, descriptions. A request to set
// several, by the services of ROS 2 or the parameter server of ROS 1, sets all or none of them, and
// requests are executed one after the other. The owner of the table applies the values, and may
// refuse them. All watchers receive the changes, in order.
package parameter

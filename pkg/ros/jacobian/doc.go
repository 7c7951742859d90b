// Package jacobian publishes the Jacobian of a running robot on the topic jacobian while the topic
// has subscribers. It is computed concurrently to the loop, by a second model of the robot with
// copies of the state.
package jacobian

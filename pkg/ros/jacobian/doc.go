// Package jacobian publishes the derivative of a robot that runs, on the topic jacobian, while somebody listens. It is computed
// beside the loop, of a second model of the robot that gets copies of the state.
package jacobian

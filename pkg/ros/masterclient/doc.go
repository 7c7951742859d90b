// Package masterclient calls the ROS 1 Master, Parameter Server and slaves.
//
// Every ROS 1 method answers with a triple: a status code, a message for people, and the value
// proper. Call unwraps it; a Client adds types for the methods that a node needs. The Go values of
// parameters are those of package xmlrpc.
package masterclient

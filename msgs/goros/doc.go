// Package goros translates between the neutral messages of package msgs and the
// structs that goroslib handles by reflection. Only pkg/ros/ros1 uses it.
//
// goroslib keeps the pointer given to Publisher.Write and encodes it later, once
// per subscriber, in other goroutines. Therefore every translation is a fresh
// deep copy that shares nothing with its source.
package goros

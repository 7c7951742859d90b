// Package cdr writes and reads plain CDR, version 1, the serialisation of every
// DDS-based ROS 2 and of MCAP files and Foxglove connections that carry ROS 2
// messages.
//
// A value of a message type is a four-byte encapsulation header and a body
// (RTPS 2.5, section 10). In the body a primitive of n bytes starts at a multiple
// of n, counted from the body's begin (CORBA 3.3 part 2, section 9.3; what lies
// between is padding); a sequence is a uint32 count and its elements; a string is
// a uint32 length, that many bytes of UTF-8, the last of them NUL; an array is
// its elements alone.
//
// [Writer] writes little endian, as ROS 2 does on every machine that Sinew runs
// on. [Reader] takes both byte orders, allocates no more than what the bytes at
// hand can hold, and turns every fault into an error. The package imports nothing
// of Sinew: the generated messages use it, and so may any transport.
package cdr

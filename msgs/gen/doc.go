// Command gen writes the Go side of the ROS messages from the field lists in
// msgs/<package>/<msg|srv>.
//
//	go run ./msgs/gen
//
// The stages are apart: parse.go reads one file, model.go holds the typed model,
// load.go reads a tree of files and resolves and checks what they refer to,
// rules_ros1.go and rules_ros2.go compute names, checksums and definition texts,
// and one emit_*.go per kind of output turns the model into Go source. A further
// wire format is a further emitter.
//
// A field list has one field ("float64[5] gradient") or constant
// ("uint8 ARROW=0") per line. A line that ends in "# ros1" or "# ros2" exists on
// that side only; such a mark alone on a line holds for the whole message. Bounded
// strings ("string<=256 name") and arrays ("Range[<=1] range") exist in ROS 2 only.
// A field that the sides have with different types is in the list twice, and so is
// one that begins with a capital letter in ROS 1.
// There are no other comments.
package main

//go:build !linux

package run

// raisePriority does nothing: priorities are set on Linux only.
func raisePriority() string { return "normal" }

// raiseLoop does nothing.
func raiseLoop() {}

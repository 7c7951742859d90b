//go:build !linux

package app

// raisePriority is known for Linux only.
func raisePriority() string { return "normal" }

func raiseLoop() {}

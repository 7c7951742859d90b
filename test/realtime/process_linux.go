package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// freezeProcess stops a process without ending it.
func freezeProcess(p *os.Process) error { return p.Signal(unix.SIGSTOP) }

package main

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// freezeProcess stops a process without ending it.
func freezeProcess(p *os.Process) error { return p.Signal(unix.SIGSTOP) }

// inGroup makes a command, once started, the first process of a group of its own.
func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup interrupts the group of a command, as Ctrl-C does.
func endGroup(cmd *exec.Cmd) { _ = unix.Kill(-cmd.Process.Pid, unix.SIGINT) }

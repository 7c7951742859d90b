//go:build !linux

package main

import (
	"errors"
	"os"
	"os/exec"
)

func freezeProcess(*os.Process) error { return errors.New("frozen subscribers need Linux") }

func inGroup(*exec.Cmd) {}

func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

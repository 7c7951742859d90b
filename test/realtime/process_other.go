//go:build !linux

package main

import (
	"errors"
	"os"
)

func freezeProcess(*os.Process) error { return errors.New("frozen subscribers need Linux") }

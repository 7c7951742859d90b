//go:build !unix

package main

import (
	"errors"
	"net"
)

func viaLoopback(*net.UDPConn) error { return errors.New("multicast on loopback needs Unix") }

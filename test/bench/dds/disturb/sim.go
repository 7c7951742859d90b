package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// sim is a tendonsim that runs.
type sim struct{ cmd *exec.Cmd }

func startSim(path string, domain int) (*sim, error) {
	s := &sim{exec.Command(path, "run", "--ros", "ros2")}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "ROS_") {
			s.cmd.Env = append(s.cmd.Env, v)
		}
	}
	s.cmd.Env = append(s.cmd.Env, fmt.Sprint("ROS_DOMAIN_ID=", domain))
	s.cmd.Stderr = os.Stderr
	return s, s.cmd.Start()
}

// memory is what of the program is in memory, MB.
func (s *sim) memory() float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	var size, resident int
	if _, err := fmt.Sscan(string(b), &size, &resident); err != nil {
		return 0
	}
	return float64(resident*os.Getpagesize()) / 1e6
}

func (s *sim) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	late := time.AfterFunc(timeout, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	_ = s.cmd.Wait()
}

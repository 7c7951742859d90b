package master_test

import (
	"testing"

	"sinew/pkg/ros/master"
)

func TestLocal(t *testing.T) {
	for host, local := range map[string]bool{"localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "192.0.2.1": false} {
		if got := master.Local(host); got != local {
			t.Errorf("master on %s: Local() = %v", host, got)
		}
	}
}

package subprocess

import (
	"net"
	"os"
	"strings"
	"testing"
)

// Environment is that of ROS programs with a master, on the loopback interface and in a
// home of their own. ROS 2 is off unless a later setting says otherwise.
func Environment(t *testing.T, master string) (env []string) {
	t.Helper()
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "ROS_") && !strings.HasPrefix(v, "PYTHONPATH=") {
			env = append(env, v)
		}
	}
	home := t.TempDir()
	return append(env, "ROS_AUTOMATIC_DISCOVERY_RANGE=OFF", "ROS_MASTER_URI="+master, "ROS_IP=127.0.0.1", "ROS_HOME="+home, "ROS_LOG_DIR="+home,
		"PYTHONUNBUFFERED=1", "LC_ALL=C.UTF-8")
}

// FreePort returns a port that nobody listens to now.
func FreePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

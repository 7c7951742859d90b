package subprocess

import (
	"fmt"
	"math/rand/v2"
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

// FreePort returns a port without a listener. It is below those that the kernel gives to whoever wants
// any: another program could have got such a one before the one that it is meant for listens.
func FreePort(t *testing.T) int {
	t.Helper()
	const first, end = 20000, 32768
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", first+rand.IntN(end-first)))
		if err != nil {
			continue
		}
		defer l.Close()
		return l.Addr().(*net.TCPAddr).Port
	}
	t.Fatalf("no free port from %d to %d", first, end)
	return 0
}

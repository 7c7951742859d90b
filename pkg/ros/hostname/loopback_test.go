package hostname_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"sinew/pkg/ros/hostname"
)

// inNamespace, as a variable of the environment, makes the test program say what it finds.
const inNamespace = "SINEW_TEST_LOOPBACK"

func TestMain(m *testing.M) {
	if os.Getenv(inNamespace) == "" {
		os.Exit(m.Run())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		l.Close()
	}
	fmt.Println(hostname.CheckLoopback())
	fmt.Println(hostname.Explain(err))
}

// TestCheckLoopback: a computer without 127.0.0.1 is recognised, with what to do, and this one has it.
func TestCheckLoopback(t *testing.T) {
	if err := hostname.CheckLoopback(); err != nil {
		t.Errorf("this computer: %v", err)
	}
	other := fmt.Errorf("listen: %w", syscall.EADDRNOTAVAIL)
	if err := hostname.Explain(other); !errors.Is(err, other) || err.Error() != other.Error() || hostname.Explain(nil) != nil {
		t.Errorf("the reason is another one, but %v", err)
	}
	for _, tool := range []string{"unshare", "ip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: apt-get install util-linux iproute2", tool)
		}
	}
	if out, err := exec.Command("unshare", "-n", "true").CombinedOutput(); err != nil {
		t.Skipf("network namespaces need the rights of root: %s", out)
	}
	for prepare, want := range map[string][]string{
		"true":              {`the loopback interface lo is down`, `"ip link set lo up"`},
		"ip link set lo up": {"<nil>\n<nil>"},
		"ip link set lo up; ip addr del 127.0.0.1/8 dev lo": {`the loopback interface lo has no address 127.0.0.1`, `"ip addr add 127.0.0.1/8 dev lo"`,
			"cannot assign requested address: the loopback interface lo has no address"},
	} {
		c := exec.Command("unshare", "-n", "sh", "-c", prepare+"; exec "+os.Args[0])
		c.Env = append(os.Environ(), inNamespace+"=1")
		out, err := c.CombinedOutput()
		for _, text := range want {
			if err != nil || !strings.Contains(string(out), text) {
				t.Errorf("%s: %v, %s; want %q", prepare, err, out, text)
			}
		}
	}
}

package hostname

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// CheckLoopback returns an error with the cure if this computer has no 127.0.0.1, as a container or
// network namespace whose loopback interface is down: programs on it then do not reach one another.
func CheckLoopback() error {
	all, err := net.Interfaces()
	if err != nil {
		return nil // unknown
	}
	name := ""
	for _, i := range all {
		if i.Flags&net.FlagLoopback == 0 {
			continue
		}
		if i.Flags&net.FlagUp == 0 {
			return fmt.Errorf("the loopback interface %[1]s is down, so that programs on this computer do not reach one another at 127.0.0.1: bring it up with \"ip link set %[1]s up\"", i.Name)
		}
		name = i.Name
		addresses, err := i.Addrs()
		if err != nil {
			return nil // unknown
		}
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.Contains(net.IPv4(127, 0, 0, 1)) {
				return nil
			}
		}
	}
	if name == "" {
		return errors.New("this computer has no loopback interface, so that programs on it do not reach one another at 127.0.0.1: choose a network with ROS_IP, --interface and --view")
	}
	return fmt.Errorf("the loopback interface %[1]s has no address 127.0.0.1, at which programs on this computer reach one another: add it with \"ip addr add 127.0.0.1/8 dev %[1]s\"", name)
}

// Explain returns err, of listening at an address, with the cure if the reason is that this computer
// has no 127.0.0.1.
func Explain(err error) error {
	if err == nil || !errors.Is(err, syscall.EADDRNOTAVAIL) {
		return err
	}
	if why := CheckLoopback(); why != nil {
		return fmt.Errorf("%w: %w", err, why)
	}
	return err
}

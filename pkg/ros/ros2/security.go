package ros2

import (
	"fmt"
	"strings"
)

const (
	securityVariable = "ROS_SECURITY_ENABLE"
	strategyVariable = "ROS_SECURITY_STRATEGY"
)

// CheckSecurity reads the variables of ROS 2 that ask for DDS security, which is not
// implemented. Where ROS_SECURITY_STRATEGY is Enforce, a node must not run without, and
// CheckSecurity returns an error; otherwise a warning, which is empty when security is not
// asked for. lookup works like os.LookupEnv. Upper and lower case are the same, so that no
// slip of the pen opens what should be closed.
func CheckSecurity(lookup func(string) (string, bool)) (warning string, err error) {
	value := func(key string) string {
		v, _ := lookup(key)
		return strings.TrimSpace(v)
	}
	if !strings.EqualFold(value(securityVariable), "true") {
		return "", nil
	}
	if strings.EqualFold(value(strategyVariable), "Enforce") {
		return "", fmt.Errorf("%s=true with %s=Enforce: DDS security is not implemented; "+
			"%s=false runs without it, --ros ros1 without ROS 2", securityVariable, strategyVariable, securityVariable)
	}
	return securityVariable + "=true has no effect: DDS security is not implemented, and this node's topics are open to all in its domain", nil
}

package ros2

import (
	"fmt"
	"strings"
)

const (
	securityVariable = "ROS_SECURITY_ENABLE"
	strategyVariable = "ROS_SECURITY_STRATEGY"
)

// CheckSecurity reads the environment variables of ROS 2 for DDS security, which is not
// implemented. If ROS_SECURITY_STRATEGY is Enforce, it returns an error, since a node must not run
// without security; otherwise it returns a warning if security is requested. lookup is like
// os.LookupEnv. Values are case-insensitive, so that a typing error does not disable security.
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

package ros2_test

import (
	"strings"
	"testing"

	"sinew/pkg/ros/ros2"
)

// Where security is enforced there is no node without it, and where one is permitted there is a warning.
func TestSecurity(t *testing.T) {
	for variables, want := range map[string]string{
		"": "", "ROS_SECURITY_ENABLE=false ROS_SECURITY_STRATEGY=Enforce": "", "ROS_SECURITY_STRATEGY=Enforce": "",
		"ROS_SECURITY_ENABLE=true":                                  "warning",
		"ROS_SECURITY_ENABLE=true ROS_SECURITY_STRATEGY=Permissive": "warning",
		"ROS_SECURITY_ENABLE=true ROS_SECURITY_STRATEGY=Enforce":    "error",
		"ROS_SECURITY_ENABLE=TRUE ROS_SECURITY_STRATEGY=enforce":    "error",
	} {
		warning, err := ros2.CheckSecurity(func(key string) (string, bool) {
			for _, v := range strings.Fields(variables) {
				if name, value, _ := strings.Cut(v, "="); name == key {
					return value, true
				}
			}
			return "", false
		})
		if (err != nil) != (want == "error") || (warning != "") != (want == "warning") {
			t.Errorf("%s: warning %q, error %v, want %s", variables, warning, err, want)
		}
		if err != nil && !(strings.Contains(err.Error(), "not implemented") && strings.Contains(err.Error(), "--ros ros1")) {
			t.Errorf("%s: %v does not say how to run", variables, err)
		}
	}
}

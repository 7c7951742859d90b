package testbench

import (
	"fmt"
	"reflect"

	"sinew/msgs/rcl_interfaces"
)

// ExpectParameter waits until a parameter has a value; nil is that there is none.
func (n *Network) ExpectParameter(key string, want any) {
	n.T.Helper()
	var got any
	var last string
	defer func() {
		if n.T.Failed() {
			n.T.Logf("%s is %v, want %v%s", key, got, want, last)
		}
	}()
	n.WaitFor(fmt.Sprintf("%s = %v", key, want), func() bool {
		v, set, err := n.Client().Param(Deadline(n.T), key)
		if got = v; err != nil {
			last = ": " + err.Error()
		}
		return set == (want != nil) && reflect.DeepEqual(v, want)
	})
}

// DoubleParameter is a parameter of ROS 2 with a number.
func DoubleParameter(name string, x float64) rcl_interfaces.Parameter {
	return rcl_interfaces.Parameter{Name: name, Value: rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindDouble, DoubleValue: x}}
}

package parameter

import (
	"math"

	"sinew/msgs/rcl_interfaces"
)

// message returns a value as a message of ROS 2.
func message(v any) rcl_interfaces.ParameterValue {
	switch v := v.(type) {
	case bool:
		return rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindBool, BoolValue: v}
	case int64:
		return rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindInteger, IntegerValue: v}
	case float64:
		return rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindDouble, DoubleValue: v}
	case string:
		return rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindString, StringValue: v}
	case []float64:
		return rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindDoubleArray, DoubleArrayValue: v}
	case []string:
		return rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindStringArray, StringArrayValue: v}
	}
	return rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindNotSet}
}

// value returns the value in a message of ROS 2; nil if there is none, or if its type is unknown.
func value(m *rcl_interfaces.ParameterValue) any {
	switch m.Kind {
	case rcl_interfaces.KindBool:
		return m.BoolValue
	case rcl_interfaces.KindInteger:
		return m.IntegerValue
	case rcl_interfaces.KindDouble:
		return m.DoubleValue
	case rcl_interfaces.KindString:
		return m.StringValue
	case rcl_interfaces.KindByteArray:
		return m.ByteArrayValue
	case rcl_interfaces.KindBoolArray:
		return m.BoolArrayValue
	case rcl_interfaces.KindIntegerArray:
		return m.IntegerArrayValue
	case rcl_interfaces.KindDoubleArray:
		return m.DoubleArrayValue
	case rcl_interfaces.KindStringArray:
		return m.StringArrayValue
	}
	return nil
}

// named returns a parameter as a message of ROS 2.
func named(p *Parameter) rcl_interfaces.Parameter {
	return rcl_interfaces.Parameter{Name: p.Name, Value: message(p.Value)}
}

// descriptor returns the descriptor of a parameter for ROS 2. Its ranges include their bounds; if a
// bound is not allowed, the constraints say so. A range of whole numbers beyond 32 bits is only in
// the constraints: older releases of rqt_reconfigure make a slider of it, and fail to show the
// node.
func descriptor(p *Parameter) rcl_interfaces.ParameterDescriptor {
	d := rcl_interfaces.ParameterDescriptor{
		Name: p.Name, Kind: message(p.Value).Kind, Description: p.Description,
		AdditionalConstraints: p.Constraints, ReadOnly: p.Fixed != "",
	}
	if !p.Bounded {
		return d
	}
	switch p.Value.(type) {
	case int64:
		if p.Min < math.MinInt32 || p.Max > math.MaxInt32 {
			break
		}
		d.IntegerRange = []rcl_interfaces.IntegerRange{{FromValue: int64(p.Min), ToValue: int64(p.Max)}}
	case float64, []float64:
		d.FloatingPointRange = []rcl_interfaces.FloatingPointRange{{FromValue: p.Min, ToValue: p.Max}}
	}
	return d
}

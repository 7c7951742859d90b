package rcl_interfaces

// The values of ParameterValue.Kind and ParameterDescriptor.Kind, which ROS has as the
// constants of rcl_interfaces/ParameterType.
const (
	KindNotSet       = 0
	KindBool         = 1
	KindInteger      = 2
	KindDouble       = 3
	KindString       = 4
	KindByteArray    = 5
	KindBoolArray    = 6
	KindIntegerArray = 7
	KindDoubleArray  = 8
	KindStringArray  = 9
)

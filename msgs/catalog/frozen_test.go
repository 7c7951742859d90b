package catalog_test

import (
	"slices"
	"testing"

	"sinew/msgs"
	"sinew/msgs/catalog"
)

// frozenTypes are the checksums of the ROS 1 classes: those of Debian 12 for the
// common packages (rosmsg md5), those that genpy 0.6.16 generates from our field
// lists for sinew_msgs.
var frozenTypes = []struct{ name, md5 string }{
	{"diagnostic_msgs/DiagnosticArray", "60810da900de1dd6ddd437c3503511da"},
	{"diagnostic_msgs/DiagnosticStatus", "d0ce08bc6e5ba34c7754f563a9cabaf1"},
	{"diagnostic_msgs/KeyValue", "cf57fdc6617a881a88c16e768132149c"},
	{"geometry_msgs/Accel", "9f195f881246fdfa2798d1d3eebca84a"},
	{"geometry_msgs/Point", "4a842b65f413084dc2b10fb484ea7f17"},
	{"geometry_msgs/PointStamped", "c63aecb41bfdfd6b7e1fac37c7cbe7bf"},
	{"geometry_msgs/Pose", "e45d45a5a1ce597b249e23fb30fc871f"},
	{"geometry_msgs/PoseArray", "916c28c5764443f268b296bb671b9d97"},
	{"geometry_msgs/PoseStamped", "d3812c3cbc69362b77dc0b19b345f8f5"},
	{"geometry_msgs/PoseWithCovariance", "c23e848cf1b7533a8d7c259073a97e6f"},
	{"geometry_msgs/PoseWithCovarianceStamped", "953b798c0f514ff060a53a3498ce6246"},
	{"geometry_msgs/TwistWithCovariance", "1fe8a28e6890a4cc3ae4c3ca5c7d82e6"},
	{"geometry_msgs/Quaternion", "a779879fadf0160734f906b8c19c7004"},
	{"geometry_msgs/Transform", "ac9eff44abf714214112b05d54a3cf9b"},
	{"geometry_msgs/TransformStamped", "b5764a33bfeb3588febc2682852579b0"},
	{"geometry_msgs/Twist", "9f195f881246fdfa2798d1d3eebca84a"},
	{"geometry_msgs/TwistStamped", "98d34b0043a2093cf9d9345ab6eef12e"},
	{"geometry_msgs/Vector3", "4a842b65f413084dc2b10fb484ea7f17"},
	{"geometry_msgs/Wrench", "4f539cf138b23283b520fd271b567936"},
	{"geometry_msgs/WrenchStamped", "d78d3cb249ce23087ade7e7d0c40cfa7"},
	{"foxglove_msgs/PoseInFrame", "8256aa204c2efad22c97bd15522b0aa8"},
	{"nav_msgs/Odometry", "cd5e73d190d741a2f92e81eda573aca7"},
	{"nav_msgs/Path", "6227e2b7e9cce15051f669a5e197bbf7"},
	{"rosgraph_msgs/Clock", "a9c97c1d230cfc112e270351a944ee47"},
	{"rosgraph_msgs/Log", "acffd30cd6b6de30f120938c17c593fb"},
	{"sensor_msgs/CompressedImage", "8f7a12909da2c9d3332d540a0977563f"},
	{"sensor_msgs/Imu", "6a62c6daae103f4ff57a132d6f95cec2"},
	{"sensor_msgs/JointState", "3066dcd76a6cfaef579bd0f34173e9fd"},
	{"sensor_msgs/MagneticField", "2f3b0b43eed0c9501de0fa3ff89a45aa"},
	{"sinew_msgs/CoilCurrents", "ad064fcab98b05349cabf02afc0d2f9d"},
	{"sinew_msgs/Contact", "6db439574bc486b8de5a098637cb2a7b"},
	{"sinew_msgs/Contacts", "6cd7cd9daf8c566787bc6c2e935eb7a9"},
	{"sinew_msgs/FieldGradient", "d956caec951d1cf3117a22a799ac3003"},
	{"sinew_msgs/HilError", "98ac3a2feb24c5a2dfeeed178d79b8ed"},
	{"sinew_msgs/NamedValues", "1f969da4f84d7c21d853f0a17e421b13"},
	{"sinew_msgs/OperatingState", "2731200a93f82fa0fb7b48611ec75514"},
	{"sinew_msgs/RecordingState", "2bb1184cb7655e810a2c571b90b1adfa"},
	{"sinew_msgs/RotatingField", "959ae96b8e5c22c99eba628909a6666d"},
	{"sinew_msgs/Scene", "74e343757ba4a0df58ae97f2b4eeb134"},
	{"sinew_msgs/SceneShapes", "24899045c11598c179925b211cd57394"},
	{"sinew_msgs/SimStats", "ca56adca1776d659ae6f79b27bbafda6"},
	{"sensor_msgs/CameraInfo", "c9a58c1b0b154e0e6da7578cb991d214"},
	{"sensor_msgs/Image", "060021388200f6f0f447d0fcd9c64743"},
	{"sensor_msgs/RegionOfInterest", "bdb633039d588fcccb441a4d43ccfe09"},
	{"std_msgs/Bool", "8b94c1b53db61fb6aed406028ad6332a"},
	{"std_msgs/ColorRGBA", "a29a96539573343b1310c73607334b00"},
	{"std_msgs/Float64", "fdb28210bfa9d7c91146260178d9a584"},
	{"std_msgs/Float64MultiArray", "4b7d974086d4060e7db4613a7e6c3ba4"},
	{"std_msgs/Header", "2176decaecbce78abc3b96ef049fabed"},
	{"std_msgs/MultiArrayDimension", "4cd0c83a8683deae40ecdac60e53bfa8"},
	{"std_msgs/MultiArrayLayout", "0fed2a11c13e11c5571b4e2a995a91a3"},
	{"std_msgs/String", "992ce8a1687cec8c8bd883ec73ca41d1"},
	{"tf2_msgs/TFMessage", "94810edda583a504dfda3829e70d7eec"},
	{"geometry_msgs/Pose2D", "938fa65709584ad8e77d238529be13b8"},
	{"vision_msgs/BoundingBox2D", "9ab41e2a4c8627735e5091a9abd68b02"},
	{"vision_msgs/Detection2D", "9e11092151fa150724a255fbac727f3b"},
	{"vision_msgs/Detection2DArray", "402071f61477de256df9f1aa45e6e4c8"},
	{"vision_msgs/ObjectHypothesisWithPose", "fa1ab3bc7146f53921fa142d631d02db"},
	{"visualization_msgs/Marker", "4048c9de2a16f4ae8e0538085ebf1b97"},
	{"visualization_msgs/MarkerArray", "d155b9ce5188fbaf89745847fd5882d7"},
	{"sinew_msgs/StepRequest", "81a96b5785a87bea1deed1553cd043e5"},
	{"sinew_msgs/StepResponse", "68f3aef5f522819b7235d044a8b4cfd3"},
	{"std_srvs/EmptyRequest", "d41d8cd98f00b204e9800998ecf8427e"},
	{"std_srvs/EmptyResponse", "d41d8cd98f00b204e9800998ecf8427e"},
	{"std_srvs/SetBoolRequest", "8b94c1b53db61fb6aed406028ad6332a"},
	{"std_srvs/SetBoolResponse", "937c9679a518e3a18d831e57125ea522"},
	{"std_srvs/TriggerRequest", "d41d8cd98f00b204e9800998ecf8427e"},
	{"std_srvs/TriggerResponse", "937c9679a518e3a18d831e57125ea522"},
}

// frozenServices are from the same sources (rossrv md5).
var frozenServices = []struct{ name, md5 string }{
	{"sinew_msgs/Step", "f3d3ac6ce6f35887cc2dca6882af1959"},
	{"std_srvs/Empty", "d41d8cd98f00b204e9800998ecf8427e"},
	{"std_srvs/SetBool", "09fb03525b03e7ea1fd3992bafd87e16"},
	{"std_srvs/Trigger", "937c9679a518e3a18d831e57125ea522"},
}

func TestTypeMD5s(t *testing.T) {
	if n := len(ros1.types()); n != len(frozenTypes) {
		t.Errorf("%d types, want %d", n, len(frozenTypes))
	}
	for _, want := range frozenTypes {
		got := catalog.Find(want.name)
		if got == nil {
			t.Errorf("%s is missing", want.name)
		} else if got.MD5 != want.md5 {
			t.Errorf("%s: got %s, want %s", want.name, got.MD5, want.md5)
		}
	}
}

func TestServiceMD5s(t *testing.T) {
	services := catalog.Services()
	services = slices.DeleteFunc(services, func(s *msgs.Service) bool { return s.Request.MD5 == "" })
	if len(services) != len(frozenServices) {
		t.Fatalf("%d services, want %d", len(services), len(frozenServices))
	}
	for i, want := range frozenServices {
		got := services[i]
		if got.Name != want.name || got.MD5 != want.md5 {
			t.Errorf("got %s %s, want %s %s", got.Name, got.MD5, want.name, want.md5)
		}
		if got.Request.Name != want.name+"Request" || got.Response.Name != want.name+"Response" {
			t.Errorf("%s has the halves %s and %s", got.Name, got.Request.Name, got.Response.Name)
		}
	}
}

// TestServicesOfOneVersion: a service that ROS 1 does not have has no checksum there.
func TestServicesOfOneVersion(t *testing.T) {
	for _, s := range catalog.Services() {
		if (s.MD5 == "") != (s.Request.MD5 == "") || (s.Request.MD5 == "") != (s.Response.MD5 == "") {
			t.Errorf("%s: the service has the MD5 %q, its halves %q and %q", s.Name, s.MD5, s.Request.MD5, s.Response.MD5)
		}
	}
}

func TestNewMakesItsOwnType(t *testing.T) {
	for _, typ := range catalog.Types() {
		if got := typ.New().Type(); got != typ {
			t.Errorf("New of %s makes a %s", typ.Name, got.Name)
		}
	}
}

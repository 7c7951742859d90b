package catalog_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/bluenviron/goroslib/v2/pkg/msgproc"
	gdiagnostic "github.com/bluenviron/goroslib/v2/pkg/msgs/diagnostic_msgs"
	ggeometry "github.com/bluenviron/goroslib/v2/pkg/msgs/geometry_msgs"
	gnav "github.com/bluenviron/goroslib/v2/pkg/msgs/nav_msgs"
	grosgraph "github.com/bluenviron/goroslib/v2/pkg/msgs/rosgraph_msgs"
	gsensor "github.com/bluenviron/goroslib/v2/pkg/msgs/sensor_msgs"
	gstd "github.com/bluenviron/goroslib/v2/pkg/msgs/std_msgs"
	gsrvs "github.com/bluenviron/goroslib/v2/pkg/msgs/std_srvs"
	gtf2 "github.com/bluenviron/goroslib/v2/pkg/msgs/tf2_msgs"
	gvision "github.com/bluenviron/goroslib/v2/pkg/msgs/vision_msgs"
	gvisualization "github.com/bluenviron/goroslib/v2/pkg/msgs/visualization_msgs"
	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
	"github.com/bluenviron/goroslib/v2/pkg/serviceproc"

	"sinew/msgs"
	"sinew/msgs/catalog"
	"sinew/msgs/internal/msgtest"
	"sinew/msgs/std_srvs"
)

// goroslibStructs are the types that goroslib brings along, by their ROS name.
var goroslibStructs = map[string]any{
	"diagnostic_msgs/DiagnosticArray":      gdiagnostic.DiagnosticArray{},
	"diagnostic_msgs/DiagnosticStatus":     gdiagnostic.DiagnosticStatus{},
	"diagnostic_msgs/KeyValue":             gdiagnostic.KeyValue{},
	"geometry_msgs/Point":                  ggeometry.Point{},
	"geometry_msgs/PointStamped":           ggeometry.PointStamped{},
	"geometry_msgs/Pose":                   ggeometry.Pose{},
	"geometry_msgs/PoseArray":              ggeometry.PoseArray{},
	"geometry_msgs/PoseStamped":            ggeometry.PoseStamped{},
	"geometry_msgs/Quaternion":             ggeometry.Quaternion{},
	"geometry_msgs/Transform":              ggeometry.Transform{},
	"geometry_msgs/TransformStamped":       ggeometry.TransformStamped{},
	"geometry_msgs/Twist":                  ggeometry.Twist{},
	"geometry_msgs/TwistStamped":           ggeometry.TwistStamped{},
	"geometry_msgs/Vector3":                ggeometry.Vector3{},
	"geometry_msgs/Wrench":                 ggeometry.Wrench{},
	"geometry_msgs/WrenchStamped":          ggeometry.WrenchStamped{},
	"nav_msgs/Path":                        gnav.Path{},
	"rosgraph_msgs/Clock":                  grosgraph.Clock{},
	"rosgraph_msgs/Log":                    grosgraph.Log{},
	"sensor_msgs/CompressedImage":          gsensor.CompressedImage{},
	"sensor_msgs/Imu":                      gsensor.Imu{},
	"sensor_msgs/JointState":               gsensor.JointState{},
	"sensor_msgs/MagneticField":            gsensor.MagneticField{},
	"sensor_msgs/CameraInfo":               gsensor.CameraInfo{},
	"sensor_msgs/Image":                    gsensor.Image{},
	"sensor_msgs/RegionOfInterest":         gsensor.RegionOfInterest{},
	"std_msgs/Bool":                        gstd.Bool{},
	"std_msgs/ColorRGBA":                   gstd.ColorRGBA{},
	"std_msgs/Float64":                     gstd.Float64{},
	"std_msgs/Float64MultiArray":           gstd.Float64MultiArray{},
	"std_msgs/Header":                      gstd.Header{},
	"std_msgs/MultiArrayDimension":         gstd.MultiArrayDimension{},
	"std_msgs/MultiArrayLayout":            gstd.MultiArrayLayout{},
	"std_msgs/String":                      gstd.String{},
	"tf2_msgs/TFMessage":                   gtf2.TFMessage{},
	"geometry_msgs/Pose2D":                 ggeometry.Pose2D{},
	"vision_msgs/BoundingBox2D":            gvision.BoundingBox2D{},
	"vision_msgs/Detection2D":              gvision.Detection2D{},
	"vision_msgs/Detection2DArray":         gvision.Detection2DArray{},
	"vision_msgs/ObjectHypothesisWithPose": gvision.ObjectHypothesisWithPose{},
	"visualization_msgs/Marker":            gvisualization.Marker{},
	"visualization_msgs/MarkerArray":       gvisualization.MarkerArray{},
}

// halveTimes brings all stamps below v before the year 2038, after which goroslib
// writes others than it has read.
func halveTimes(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			halveTimes(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			halveTimes(v.Index(i))
		}
	case reflect.Int64:
		if v.Type() == reflect.TypeFor[msgs.Time]() {
			v.SetInt(v.Int() / 2)
		}
	}
}

// TestGoroslib takes goroslib, which works by reflection, as a judge of our
// checksums and bytes: it reads and writes them as they are.
func TestGoroslib(t *testing.T) {
	const fillings = 20
	rng := rand.New(rand.NewPCG(1, 2))
	for name, foreign := range goroslibStructs {
		typ := catalog.Find(name)
		if typ == nil {
			t.Errorf("the catalog has no %s", name)
			continue
		}
		if md5, err := msgproc.MD5(foreign); md5 != typ.MD5 || err != nil {
			t.Errorf("%s: goroslib's checksum is %s, want %s (error %v)", name, md5, typ.MD5, err)
		}
		for range fillings {
			m := typ.New()
			msgtest.FillROS1(m, rng)
			halveTimes(reflect.ValueOf(m).Elem())
			src := m.AppendROS1(nil)
			want := append(msgs.AppendCount(nil, len(src)), src...)
			g := reflect.New(reflect.TypeOf(foreign)).Interface()
			if err := protocommon.MessageDecode(bytes.NewReader(want), g); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got bytes.Buffer
			if err := protocommon.MessageEncode(&got, g); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s: got\n% x, want\n% x", name, got.Bytes(), want)
			}
		}
	}
	for s, foreign := range map[*msgs.Service]any{
		std_srvs.Trigger: gsrvs.Trigger{}, std_srvs.SetBool: gsrvs.SetBool{}, std_srvs.Empty: gsrvs.Empty{},
	} {
		if md5, err := serviceproc.MD5(foreign); md5 != s.MD5 || err != nil {
			t.Errorf("%s: goroslib's checksum is %s, want %s (error %v)", s.Name, md5, s.MD5, err)
		}
	}
}

package robotfile

import "sinew/pkg/sim/spatial"

// Hardware is the real robot that runs beside the simulated one and is compared
// with it.
type Hardware struct {
	PoseType    PoseType     `yaml:"pose_type" enum:"PoseStamped|PointStamped|TransformStamped" default:"PoseStamped" doc:"message type of hardware/measured_cp"`
	Frame       string       `yaml:"frame_id" default:"world" doc:"frame that it is measured in, as its headers name it"`
	Position    spatial.Vec  `yaml:"position_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"origin of that frame in the world"`
	Orientation spatial.Quat `yaml:"orientation_xyzw" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 0, 1]" doc:"that frame to world; normalized"`
	Latency     *float64     `yaml:"latency_s" unit:"s" range:"[-10, 10]" example:"0.02" doc:"how much later than the simulation the hardware shows the same motion; absent: estimated all the time"`
	Window      float64      `yaml:"window_s" unit:"s" range:"(0, 600]" default:"10" doc:"time over which hil_error gives rmse and max"`
	MaxGap      float64      `yaml:"max_gap_s" unit:"s" range:"(0, 10]" default:"0.05" doc:"no comparison across a longer gap between simulated poses"`
}

// PoseType names the message type of a measured pose.
type PoseType string

// The types of a measured pose, all of geometry_msgs.
const (
	PoseStamped      PoseType = "PoseStamped"
	PointStamped     PoseType = "PointStamped" // position only
	TransformStamped PoseType = "TransformStamped"
)

// settle normalizes the orientation.
func (h *Hardware) settle(c *checker, path string) {
	c.unit(join(path, "orientation_xyzw"), &h.Orientation)
}

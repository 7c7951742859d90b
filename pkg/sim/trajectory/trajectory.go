package trajectory

// Trajectory is one recorded motion of a robot, by a simulation or by hardware. Each
// signal has samples and times of its own; one without samples is unknown.
type Trajectory struct {
	Tip       Poses     // of the tip, or of a body
	Actuation Actuation // of the tendons
	Shape     Shape     // of the rod
	Markers   []Marker  // points with names
}

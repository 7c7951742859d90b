package reference

// Coordinate is the reference trajectory of a coordinate that commands prescribe, such as that of a joint: it moves to the newest
// command at a constant rate, on the schedule of a Pose and within a largest rate.
type Coordinate struct {
	schedule
	target  float64
	maxRate float64 // per second
}

// NewCoordinate makes the motion of a coordinate that stays until it is commanded and then changes by at most maxRate per second.
// period is the control period, s.
func NewCoordinate(at, maxRate, period float64) Coordinate {
	return Coordinate{schedule: newSchedule(period), target: at, maxRate: maxRate}
}

// Command makes value the target at time t.
func (c *Coordinate) Command(value, t float64) {
	c.target = value
	c.command(t)
}

// Next is the coordinate at time t + dt of one that is now at time t.
func (c *Coordinate) Next(now, t, dt float64) float64 {
	way, most := c.share(t, dt)*(c.target-now), c.maxRate*dt
	return now + max(-most, min(most, way))
}

// CoordinateLen is the number of values that Coordinate.Save writes.
const CoordinateLen = 3

// Save writes the motion to dst, which has CoordinateLen values.
func (c *Coordinate) Save(dst []float64) {
	dst[0], dst[1], dst[2] = c.target, c.commandTime, c.arrival
}

// Restore makes src, written by Save, the motion.
func (c *Coordinate) Restore(src []float64) {
	c.target, c.commandTime, c.arrival = src[0], src[1], src[2]
}

package robotfile

import (
	"math"
	"slices"
	"strings"
)

// Sensor measures the robot as an instrument of a laboratory does: at a rate, late, and with errors. It has exactly one of the quantities
// from Pose to Camera.
type Sensor struct {
	Name          string  `yaml:"name" example:"tracker" doc:"unique; letters, digits, _ and - after a first letter or _; its topic is sensors/NAME, and its columns of sim are NAME.count, NAME.age and values such as NAME.x"`
	Rate          float64 `yaml:"rate_hz" unit:"Hz" range:"(0, 20000]" example:"100" doc:"measurements per second, at most one in each step: measurement k is taken at the end of the first step that ends at phase_s + k/rate_hz or later"`
	Phase         float64 `yaml:"phase_s" unit:"s" range:"[0, 1000]" default:"0" doc:"time of the first measurement"`
	Latency       float64 `yaml:"latency_s" unit:"s" range:"[0, 10]" default:"0" doc:"how much later a measurement arrives; its stamp is the time at which it was taken"`
	LatencyJitter float64 `yaml:"latency_jitter_s" unit:"s" range:"[0, 10]" default:"0" doc:"latencies are uniformly distributed from latency_s to latency_s + latency_jitter_s; measurements may overtake each other"`
	Dropout       float64 `yaml:"dropout" unit:"1" range:"[0, 1]" default:"0" doc:"probability that a measurement does not arrive"`
	Outliers      float64 `yaml:"outliers" unit:"1" range:"[0, 1]" default:"0" doc:"probability that a measurement is an outlier: all of its values then have the additional error that outlier of each signal gives"`

	Pose     *PoseSensor    `yaml:"pose" example:"{}" choice:"quantity" doc:"pose of a cross-section or body in the world, as electromagnetic trackers and motion capture measure it"`
	Strain   *StrainSensor  `yaml:"strain" choice:"quantity" doc:"curvature and twist of a rod at some arc lengths, as fibre Bragg gratings measure them"`
	IMU      *IMU           `yaml:"imu" choice:"quantity" doc:"angular velocity and specific force (acceleration minus gravity: at rest 9.81 m/s^2 upwards), in the sensor's axes"`
	LoadCell *LoadCell      `yaml:"load_cell" choice:"quantity" doc:"tensions of tendons, or the wrench of the base or a joint"`
	Encoder  *Encoder       `yaml:"encoder" choice:"quantity" doc:"position of measured_js: pulls of tendons, m, and coordinates of joints, rad or m; the pull is the shortening of the tendon's path, without the stretch of tendon and drive"`
	Current  *CurrentSensor `yaml:"current" choice:"quantity" doc:"efforts as the currents of the motors show them: tensions of tendons, N, and efforts of joints, N m or N, with the friction of the gear"`
	Markers  *MarkerSensor  `yaml:"markers" choice:"quantity" doc:"positions of markers in the world, as motion capture measures them"`
	Field    *FieldSensor   `yaml:"field" choice:"quantity" doc:"magnetic flux density, as a Hall sensor measures it, in the sensor's axes; without that of the robot's own magnets"`
	Camera   *Camera        `yaml:"camera" choice:"quantity" doc:"positions of points in an image, px"`
}

// SensorError is how a sensor misreads each value of a signal, in the order in which it is applied. Its units are those of the signal.
type SensorError struct {
	Bias       []float64 `yaml:"bias" unit:"of the signal" range:"[-1e9, 1e9]" doc:"constant error: a list of one number, for all values, or of one for each; 0 if absent"`
	BiasWalk   float64   `yaml:"bias_walk" unit:"of the signal per s^0.5" range:"[0, 1e9]" default:"0" doc:"random walk of the bias from the first measurement on: standard deviation of each value after 1 s; it grows with the square root of time"`
	Noise      float64   `yaml:"noise" unit:"of the signal" range:"[0, 1e9]" default:"0" doc:"white noise: standard deviation of each value"`
	Outlier    float64   `yaml:"outlier" unit:"of the signal" range:"[0, 1e9]" default:"0" doc:"standard deviation of the additional normal error of each value of an outlier"`
	Resolution float64   `yaml:"resolution" unit:"of the signal" range:"[0, 1e9]" default:"0" doc:"quantisation: readings are multiples of it; 0: none"`
	Limit      float64   `yaml:"limit" unit:"of the signal" range:"(0, inf]" default:".inf" doc:"saturation: largest magnitude of a reading"`
}

// PoseSensor measures a pose, m and rad.
type PoseSensor struct {
	SensorPlace
	PositionError SensorError `yaml:"position_error" doc:"of the position, m, world axes"`
	RotationError SensorError `yaml:"rotation_error" doc:"of the orientation: a rotation vector in the sensor's axes, rad; resolution and limit are not supported"`
}

// StrainSensor measures how a rod bends and twists.
type StrainSensor struct {
	Rod      string        `yaml:"rod" default:"-" doc:"rod that carries it, in a file with rods"`
	Stations []float64     `yaml:"stations_m" unit:"m" range:"[0, 100]" example:"[0.05, 0.1, 0.15]" doc:"arc lengths at which it measures"`
	Gratings *BraggSensors `yaml:"gratings" doc:"measures shifts of wavelength of straight fibres instead of curvatures"`
	Error    SensorError   `yaml:"error" doc:"of the curvatures about d1 and d2 and the twist about d3, 1/m; with gratings of the shifts of wavelength, m"`
}

// BraggSensors make the strains of straight fibres around the centreline shifts of wavelengths.
type BraggSensors struct {
	Radius      float64   `yaml:"radius_m" unit:"m" range:"(0, 1]" example:"35e-6" doc:"distance of the fibres from the centreline"`
	Angles      []float64 `yaml:"angles_rad" unit:"rad" range:"[-100, 100]" example:"[0, 2.0944, 4.18879]" doc:"azimuth of each fibre, from d1 towards d2; each fibre has a grating at every arc length of stations_m"`
	Wavelength  float64   `yaml:"wavelength_m" unit:"m" range:"(0, 1e-4]" default:"1.55e-6" doc:"that the unstrained gratings reflect"`
	GaugeFactor float64   `yaml:"gauge_factor" unit:"1" range:"(0, 10]" default:"0.78" doc:"relative shift of the wavelength per strain of the fibre, which at x, y along d1, d2 is that of the centreline + kappa_1 y - kappa_2 x; stretching is positive; without temperature"`
}

// IMU is an inertial measurement unit.
type IMU struct {
	SensorPlace
	AngularVelocityError    SensorError `yaml:"angular_velocity_error" doc:"of the angular velocity, rad/s"`
	LinearAccelerationError SensorError `yaml:"linear_acceleration_error" doc:"of the specific force, m/s^2"`
}

// LoadCell measures forces.
type LoadCell struct {
	Tendons []string    `yaml:"tendons" example:"[tendon_1]" choice:"cell" doc:"names of the tendons whose tensions at their motors it measures, N"`
	Base    bool        `yaml:"base" default:"false" choice:"cell" doc:"true: the wrench of the base on the rod, as topic measured_cf: in the axes of the base and about its origin, N and N m"`
	Joint   string      `yaml:"joint" choice:"cell" doc:"name of a joint of a mechanism, whose wrench on its child it measures, as topic JOINT/measured_cf, N and N m"`
	Force   SensorError `yaml:"force_error" doc:"of forces, N"`
	Torque  SensorError `yaml:"torque_error" doc:"of torques, N m"`
}

// Encoder measures where motors are.
type Encoder struct {
	Joints   []string    `yaml:"joints" example:"[tendon_1]" doc:"names of tendons and joints, as of measured_js; all of them if absent"`
	Backlash float64     `yaml:"backlash" unit:"m or rad" range:"[0, 1e4]" default:"0" doc:"whole play between the joint and the encoder: after a reversal the reading stays until the joint has moved by it; at t = 0 the joint is in its middle"`
	Error    SensorError `yaml:"error" doc:"of readings, m or rad"`
}

// CurrentSensor measures efforts of motors at the wrong end of their gears.
type CurrentSensor struct {
	Joints   []string    `yaml:"joints" example:"[tendon_1]" doc:"names of tendons and joints, as of measured_js; all of them if absent"`
	Friction float64     `yaml:"friction" unit:"N or N m" range:"[0, 1e9]" default:"0" doc:"Coulomb friction of the gear: the reading is effort + friction sign(rate) + damping rate, and has no friction at rest"`
	Damping  float64     `yaml:"damping" unit:"N s/m or N m s/rad" range:"[0, 1e9]" default:"0" doc:"viscous friction of the gear: effort per rate"`
	Error    SensorError `yaml:"error" doc:"of efforts, N or N m"`
}

// MarkerSensor measures positions of markers.
type MarkerSensor struct {
	Names []string    `yaml:"names" example:"[m1]" doc:"names of markers; all of them if absent"`
	Error SensorError `yaml:"error" doc:"of positions, m, world axes"`
}

// FieldSensor measures the field where it is.
type FieldSensor struct {
	SensorPlace
	Error SensorError `yaml:"error" doc:"of the flux density, T"`
}

// hasQuantity reports whether the sensor measures something.
func (s *Sensor) hasQuantity() bool {
	return s.Pose != nil || s.Strain != nil || s.IMU != nil || s.LoadCell != nil || s.Encoder != nil || s.Current != nil || s.Markers != nil || s.Field != nil || s.Camera != nil
}

// mostUnderway bounds the measurements that are taken and have not arrived: they are part of the state.
const mostUnderway = 1000

// SensorTopic is the topic of a sensor by its name.
func SensorTopic(name string) string { return "sensors/" + TopicOf(name) }

// sensorRules are what a robot has that sensors measure.
type sensorRules struct {
	step       float64 // s
	mechanism  *Mechanism
	rod        *rodLength // the only one; nil for other robots
	joints     []string   // names of measured_js
	tendons    []string
	markers    []string
	opaque     []string // names of bodies and shapes that hide points from cameras
	hasField   bool
	fieldNeeds string // what a robot without a field lacks
	isRandom   bool   // not only sensors draw random numbers
}

// finalizeSensors checks the sensors of a robot.
func (c *checker) finalizeSensors(sensors []Sensor, r *sensorRules) {
	if len(sensors) == 0 && !r.isRandom {
		c.warn("seed", Mistake{Problem: "has no effect without sensors", Hint: "remove it"})
	}
	first := map[string]string{}
	for i := range sensors {
		s, path := &sensors[i], item("sensors", i)
		if at := join(path, "name"); c.ok(at) && c.has(at) {
			c.name(at, s.Name, linkName, "a letter or _, then letters, digits, _ and - up to 64 in all", path, map[string]string{})
			r.checkName(c, s.Name, at, first[TopicOf(s.Name)])
			first[TopicOf(s.Name)] = path
		}
		if at := join(path, "rate_hz"); s.Rate*r.step > 1+1e-9 && c.ok(at, "solver.step_s") {
			c.fail(at, Mistake{Unit: "Hz", Problem: "is above one measurement in each step", Allowed: "at most 1/solver.step_s = " + formatNumber(rounded(1/r.step)), Hint: "use a smaller solver.step_s"})
		}
		if at := join(path, "latency_s"); (s.Latency+s.LatencyJitter)*s.Rate > mostUnderway && c.ok(at, join(path, "latency_jitter_s"), join(path, "rate_hz")) {
			c.fail(at, Mistake{Unit: "s", Problem: "delays more than " + formatNumber(mostUnderway) + " measurements at once", Allowed: "latency_s + latency_jitter_s at most " + formatNumber(rounded(mostUnderway/s.Rate))})
		}
		if !s.hasQuantity() {
			if c.ok(path) {
				c.fail(path, Mistake{Problem: "measures nothing", Allowed: "one of pose, strain, imu, load_cell, encoder, current, markers, field, camera"})
			}
			continue
		}
		r.finalize(c, s, path)
	}
}

// checkName checks that the topic and the columns of a sensor are its own. other is the path of a sensor with the same topic.
func (r *sensorRules) checkName(c *checker, name, at, other string) {
	switch {
	case !c.ok(at) || r.mechanism != nil: // which compares all of its names
	case other != "":
		c.fail(at, Mistake{Problem: "is the name of " + other + " too", Allowed: "names that differ; - counts as _"})
	default:
		for _, j := range r.joints {
			if strings.HasPrefix(j, TopicOf(name)+".") {
				c.fail(at, Mistake{Problem: "is the part of " + j + " before a point, so that columns of both may have one name", Allowed: "a name that is no such part of the name of a tendon or joint"})
			}
		}
	}
}

// finalize checks what a sensor measures.
func (r *sensorRules) finalize(c *checker, s *Sensor, path string) {
	switch {
	case s.Pose != nil:
		r.finalizePlace(c, &s.Pose.SensorPlace, join(path, "pose"), false)
		c.finalizeSensorError(&s.Pose.PositionError, join(path, "pose.position_error"), 3)
		at := join(path, "pose.rotation_error")
		c.finalizeSensorError(&s.Pose.RotationError, at, 3)
		e := &s.Pose.RotationError
		for _, o := range []struct {
			key   string
			given bool
		}{{"resolution", e.Resolution != 0}, {"limit", !math.IsInf(e.Limit, 1)}} {
			if k := join(at, o.key); o.given && c.ok(k) {
				c.fail(k, Mistake{Problem: "is not supported for orientations, which are unit quaternions", Hint: "remove it"})
			}
		}
	case s.Strain != nil:
		r.finalizeStrain(c, s.Strain, join(path, "strain"))
	case s.IMU != nil:
		r.finalizePlace(c, &s.IMU.SensorPlace, join(path, "imu"), false)
		c.finalizeSensorError(&s.IMU.AngularVelocityError, join(path, "imu.angular_velocity_error"), 3)
		c.finalizeSensorError(&s.IMU.LinearAccelerationError, join(path, "imu.linear_acceleration_error"), 3)
	case s.LoadCell != nil:
		r.finalizeLoadCell(c, s.LoadCell, join(path, "load_cell"))
	case s.Encoder != nil:
		at := join(path, "encoder")
		s.Encoder.Joints = r.finalizeNames(c, join(at, "joints"), s.Encoder.Joints, r.joints, "tendon or joint")
		c.finalizeSensorError(&s.Encoder.Error, join(at, "error"), len(s.Encoder.Joints))
	case s.Current != nil:
		at := join(path, "current")
		s.Current.Joints = r.finalizeNames(c, join(at, "joints"), s.Current.Joints, r.joints, "tendon or joint")
		c.finalizeSensorError(&s.Current.Error, join(at, "error"), len(s.Current.Joints))
	case s.Markers != nil:
		at := join(path, "markers")
		s.Markers.Names = r.finalizeNames(c, join(at, "names"), s.Markers.Names, r.markers, "marker")
		c.finalizeSensorError(&s.Markers.Error, join(at, "error"), 3)
	case s.Field != nil:
		at := join(path, "field")
		if !r.hasField && c.ok(at) {
			c.fail(at, Mistake{Problem: "measures nothing: the robot file has no field", Hint: r.fieldNeeds})
		}
		r.finalizePlace(c, &s.Field.SensorPlace, at, true)
		c.finalizeSensorError(&s.Field.Error, join(at, "error"), 3)
	case s.Camera != nil:
		r.finalizeCamera(c, s.Camera, s.Rate, join(path, "camera"))
	}
}

// finalizeSensorError gives each of n values its bias.
func (c *checker) finalizeSensorError(e *SensorError, path string, n int) {
	at := join(path, "bias")
	switch {
	case len(e.Bias) == n && n != 0:
	case len(e.Bias) == 0:
		e.Bias = make([]float64, n)
	case len(e.Bias) == 1:
		e.Bias = slices.Repeat(e.Bias, n)
	case c.ok(at) && n > 0:
		c.fail(at, Mistake{Value: formatNumber(float64(len(e.Bias))) + " numbers", Problem: "for a signal of " + plural(n, "value"), Allowed: "1 or " + formatNumber(float64(n)) + " numbers"})
	}
}

// finalizeStrain checks the stations of gratings.
func (r *sensorRules) finalizeStrain(c *checker, s *StrainSensor, path string) {
	length := r.rod
	switch rod := join(path, "rod"); {
	case r.mechanism != nil:
		l := r.mechanism.links()
		if s.Rod == "" {
			c.fail(rod, Mistake{Problem: "is missing", Allowed: "the name of a rod"})
			return
		}
		n, ok := r.mechanism.checkLink(c, path, false, s.Rod, "", &l, "")
		if !ok {
			return
		}
		length = &n
	case length == nil:
		if c.ok(path) {
			c.fail(path, Mistake{Problem: "measures nothing: the robot is a rigid body", Hint: "remove it"})
		}
		return
	case s.Rod != "" && c.ok(rod):
		c.fail(rod, Mistake{Problem: "is not needed: the robot has one rod", Hint: "remove it"})
	}
	at := join(path, "stations_m")
	if len(s.Stations) == 0 && c.ok(at) {
		c.fail(at, Mistake{Unit: "m", Problem: "are missing", Allowed: "at least 1 arc length"})
	}
	for i, x := range s.Stations {
		c.onRod(item(at, i), x, *length)
	}
	n := 3 * len(s.Stations)
	if s.Gratings != nil {
		n = len(s.Gratings.Angles) * len(s.Stations)
		if angles := join(path, "gratings.angles_rad"); n == 0 && c.ok(angles) {
			c.fail(angles, Mistake{Unit: "rad", Problem: "are missing", Allowed: "at least 1 angle"})
		}
	}
	c.finalizeSensorError(&s.Error, join(path, "error"), n)
}

// finalizeLoadCell checks what a load cell measures.
func (r *sensorRules) finalizeLoadCell(c *checker, s *LoadCell, path string) {
	n := 3
	switch {
	case len(s.Tendons) > 0:
		s.Tendons = r.finalizeNames(c, join(path, "tendons"), s.Tendons, r.tendons, "tendon")
		n = len(s.Tendons)
		if at := join(path, "torque_error"); c.has(at) && c.ok(at) {
			c.warn(at, Mistake{Problem: "has no effect: tensions have no torque"})
		}
	case s.Base:
		hint := "remove the sensor"
		if r.mechanism != nil {
			hint = "give joint: NAME instead"
		}
		if at := join(path, "base"); r.rod == nil && c.ok(at) {
			c.fail(at, Mistake{Problem: "is supported for robots of one rod only", Hint: hint})
		}
	case s.Joint != "":
		at := join(path, "joint")
		switch {
		case !c.ok(at):
		case r.mechanism == nil:
			c.fail(at, Mistake{Problem: "is no joint of the file, which has none", Hint: "give base: true or tendons: [NAME] for a robot of one rod"})
		case !slices.ContainsFunc(r.mechanism.Joints, func(j LinkJoint) bool { return j.Name == s.Joint }):
			var known []string
			for i := range r.mechanism.Joints {
				known = append(known, r.mechanism.Joints[i].Name)
			}
			c.unknownName(at, s.Joint, known, "joint")
		}
	case c.ok(path):
		c.fail(path, Mistake{Problem: "measures nothing", Allowed: "tendons: [NAME], base: true or joint: NAME"})
	}
	c.finalizeSensorError(&s.Force, join(path, "force_error"), n)
	if len(s.Tendons) == 0 {
		c.finalizeSensorError(&s.Torque, join(path, "torque_error"), 3)
	}
}

// finalizeNames checks that names are among those of the robot and returns them, or all if there are none.
func (r *sensorRules) finalizeNames(c *checker, path string, names, known []string, what string) []string {
	if len(known) == 0 && c.ok(path) {
		c.fail(path, Mistake{Problem: "measures nothing: the robot has no " + what, Hint: "remove the sensor"})
	}
	if len(names) == 0 {
		return slices.Clone(known)
	}
	for i, name := range names {
		at := item(path, i)
		switch {
		case !c.ok(at) || len(known) == 0:
		case !slices.Contains(known, name):
			c.unknownName(at, name, known, what)
		case slices.Contains(names[:i], name):
			c.fail(at, Mistake{Problem: "is given twice", Allowed: "each name once"})
		}
	}
	return names
}

// unknownName reports a name that is not among those that there are.
func (c *checker) unknownName(path, name string, known []string, what string) {
	m := Mistake{Problem: "is no " + what + " of the robot", Hint: didYouMean(name, known)}
	if m.Hint == "" {
		m.Allowed = "one of " + strings.Join(known, ", ")
	}
	c.fail(path, m)
}

// finalizeSensors checks the sensors of a robot of one rod.
func (r *Continuum) finalizeSensors(c *checker) {
	length := r.length()
	rules := sensorRules{step: r.Solver.Step, rod: &length, opaque: r.Environment.names(), hasField: len(r.Magnets) > 0, fieldNeeds: "give the rod magnets, on which a field acts"}
	for i := range r.Tendons {
		rules.tendons = append(rules.tendons, r.Tendons[i].Name)
	}
	rules.joints = slices.Clone(rules.tendons)
	for i := range r.Drives.Joints {
		rules.joints = append(rules.joints, r.Drives.Joints[i].Name)
	}
	for i := range r.Markers {
		rules.markers = append(rules.markers, r.Markers[i].Name)
	}
	c.finalizeSensors(r.Sensors, &rules)
}

// finalizeSensors checks the sensors of a mechanism.
func (r *Mechanism) finalizeSensors(c *checker) {
	rules := sensorRules{step: r.Solver.Step, mechanism: r, opaque: r.Environment.names(), fieldNeeds: "mechanisms have no field: remove it"}
	for i := range r.Bodies {
		rules.opaque = append(rules.opaque, r.Bodies[i].Name)
	}
	for i := range r.Tendons {
		rules.tendons = append(rules.tendons, r.Tendons[i].Name)
	}
	rules.joints = slices.Clone(rules.tendons)
	for i := range r.Joints {
		rules.joints = append(rules.joints, r.Joints[i].Coordinates()...)
	}
	for i := range r.Markers {
		rules.markers = append(rules.markers, r.Markers[i].Name)
	}
	c.finalizeSensors(r.Sensors, &rules)
}

// finalizeSensors checks the sensors of a rigid body.
func (r *Microrobot) finalizeSensors(c *checker) {
	c.finalizeSensors(r.Sensors, &sensorRules{step: r.Solver.Step, opaque: r.Environment.names(), hasField: true, isRandom: r.Fluid.Brownian})
}

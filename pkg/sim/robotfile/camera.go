package robotfile

import "slices"

// Camera measures where points are in its image. Its axis is the z axis of the sensor, x is to the right in the image and y downward.
type Camera struct {
	SensorPlace
	Width       int            `yaml:"width_px" unit:"px" range:"[1, 100000]" example:"640" doc:"columns of the image; column 0 is around u = 0"`
	Height      int            `yaml:"height_px" unit:"px" range:"[1, 100000]" example:"480" doc:"rows of the image; row 0 is around v = 0"`
	FocalX      float64        `yaml:"fx_px" unit:"px" range:"(0, 1e7]" example:"600" doc:"focal length over the width of a pixel"`
	FocalY      *float64       `yaml:"fy_px" unit:"px" range:"(0, 1e7]" doc:"focal length over the height of a pixel; fx_px if absent"`
	CenterX     *float64       `yaml:"cx_px" unit:"px" range:"[-1e6, 1e6]" doc:"u of the principal point; the middle of the image if absent"`
	CenterY     *float64       `yaml:"cy_px" unit:"px" range:"[-1e6, 1e6]" doc:"v of the principal point; the middle of the image if absent"`
	Distortion  []float64      `yaml:"distortion" unit:"1" range:"[-1e6, 1e6]" len:"0|4|5" example:"[-0.2, 0.05, 0, 0, 0]" doc:"k1, k2, p1, p2, k3 of the model plumb_bob of ROS and OpenCV; none if empty"`
	Exposure    float64        `yaml:"exposure_s" unit:"s" range:"[0, 10]" default:"0" doc:"how long the shutter is open before the time of each measurement, at which it closes: u and v are means over that time, and the point is seen if it was in sight for at least half of it"`
	Markers     []CameraMarker `yaml:"markers" example:"[{name: tip}]" doc:"points that the camera sees, each with a name and place of its own, unless they are behind it, out of its image, or hidden by a shape: those of bodies of a mechanism and of the environment are opaque"`
	Transparent []string       `yaml:"transparent" doc:"names of bodies and shapes of the environment that hide nothing: a camera outside of a vessel sees nothing in it, unless the vessel is transparent"`
	Error       SensorError    `yaml:"error" doc:"of u and v of each point, px"`
}

// CameraMarker is a point that a camera sees. A shape of its own body does not hide it from within.
type CameraMarker struct {
	Name string `yaml:"name" example:"tip" doc:"unique in the camera; letters, digits, _ and - after a first letter or _; its columns are CAMERA.NAME.u, .v and .seen"`
	Place
}

// finalizeCamera checks a camera and sets what it does not give.
func (r *sensorRules) finalizeCamera(c *checker, s *Camera, rate float64, path string) {
	r.finalizePlace(c, &s.SensorPlace, path, true)
	if s.FocalY == nil {
		s.FocalY = &s.FocalX
	}
	middle := func(pixels int) *float64 {
		m := 0.5 * float64(pixels-1)
		return &m
	}
	if s.CenterX == nil {
		s.CenterX = middle(s.Width)
	}
	if s.CenterY == nil {
		s.CenterY = middle(s.Height)
	}
	for len(s.Distortion) < 5 {
		s.Distortion = append(s.Distortion, 0)
	}
	if at := join(path, "exposure_s"); s.Exposure*rate > 1+1e-9 && c.ok(at) {
		c.fail(at, Mistake{Unit: "s", Problem: "is longer than the time between two measurements", Allowed: "at most 1/rate_hz = " + formatNumber(rounded(1/rate))})
	}
	if at := join(path, "markers"); len(s.Markers) == 0 && c.ok(at) {
		c.fail(at, Mistake{Problem: "is empty: the camera sees nothing", Allowed: "at least 1 point, as {name: tip}"})
	}
	first := map[string]string{}
	for i := range s.Markers {
		m, at := &s.Markers[i], item(join(path, "markers"), i)
		if name := join(at, "name"); c.ok(name) && c.has(name) {
			c.name(name, m.Name, linkName, "a letter or _, then letters, digits, _ and - up to 64 in all", at, first)
		}
		r.finalizePoint(c, &m.Place, at, true)
	}
	for i, name := range s.Transparent {
		switch at := item(join(path, "transparent"), i); {
		case !c.ok(at) || slices.Contains(r.opaque, name):
		case len(r.opaque) == 0:
			c.fail(at, Mistake{Problem: "hides nothing: the file has no body and no shape of the environment", Hint: "remove it"})
		default:
			c.unknownName(at, name, r.opaque, "body or shape")
		}
	}
	c.finalizeSensorError(&s.Error, join(path, "error"), 2)
}

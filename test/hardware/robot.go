package main

import (
	"fmt"
	"math"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// These numbers are from the makers of the robot.
const (
	backboneRadius = 0.0005 // m
	youngsModulus  = 5e10   // Pa
	poissonRatio   = 0.3
	holeRadius     = 0.0045 // distance of the holes from the backbone, m
	markerBeyond   = 0.008  // distance of the marker from the end of the backbone, m
	disks          = 5      // number of disks in each segment, evenly spaced
)

// segments are the lengths of the segments, m.
var segments = [3]float64{0.06, 0.0625, 0.064}

// holeAngles are the directions of the holes (rad) that the makers identified, where
// the fit starts.
var holeAngles = func() (a [tendonCount]float64) {
	turn := [3]float64{-3.0589, -2.5615, -2.0506}
	delta := [tendonCount]float64{0.0092, 0.1303, -0.1395, 0.1411, -0.1228, -0.0183, -0.1351, 0.0243, 0.1108}
	for k := range a {
		a[k] = turn[k/3] + float64(k%3)*2*math.Pi/3 + delta[k]
	}
	return a
}()

// The parameters have these indices.
const (
	angle        = 0                        // direction of the hole of each tendon, rad
	radius       = tendonCount              // distance of each hole from the backbone, mm
	rest         = 2 * tendonCount          // pull of each tendon at zero of its servo, mm
	stiffness    = 3*tendonCount + iota - 3 // stiffness of every tendon with its drive, N/m
	compression                             // stiffness EA of the robot along the backbone, N
	tiltX                                   // rotation of the motion capture's frame about x, rad
	tiltY                                   // rotation of the motion capture's frame about y, rad
	latency                                 // delay of the motion capture, s
	curvature1                              // curvature of the backbone at rest about d1, 1/m
	curvature2                              // curvature of the backbone at rest about d2, 1/m
	parameterLen                            // number of parameters
)

// parameters are what is fitted, with first guesses and bounds.
func parameters() []fit.Parameter {
	p := make([]fit.Parameter, parameterLen)
	for k := range tendonCount {
		p[angle+k] = fit.Parameter{Name: fmt.Sprintf("angle_%d", k+1), Unit: "rad", Start: holeAngles[k], Min: holeAngles[k] - 0.6, Max: holeAngles[k] + 0.6}
		p[radius+k] = fit.Parameter{Name: fmt.Sprintf("radius_%d", k+1), Unit: "mm", Start: 1e3 * holeRadius, Min: 3, Max: 6}
		p[rest+k] = fit.Parameter{Name: fmt.Sprintf("pull_%d", k+1), Unit: "mm", Start: 0.3, Min: -3, Max: 3}
	}
	p[stiffness] = fit.Parameter{Name: "stiffness", Unit: "N/m", Start: 9000, Min: 500, Max: 5e5, Log: true}
	p[compression] = fit.Parameter{Name: "compression", Unit: "N", Start: 7000, Min: 300, Max: 1e6, Log: true}
	p[tiltX] = fit.Parameter{Name: "tilt_x", Unit: "rad", Min: -0.3, Max: 0.3}
	p[tiltY] = fit.Parameter{Name: "tilt_y", Unit: "rad", Min: -0.3, Max: 0.3}
	p[latency] = fit.Parameter{Name: "latency", Unit: "s", Start: 0.05, Min: -0.5, Max: 0.5}
	p[curvature1] = fit.Parameter{Name: "curvature_1", Unit: "1/m", Min: -5, Max: 5}
	p[curvature2] = fit.Parameter{Name: "curvature_2", Unit: "1/m", Min: -5, Max: 5}
	return p
}

// robot is the robot file of parameters x.
func robot(x []float64) *robotfile.Continuum {
	const millimetre = 1e-3
	f := robotfile.Example[robotfile.Continuum]()
	second := math.Pi / 4 * math.Pow(backboneRadius, 4)
	f.Rod.Length = segments[0] + segments[1] + segments[2]
	f.Rod.Radius = 0
	f.Rod.Section = &robotfile.Section{Area: x[compression] / youngsModulus, I1: second, I2: second, J: 2 * second}
	f.Rod.YoungsModulus, f.Rod.ShearModulus = youngsModulus, youngsModulus/(2*(1+poissonRatio))
	f.Rod.Density = 6450
	f.Rod.Damping = robotfile.Damping{KelvinVoigt: 0.01, Drag: 0.5}
	f.Rod.Elements = len(segments) * disks
	f.Rod.Precurvature = spatial.Vec{X: x[curvature1], Y: x[curvature2]}
	f.Base = robotfile.Base{Direction: spatial.Vec{Z: 1}, Normal: spatial.Vec{X: 1}}
	f.Gravity = spatial.Vec{}
	f.InitialState = robotfile.Equilibrium
	f.Tendons = nil
	for k := range tendonCount {
		sin, cos := math.Sincos(x[angle+k])
		r, pull := millimetre*x[radius+k], millimetre*x[rest+k]
		t := robotfile.Tendon{
			Name: fmt.Sprintf("tendon_%d", k+1), Offset: [2]float64{r * cos, r * sin},
			Disks:     robotfile.Disks{Positions: diskPositions(k / 3), Radius: 0.0055},
			Stiffness: x[stiffness], Pull: &pull,
			Limits: robotfile.TendonLimits{MaxTension: 50, MaxRate: 1000, MaxPullRate: math.Inf(1)},
		}
		f.Tendons = append(f.Tendons, t)
	}
	f.Hardware.PoseType = robotfile.PointStamped
	f.Hardware.Frame = "mocap"
	f.Hardware.Orientation = spatial.ExpRot(spatial.Vec{X: x[tiltX], Y: x[tiltY]}).Quat()
	late := x[latency]
	f.Hardware.Latency = &late
	return f
}

// diskPositions are the arc lengths (m) of the disks that a tendon of a segment
// passes.
func diskPositions(segment int) (at []float64) {
	start := 0.0
	for s := range segment + 1 {
		for i := range disks {
			at = append(at, start+segments[s]*float64(i+1)/float64(disks))
		}
		start += segments[s]
	}
	return at
}

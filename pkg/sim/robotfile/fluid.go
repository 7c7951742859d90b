package robotfile

import "sinew/pkg/sim/spatial"

// Fluid is the medium. Viscosity 0 is vacuum: no drag and no buoyancy.
type Fluid struct {
	Viscosity   float64 `yaml:"viscosity_pa_s" live:"model" unit:"Pa s" range:"[0, 1e6]" default:"8.5e-4" doc:"dynamic viscosity; 0: vacuum, no drag and no buoyancy"`
	Density     float64 `yaml:"density_kg_per_m3" unit:"kg/m^3" range:"[0, 100000]" default:"1002" doc:"mass density"`
	Temperature float64 `yaml:"temperature_k" live:"model" unit:"K" range:"(0, 5000]" default:"310.15" doc:"of Brownian motion"`
	Brownian    bool    `yaml:"brownian" live:"model" default:"false" doc:"thermal motion"`
	Flow        Flow    `yaml:"flow" doc:"motion of the fluid without the robot; all parts add up"`
}

// Flow is the undisturbed velocity of the fluid in the world frame.
type Flow struct {
	Uniform    spatial.Vec `yaml:"uniform_m_per_s" live:"model" unit:"m/s" range:"[-1e4, 1e4]" default:"[0, 0, 0]" doc:"velocity at the world origin"`
	Gradient   [9]float64  `yaml:"gradient_per_s" unit:"1/s" range:"[-1e9, 1e9]" default:"[0, 0, 0, 0, 0, 0, 0, 0, 0]" doc:"du_i/dx_j, row-major"`
	Poiseuille *Poiseuille `yaml:"poiseuille" doc:"steady flow in a round tube"`
	Pulsatile  *Pulsatile  `yaml:"pulsatile" doc:"oscillating flow in a round tube"`
}

// Poiseuille is steady laminar flow in a round tube.
type Poiseuille struct {
	Axis   spatial.Vec `yaml:"axis" unit:"1" range:"[-1e6, 1e6]" example:"[1, 0, 0]" doc:"direction of the tube; any length but 0"`
	Center spatial.Vec `yaml:"center_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"a point of the axis"`
	Radius float64     `yaml:"radius_m" unit:"m" range:"(0, 1000]" example:"1e-3" doc:"of the tube"`
	Peak   float64     `yaml:"peak_m_per_s" unit:"m/s" range:"[-1e4, 1e4]" example:"1e-3" doc:"velocity on the axis"`
}

// Pulsatile is flow in a round tube under an oscillating pressure gradient
// (Womersley).
type Pulsatile struct {
	Axis      spatial.Vec `yaml:"axis" unit:"1" range:"[-1e6, 1e6]" example:"[1, 0, 0]" doc:"direction of the tube; any length but 0"`
	Center    spatial.Vec `yaml:"center_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"a point of the axis"`
	Radius    float64     `yaml:"radius_m" unit:"m" range:"(0, 1000]" example:"1e-3" doc:"of the tube"`
	Peak      float64     `yaml:"peak_m_per_s" unit:"m/s" range:"[-1e4, 1e4]" example:"0.04" doc:"amplitude of the velocity on the axis"`
	Frequency float64     `yaml:"frequency_hz" unit:"Hz" range:"(0, 1e6]" example:"1.1" doc:"of the pulse"`
	Phase     float64     `yaml:"phase_rad" unit:"rad" range:"[-1e6, 1e6]" default:"0" doc:"at t = 0; 0 starts from rest on the axis"`
}

// Wall is one of its fields.
type Wall struct {
	Plane    *Plane    `yaml:"plane" example:"{}" choice:"wall" doc:"the fluid is on the side of the normal"`
	Cylinder *Cylinder `yaml:"cylinder" choice:"wall" doc:"round tube, the fluid inside"`
}

// Plane is a flat wall.
type Plane struct {
	Point  spatial.Vec `yaml:"point_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"a point of the wall"`
	Normal spatial.Vec `yaml:"normal" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 1]" doc:"into the fluid; any length but 0"`
}

// Cylinder is a round tube, seen from inside.
type Cylinder struct {
	Axis   spatial.Vec `yaml:"axis" unit:"1" range:"[-1e6, 1e6]" example:"[1, 0, 0]" doc:"direction of the tube; any length but 0"`
	Center spatial.Vec `yaml:"center_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"a point of the axis"`
	Radius float64     `yaml:"radius_m" unit:"m" range:"(0, 1000]" example:"1e-3" doc:"of the tube"`
}

package env

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// scene is a sim.Scene for another program: world frame, m. Points are rows of x, y, z, poses x, y, z, qx, qy, qz, qw, colors
// red, green, blue and opacity from 0 to 1.
type scene struct {
	Scale     float64    `json:"scale"` // how many times larger than life it is drawn, about the origin
	Tubes     []tube     `json:"tubes"`
	Disks     []disk     `json:"disks"`
	Spheres   []sphere   `json:"spheres"`
	Polylines []polyline `json:"polylines"`
	Arrows    []arrow    `json:"arrows"`
	Meshes    []mesh     `json:"meshes"`
}

type (
	color  [4]float32
	vector [3]float64
	pose   [7]float64

	tube struct {
		Name   string    `json:"name"`
		Points []vector  `json:"points"`
		Radii  []float64 `json:"radii"` // at the points, or one
		Color  color     `json:"color"`
	}
	disk struct {
		Name      string  `json:"name"`
		Pose      pose    `json:"pose"` // its axis is z
		Radius    float64 `json:"radius"`
		Thickness float64 `json:"thickness"`
		Color     color   `json:"color"`
	}
	sphere struct {
		Name     string `json:"name"`
		Pose     pose   `json:"pose"`
		SemiAxes vector `json:"semi_axes"`
		Color    color  `json:"color"`
	}
	polyline struct {
		Name   string   `json:"name"`
		Points []vector `json:"points"`
		Width  float64  `json:"width"`
		Color  color    `json:"color"`
	}
	arrow struct {
		Name   string  `json:"name"`
		From   vector  `json:"from"`
		To     vector  `json:"to"`
		Radius float64 `json:"radius"`
		Color  color   `json:"color"`
	}
	mesh struct {
		Name    string `json:"name"`
		Pose    pose   `json:"pose"`
		Corners string `json:"corners"` // three of each triangle, float32 in base64
		Color   color  `json:"color"`
	}
)

// draw returns the scene of a robot.
func (f *fleet) draw(m sim.Model) *scene {
	m.Draw(&f.scene)
	return newScene(&f.scene)
}

// newScene describes s.
func newScene(s *sim.Scene) *scene {
	d := &scene{
		Scale: s.Scale, Tubes: make([]tube, len(s.Tubes)), Disks: make([]disk, len(s.Disks)), Spheres: make([]sphere, len(s.Spheres)),
		Polylines: make([]polyline, len(s.Polylines)), Arrows: make([]arrow, len(s.Arrows)), Meshes: make([]mesh, len(s.Meshes)),
	}
	if d.Scale == 0 {
		d.Scale = 1
	}
	for i, t := range s.Tubes {
		radii := t.Radii
		if len(radii) == 0 {
			radii = []float64{t.Radius}
		}
		d.Tubes[i] = tube{t.Name, vectors(t.Points), radii, newColor(t.Color)}
	}
	for i, x := range s.Disks {
		d.Disks[i] = disk{x.Name, newPose(x.Pose), x.Radius, x.Thickness, newColor(x.Color)}
	}
	for i, x := range s.Spheres {
		d.Spheres[i] = sphere{x.Name, newPose(x.Pose), newVector(x.SemiAxes), newColor(x.Color)}
	}
	for i, l := range s.Polylines {
		d.Polylines[i] = polyline{l.Name, vectors(l.Points), l.Width, newColor(l.Color)}
	}
	for i, a := range s.Arrows {
		d.Arrows[i] = arrow{a.Name, newVector(a.From), newVector(a.To), a.Radius, newColor(a.Color)}
	}
	for i := range s.Meshes {
		m := &s.Meshes[i]
		d.Meshes[i] = mesh{m.Name, newPose(m.Place()), corners(m.Corners), newColor(m.Color)}
	}
	return d
}

func newColor(c sim.Color) color { return color{c.R, c.G, c.B, c.A} }

func newVector(v spatial.Vec) vector { return vector{v.X, v.Y, v.Z} }

func newPose(p spatial.Pose) pose {
	q := p.R.Quat()
	return pose{p.P.X, p.P.Y, p.P.Z, q.X, q.Y, q.Z, q.W}
}

func vectors(v []spatial.Vec) []vector {
	all := make([]vector, len(v))
	for i := range v {
		all[i] = newVector(v[i])
	}
	return all
}

// corners are points as text: a mesh has tens of thousands.
func corners(v []spatial.Vec) string {
	b := make([]byte, 0, 12*len(v))
	for _, p := range v {
		for _, x := range newVector(p) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		}
	}
	return base64.StdEncoding.EncodeToString(b)
}

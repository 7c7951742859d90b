package trajectory_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// measurements are those of a motion at 100 Hz with noise (m), in numbers of a least step (m; 0: as they are). It rests for the first
// and the last half second.
func measurements(noise, least float64) *trajectory.Trajectory {
	m := &trajectory.Trajectory{Name: "x"}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		s := min(max(0.01*float64(i), 0.5), 3.5) - 0.5
		c := [3]float64{0.2 + 0.03*math.Sin(2*s), 0.05 * math.Sin(3*s), 0.04 * math.Sin(4*s)}
		for k := range c {
			c[k] += noise * r.NormFloat64()
			if least > 0 {
				c[k] = least * math.Round(c[k]/least)
			}
		}
		m.Tip.Add(0.01*float64(i), spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: c[0], Y: c[1], Z: c[2]}})
	}
	return m
}

// TestOcclusion: samples that a tracker wrote without seeing the point are found where they are certain, and no others are.
func TestOcclusion(t *testing.T) {
	freeze := func(m *trajectory.Trajectory, first, n int) {
		for i := first + 1; i < first+n; i++ {
			m.Tip.Pose[i] = m.Tip.Pose[first]
		}
	}
	set := func(m *trajectory.Trajectory, first, n int, p spatial.Vec) {
		for i := first; i < first+n; i++ {
			m.Tip.Pose[i].P = p
		}
	}
	for _, c := range []struct {
		name         string
		noise, least float64
		spoil        func(m *trajectory.Trajectory)
		left         int
		remark       string
	}{
		{"nothing", 2e-4, 1e-6, nil, 0, ""},
		{"at rest all the time", 2e-4, 1e-6, func(m *trajectory.Trajectory) { freeze(m, 0, 400) }, 0, ""},
		{"frozen", 2e-4, 1e-6, func(m *trajectory.Trajectory) { freeze(m, 120, 30) }, 29, "29 samples equal the one before"},
		{"frozen twice, and at the end", 2e-4, 1e-6, func(m *trajectory.Trajectory) { freeze(m, 100, 20); freeze(m, 200, 10); freeze(m, 380, 20) }, 47, "47 samples equal"},
		{"frozen of single numbers", 2e-4, 0, func(m *trajectory.Trajectory) { freeze(m, 120, 5) }, 4, "4 samples equal"},
		{"equal by chance", 2e-4, 1e-6, func(m *trajectory.Trajectory) { freeze(m, 120, 3) }, 0, ""},
		{"at rest without noise", 0, 0, nil, 0, ""},
		{"at rest without noise, rounded", 0, 1e-6, nil, 0, ""},
		{"rounded more coarsely than the noise", 2e-5, 1e-3, nil, 0, ""},
		{"every sample four times", 2e-4, 1e-6, func(m *trajectory.Trajectory) {
			for i := range 100 {
				freeze(m, 4*i, 4)
			}
		}, 300, "every position has about 4 rows, as of a log that is faster than the tracker: each measurement counts once, at the time of its first row, and 300 rows"},
		{"every sample three times, without noise", 0, 0, func(m *trajectory.Trajectory) {
			for i := range 133 {
				freeze(m, 3*i, 3)
			}
		}, 266, "every position has about 3 rows"},
		{"every position four times, with rotations of their own", 2e-4, 1e-6, func(m *trajectory.Trajectory) {
			for i := range 100 {
				freeze(m, 4*i, 4)
			}
			m.Tip.Rotations = true
			for i := range m.Tip.Pose {
				m.Tip.Pose[i].R = spatial.ExpRot(spatial.Vec{X: 1e-3 * math.Sin(7*float64(i))})
			}
		}, 0, "whose rotations differ"},
		{"every sample three times, and frozen", 2e-4, 1e-6, func(m *trajectory.Trajectory) {
			for i := range 133 {
				freeze(m, 3*i, 3)
			}
			freeze(m, 120, 30)
		}, 27 + 2 + 2*123, "27 samples equal the one before"},
		{"a log at 2.5 times the rate", 2e-4, 1e-6, func(m *trajectory.Trajectory) {
			for i := range 80 {
				freeze(m, 5*i, 2)
				freeze(m, 5*i+2, 3)
			}
		}, 240, "every position has about"},
		{"frozen for most of the time", 2e-4, 1e-6, func(m *trajectory.Trajectory) { freeze(m, 60, 300) }, 299, "299 samples equal the one before"},
		{"positions frozen beside rotations with noise", 2e-4, 1e-6, func(m *trajectory.Trajectory) {
			freeze(m, 120, 30)
			m.Tip.Rotations = true
			for i := range m.Tip.Pose {
				m.Tip.Pose[i].R = spatial.ExpRot(spatial.Vec{X: 1e-3 * math.Sin(7*float64(i))})
			}
		}, 29, "29 samples equal the one before"},
		{"at rest for most of the time without noise", 0, 1e-6, func(m *trajectory.Trajectory) { freeze(m, 60, 300) }, 0, ""},
		{"zeros", 2e-4, 1e-6, func(m *trajectory.Trajectory) { set(m, 150, 25, spatial.Vec{}) }, 25, "25 samples are exactly 0"},
		{"zeros without noise", 0, 0, func(m *trajectory.Trajectory) { set(m, 0, 25, spatial.Vec{}) }, 25, "25 samples are exactly 0"},
		{"marks", 2e-4, 1e-6, func(m *trajectory.Trajectory) {
			set(m, 150, 25, spatial.Vec{X: -999, Y: -999, Z: -999})
			set(m, 390, 10, spatial.Vec{X: -999, Y: -999, Z: -999})
		}, 35, "35 samples have one number, always the same, for all coordinates"},
		{"on the diagonal", 0, 1e-3, func(m *trajectory.Trajectory) {
			for i := range m.Tip.Pose {
				x := m.Tip.Pose[i].P.X
				m.Tip.Pose[i].P = spatial.Vec{X: x, Y: x, Z: x}
			}
		}, 0, ""},
		{"at the origin", 0, 0, func(m *trajectory.Trajectory) {
			for i := range m.Tip.Pose {
				m.Tip.Pose[i].P = m.Tip.Pose[i].P.Sub(spatial.Vec{X: 0.2})
			}
		}, 0, ""},
		{"another marker", 2e-4, 1e-6, func(m *trajectory.Trajectory) {
			for i := 150; i < 156; i++ {
				m.Tip.Pose[i].P.Z += 0.3
			}
		}, 6, "6 samples jump away and back"},
		{"a jump that stays", 2e-4, 1e-6, func(m *trajectory.Trajectory) {
			for i := 150; i < 400; i++ {
				m.Tip.Pose[i].P.Z += 0.3
			}
		}, 0, ""},
		{"all of them", 2e-4, 1e-6, func(m *trajectory.Trajectory) {
			freeze(m, 100, 20)
			set(m, 150, 5, spatial.Vec{})
			set(m, 200, 1, spatial.Vec{X: 1})
		}, 25, "19 samples equal the one before, as measurements with noise never do, 5 samples are exactly 0, 1 samples jump"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := measurements(c.noise, c.least)
			if c.spoil != nil {
				c.spoil(m)
			}
			m.LeaveOutOccluded()
			if left := 400 - len(m.Tip.Pose); left != c.left || len(m.Tip.T) != len(m.Tip.Pose) {
				t.Errorf("%d left out, want %d: %q", left, c.left, m.Remarks)
			}
			if remarks := strings.Join(m.Remarks, ""); !strings.Contains(remarks, c.remark) || c.remark == "" && remarks != "" {
				t.Errorf("%q, want %q", remarks, c.remark)
			}
		})
	}
}

// TestOcclusionOfRowsWithCommands: rows of a trial keep their commands, and their markers are examined, too.
func TestOcclusionOfRowsWithCommands(t *testing.T) {
	m := measurements(2e-4, 1e-6)
	m.Commands = &trajectory.Commands{}
	m.Markers = []trajectory.Marker{{Name: "ring", Poses: trajectory.Poses{T: slices.Clone(m.Tip.T), Pose: slices.Clone(m.Tip.Pose)}}}
	for i := 101; i < 120; i++ {
		m.Tip.Pose[i] = m.Tip.Pose[100]
		m.Markers[0].Pose[i].P = spatial.Vec{}
	}
	m.LeaveOutOccluded()
	gaps := 0
	for i := range m.Tip.Pose {
		if m.Gap(i) && !m.Markers[0].Pose[i].P.IsFinite() {
			gaps++
		}
	}
	if gaps != 19 || len(m.Tip.Pose) != 400 || len(m.Remarks) != 2 || !strings.Contains(m.Remarks[1], "x: marker ring: 19 samples are exactly 0") {
		t.Errorf("%d gaps, %q", gaps, m.Remarks)
	}
}

// TestOcclusionOfARecordedTrial: the poses of a recording have rows of their own, beside its commands, and leave none without a
// measurement behind.
func TestOcclusionOfARecordedTrial(t *testing.T) {
	m := measurements(2e-4, 1e-6)
	m.Commands, m.Stamped = &trajectory.Commands{}, true
	for _, at := range m.Tip.T {
		m.Tip.Stamps = append(m.Tip.Stamps, m.SinceEpoch(at))
	}
	for i := 101; i < 120; i++ {
		m.Tip.Pose[i] = m.Tip.Pose[100]
	}
	m.LeaveOutOccluded()
	if n := len(m.Tip.Pose); n != 381 || len(m.Tip.T) != n || len(m.Tip.Stamps) != n || len(m.Remarks) != 1 {
		t.Errorf("%d poses, %d times, %d stamps, %q", n, len(m.Tip.T), len(m.Tip.Stamps), m.Remarks)
	}
	for i, p := range m.Tip.Pose {
		if !p.P.IsFinite() {
			t.Fatalf("pose %d is %v", i, p.P)
		}
	}
}

// The rows of the tests above are those of a motion, of which the noise is what is said of it.
func ExampleTrajectory_LeaveOutOccluded() {
	m := measurements(2e-4, 1e-6)
	for i := 101; i < 141; i++ {
		m.Tip.Pose[i] = m.Tip.Pose[100]
	}
	m.LeaveOutOccluded()
	fmt.Println(m.Remarks[0])
	// Output: x: 40 samples equal the one before, as measurements with noise never do: taken for occlusion and left out; --keep-occluded keeps them.
}

// TestZerosOfATrial: seven zeros are a pose that was not seen, and not a wrong quaternion.
func TestZerosOfATrial(t *testing.T) {
	l := &trajectory.Layout{Ports: trajectory.TendonPorts(), Pose: []string{"tip_x", "tip_y", "tip_z", "tip_qx", "tip_qy", "tip_qz", "tip_qw"}}
	text := "t,x,y,z,qx,qy,qz,qw\n"
	for i := range 40 {
		row := fmt.Sprintf("%g,%g,0.2,0.3,0,0,0,1\n", 0.01*float64(i), 0.1+0.001*float64(i))
		if i >= 20 && i < 25 {
			row = fmt.Sprintf("%g,0,0,0,0,0,0,0\n", 0.01*float64(i))
		}
		text += row
	}
	m, err := trajectory.ReadCSV("x.csv", strings.NewReader(text), trajectory.Options{Robot: l})
	if err != nil {
		t.Fatal(err)
	}
	m.LeaveOutOccluded()
	gaps := 0
	for i := range m.Tip.Pose {
		if m.Gap(i) {
			gaps++
		}
	}
	if gaps != 5 || len(m.Remarks) != 1 {
		t.Errorf("%d gaps, %q", gaps, m.Remarks)
	}
	marked, err := trajectory.ReadCSV("x.csv", strings.NewReader(strings.ReplaceAll(text, ",0,0,0,0,0,0,0", strings.Repeat(",-999", 7))), trajectory.Options{Robot: l})
	if err != nil {
		t.Fatal(err)
	}
	if marked.LeaveOutOccluded(); !marked.Gap(22) || len(marked.Remarks) != 1 {
		t.Errorf("-999: %v, %q", marked.Tip.Pose[22], marked.Remarks)
	}
	if _, err := trajectory.ReadCSV("x.csv", strings.NewReader("t,x,y,z,qx,qy,qz,qw\n0,1,2,3,0,0,0,0\n"), trajectory.Options{Robot: l}); err == nil || !strings.Contains(err.Error(), "is not of length 1") {
		t.Errorf("a position without a rotation: %v", err)
	}
}

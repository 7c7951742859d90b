package robotfile_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// TestAxesOfHardware: axes are words or three letters, of which a mirror image exchanges those of the body, too.
func TestAxesOfHardware(t *testing.T) {
	measured := spatial.Vec{X: 1, Y: 2, Z: 3}
	for axes, want := range map[string]spatial.Vec{
		"z_up": {X: 1, Y: 2, Z: 3}, "y_up": {X: 1, Y: -3, Z: 2}, "x,-z,y": {X: 1, Y: -3, Z: 2}, "x, z, y": {X: 1, Y: 3, Z: 2}, "-y,x,z": {X: -2, Y: 1, Z: 3},
	} {
		f, err := robotfile.Parse[robotfile.Continuum]("f", []byte("hardware: {axes: \""+axes+"\"}"))
		if err != nil {
			t.Fatal(err)
		}
		g := f.Hardware.FramePose()
		if got := g.Apply(measured); got != want {
			t.Errorf("%s: %v, want %v", axes, got, want)
		}
		turn := spatial.ExpRot(spatial.Vec{X: 0.3, Y: 0.2, Z: -0.5})
		if r := g.R.Mul(turn).Mul(f.Hardware.Mirror()); r.Det() < 0.999 {
			t.Errorf("%s: a rotation becomes %v", axes, r)
		}
		if mirrored := g.R.Det() < 0; mirrored != (f.Hardware.Mirror() != spatial.Identity3()) {
			t.Errorf("%s: mirror %v", axes, f.Hardware.Mirror())
		}
	}
	for _, axes := range []string{"x,z", "x,x,z", "x,y,w", "up", "x,y,z,x"} {
		if _, err := robotfile.Parse[robotfile.Continuum]("f", []byte("hardware: {axes: \""+axes+"\"}")); err == nil || !strings.Contains(err.Error(), "names no axes") || !strings.Contains(err.Error(), "for example x,-z,y") {
			t.Errorf("%s: %v", axes, err)
		}
	}
}

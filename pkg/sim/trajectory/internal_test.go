package trajectory

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/table"
)

// Tests of what has no exported name.

// kinds reads a header without rows and tells what its columns are, in a word each.
func kinds(t *testing.T, header string, o Options) string {
	t.Helper()
	r, err := table.NewReader("x.csv", strings.NewReader(header+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := &sheet{Reader: r, o: &o, grammar: newGrammar(r.Header())}
	if o.Robot != nil {
		err = s.findRobot(o.Robot)
	} else {
		err = s.findAny()
	}
	if err != nil {
		return err.Error()
	}
	names := map[Kind]string{
		Unused: "-", Time: "time", ArcLength: "arc", Valid: "valid", RobotNumber: "robot", Position: "position", Orientation: "orientation", MarkerPoint: "marker",
		Velocity: "velocity", Acceleration: "acceleration", FieldAtRobot: "field", Tension: "tension", Pull: "pull", Angle: "angle", Command: "command",
	}
	var words []string
	for _, c := range s.grammar {
		word := names[c.Kind]
		if c.Name != "" {
			word += " " + c.Name
		}
		if c.Factor != 1 {
			word += fmt.Sprintf(" *%g", c.Factor)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// What a column is, of a trajectory of any robot and of one whose columns are known.
func TestKindsOfColumns(t *testing.T) {
	rod := &Layout{
		Ports: TendonPorts(), Pose: []string{"tip_x", "tip_y", "tip_z", "tip_qx", "tip_qy", "tip_qz", "tip_qw"},
		Markers: []string{"ring"}, Others: []string{"base_fx"},
	}
	for _, c := range []struct {
		header string
		o      Options
		want   string
	}{
		{"t,x,y,z", Options{}, "time, position, position, position"},
		{"time_ms,tip_x_mm,y,z,x", Options{}, "time *0.001, position *0.001, position, position, tension x"},
		{"t,x,y,z,ring_x_mm,ring_y,ring_z,other_x", Options{}, "time, position, position, position, marker ring *0.001, marker ring, marker ring, tension other_x"},
		{"t,ring_x,ring_y,ring_z", Options{}, "time, marker ring, marker ring, marker ring"},
		{"t,x,y,z,ax,ay,az,alpha_x,alpha_y,alpha_z", Options{}, "time, position, position, position, " + strings.Repeat("acceleration, ", 5) + "acceleration"},
		{"t,x,y,z,vx,bx,by,bz,gxx,up,up:m,bow:rad,bow:shaft_rad,ok", Options{}, "time, position, position, position, -, field, field, field, -, tension up, pull up, angle, angle, valid"},
		{"t,x,y,z,robot,ok", Options{Numbered: "robot", Number: AllRobots}, "time, position, position, position, robot, -"},
		{"s,x,y,z,up", Options{Shapes: true}, "arc, position, position, position, -"},
		{"s,x,y,z", Options{}, "x.csv:1: no column t, the time in s; there are s, x, y, z; name the times t, or t_ms if they are in ms"},
		{"t,tip_x,tip_y,tip_z,a,b,ring_x_m,ring_y,ring_z,base_fx", Options{Robot: rod}, "time, position, position, position, command, command, marker ring, marker ring, marker ring, -"},
		{"time_ms,x_mm,y,z,qx,qy,qz,qw", Options{Robot: rod}, "time *0.001, position *0.001, position, position, orientation, orientation, orientation, orientation"},
		{"a,tip_x,tip_y,tip_z", Options{Robot: rod}, "command, position, position, position"},
		{"t,tip_x,tip_y,tip_z,x", Options{Robot: rod}, `x.csv:1: unknown column "x"; there are t, tip_x, tip_y, tip_z, tip_qx, tip_qy, tip_qz, tip_qw and the commands a, b; a column that is none of them has to be left out of the file, or the commands have to be in one of their own, --commands FILE`},
	} {
		if got := kinds(t, c.header, c.o); got != c.want {
			t.Errorf("%s: %s, want %s", c.header, got, c.want)
		}
	}
}

// A rotation may be off by the rounding of float32, 1e-5 in all of RᵀR, and no more.
func TestIsRotation(t *testing.T) {
	turn := spatial.ExpRot(spatial.Vec{X: 0.3, Y: -2, Z: 1})
	for _, c := range []struct {
		name string
		m    spatial.Mat3
		want bool
	}{
		{"none", spatial.Mat3{}, false}, {"identity", spatial.Identity3(), true}, {"a turn", turn, true},
		{"a reflection", spatial.Diag3(spatial.Vec{X: 1, Y: 1, Z: -1}), false},
		{"twice", turn.Scale(2), false}, {"NaN", turn.Scale(math.NaN()), false},
		{"long x", spatial.Diag3(spatial.Vec{X: 1.0001, Y: 1, Z: 1}), false},
		{"long y", spatial.Diag3(spatial.Vec{X: 1, Y: 1.0001, Z: 1}), false},
		{"long z", spatial.Diag3(spatial.Vec{X: 1, Y: 1, Z: 1.0001}), false},
		{"shear xy", turn.Mul(spatial.Mat3{XX: 1, YY: 1, ZZ: 1, XY: 8e-6}), false},
		{"shear xz", turn.Mul(spatial.Mat3{XX: 1, YY: 1, ZZ: 1, XZ: 8e-6}), false},
		{"shear yz", turn.Mul(spatial.Mat3{XX: 1, YY: 1, ZZ: 1, YZ: 8e-6}), false},
		{"small shear", turn.Mul(spatial.Mat3{XX: 1, YY: 1, ZZ: 1, YZ: 6e-6}), true},
		{"rounded length", spatial.Diag3(spatial.Vec{X: 1 + 4e-6, Y: 1, Z: 1}), true},
	} {
		if got := isRotation(c.m); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TendonPorts are those of a robot with two tendons.
func TendonPorts() []sim.Port {
	labels := []string{"a", "b"}
	return []sim.Port{
		{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: labels, Parts: sim.Position},
		{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: labels, Unit: "N", Group: "tendons", Min: []float64{0, 0}, Max: []float64{5, 5}, Strict: true},
	}
}

// FieldPorts is the port of a field and its gradients.
func FieldPorts() []sim.Port {
	return []sim.Port{{Name: "field", Kind: sim.FieldGradient, Direction: sim.In}}
}

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Bodies for 55 s after those that were fitted.
func TestMicroswimmer(t *testing.T) {
	if testing.Short() {
		t.Skip("predicts 35 bodies")
	}
	b := recorded(t, &microswimmer)
	p := predicted(t, b)
	if err := b.leaveOut(p); err != nil {
		t.Fatal(err)
	}
	for folder, reached := range map[string]float64{ // aim: 10 µm
		"trial10_swimmer1": 6.8e-6, "trial10_magnetic1": 0.5e-6, "trial10_magnetic2": 2.2e-6,
		"trial13_swimmer1": 41.4e-6, "trial13_swimmer2": 7.4e-6, "trial19_swimmer1": 56.5e-6, "trial19_magnetic1": 8.5e-6,
	} {
		atMost(t, folder+" at 85 s", []spatial.Vec{endOf(p.spanOf(folder, swimmerLater))}, reached)
	}
	page(t, &microswimmer, p)
}

// The flow of tracers that move in one which is affine is found, and what is carried by it comes
// back where it was.
func TestFlowOfTracers(t *testing.T) {
	gradient := [2][2]float64{{0.01, -0.004}, {0.003, -0.006}}
	origin := func(at float64) (x, y float64) { return 2e-6 * math.Floor(at/swimmerWindow), -1e-6 }
	text := strings.Builder{}
	text.WriteString("t_s,fiducial1_x_um,fiducial1_y_um,fiducial2_x_um,fiducial2_y_um,fiducial3_x_um,fiducial3_y_um,swimmer1_x_um,swimmer1_y_um\n")
	const dt = 1e-3
	at := [][2]float64{{1e-4, 0}, {0, 2e-4}, {-1e-4, -1e-4}}
	for i := 0; i < 6000; i++ {
		if i%20 == 0 {
			fmt.Fprintf(&text, "%g", dt*float64(i))
			for _, x := range at {
				fmt.Fprintf(&text, ",%.12g,%.12g", 1e6*x[0], 1e6*x[1])
			}
			text.WriteString(",,\n")
		}
		u, v := origin(dt * float64(i))
		for k, x := range at {
			at[k][0] += dt * (u + gradient[0][0]*x[0] + gradient[0][1]*x[1])
			at[k][1] += dt * (v + gradient[1][0]*x[0] + gradient[1][1]*x[1])
		}
	}
	file := filepath.Join(t.TempDir(), "trial.csv")
	read := func(text string) (*swimmerTrial, error) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return readSwimmers(file)
	}
	tr, err := read(text.String())
	if err != nil {
		t.Fatal(err)
	}
	f, err := tr.flow("")
	if err != nil {
		t.Fatal(err)
	}
	for i := range gradient {
		for j, want := range gradient[i] {
			if got := f.gradient[i][j]; math.Abs(got-want) > 1e-4*math.Abs(gradient[0][0]) {
				t.Errorf("gradient %d, %d: %g 1/s, want %g", i, j, got, want)
			}
		}
	}
	for _, at := range []float64{1, 3, 5} {
		u, v := origin(at)
		if got := f.at(at); math.Hypot(got.X-u, got.Y-v) > 1e-9 {
			t.Errorf("at %g s the origin moves with %v, want %g, %g m/s", at, got, u, v)
		}
	}
	if _, err := tr.flow("fiducial1"); err == nil || !strings.Contains(err.Error(), "three tracers") {
		t.Errorf("two tracers: %v", err)
	}
	if _, err := tr.start(&tr.bodies[3], 0); err == nil || !strings.Contains(err.Error(), "swimmer1 was not seen about 0 s") {
		t.Errorf("a body that was never seen: %v", err)
	}
	for _, c := range []struct{ text, want string }{
		{"x,y\n1,2\n", "want t_s as the first column"},
		{"t_s,swimmer1_x_um\n0,1\n", "no column swimmer1_y_um"},
		{"t_s,swimmer1_x_um,swimmer1_y_um\n0,1,a\n", `trial.csv:2: swimmer1_y_um: "a" is not a number`},
		{"t_s,fiducial1_x_um,fiducial1_y_um\n0,1,\n", "fiducial1, by which the flow is measured, was not seen"},
	} {
		if _, err := read(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

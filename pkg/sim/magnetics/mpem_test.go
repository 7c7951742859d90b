package magnetics_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// mpemSources is a calibration of one coil whose source has the given keys beside direction
// and position.
func mpemSources(keys string) string {
	return "Coil_List: [C]\nC:\n  Source_List: [S]\n  S: {" + keys + "Source_Direction: [0, 0, 2], Source_Position: [0, 0, 1]}\n"
}

// Every limit of a calibration is refused where it is passed and taken where it is met, and
// all mistakes come back at once.
func TestMPEMLimits(t *testing.T) {
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1, ", n), ", ") + "]" }
	good := mpemSources("B_Coeff: [1], ")
	for _, k := range []struct {
		text  string
		words string // comma-separated; empty: it is taken
	}{
		{good, ""},
		{mpemSources("A_Coeff: " + list(20) + ", "), ""},
		{mpemSources("A_Coeff: " + list(21) + ", "), "21 coefficients, at most 20"},
		{mpemSources("A_Coeff: [1], B_Coeff: " + list(23) + ", "), "23 coefficients"},
		{mpemSources("A_Coeff: [.inf], B_Coeff: [1], "), "A_Coeff = [+Inf]"},
		{strings.Replace(good, "[0, 0, 2]", "[0, .nan, 2]", 1), "Source_Direction,3 finite"},
		{strings.Replace(good, "[0, 0, 1]", "[0, 0, 1, 2]", 1), "Source_Position,3 finite"},
		{strings.Replace(good, "[0, 0, 1]", "[0, ~, 1]", 1), "f:,\"~\" in a list is no number"},
		{"Workspace_Dimensions: [[null, 1], [0, 1], [2, 2]]\n" + good, "\"null\" in a list is no number"},
		{"Workspace_Dimensions: [[0, 1], [0, 1], [2, 2]]\n" + good, ""},
		{"Workspace_Dimensions: [[0, 1], [0, 1], [2, 1]]\n" + good, "Workspace_Dimensions"},
		{"Workspace_Dimensions: [[0, 1], [1, 0], [0, 1]]\n" + good, "Workspace_Dimensions"},
		{"Workspace_Dimensions: [[0, 1], [0, 1]]\n" + good, "Workspace_Dimensions"},
		{"Workspace_Dimensions: [[0, 1], [0, 1, 2], [0, 1]]\n" + good, "Workspace_Dimensions"},
		{"Workspace_Dimensions: [[-10, 10], [-10, 10], [-10, 10]]\n" + good, "span 20 m along x,are they in mm?"},
		{strings.Replace(good, "[0, 0, 1]", "[0, 0, 100]", 1), "Source_Position = [0 0 100] is 100 m away,is it in mm?"},
		{strings.Replace(good, "[0, 0, 1]", "[0, 0, 10]", 1), ""},
		{"Workspace_Dimensions: []\n" + strings.Replace(good, "[C]", "[C, C, D]", 1), "Workspace_Dimensions,names C twice,D is in Coil_List"},
		{strings.Replace(good, "[S]", "[S, T, U]", 1), "source T is in,source U is in"},
	} {
		c, err := magnetics.ParseMPEM("f", []byte(k.text))
		if k.words == "" {
			if err != nil || len(c.Names()) != 1 {
				t.Errorf("%s: %v", k.text, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("taken:\n%s", k.text)
			continue
		}
		for _, w := range strings.Split(k.words, ",") {
			if !strings.Contains(err.Error(), strings.TrimSpace(w)) {
				t.Errorf("the error %q lacks %q", err, w)
			}
		}
	}
}

// The field without current counts whether or not the list of coils names it, once; it is
// no coil.
func TestMPEMOffset(t *testing.T) {
	offset := "Offset:\n  Source_List: [S]\n  S: {A_Coeff: [-2.0e-5], Source_Direction: [1, 0, 0], Source_Position: [1, 1, 1]}\n"
	for _, list := range []string{"[C]", "[C, Offset]"} {
		c, err := magnetics.ParseMPEM("f", []byte(strings.Replace(mpemSources("B_Coeff: [1e-7], "), "[C]", list, 1)+offset))
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(c.Names()) != "[C]" {
			t.Errorf("coils %v", c.Names())
		}
		b, _ := c.At(spatial.Vec{}, []float64{0})
		magnetics.NearVec(t, list, b, spatial.Vec{X: 2e-5}, 1e-20)
		b, _ = c.At(spatial.Vec{}, []float64{1}) // on the axis of a dipole of 1 A m², 1 m away
		if want := 2e-7; math.Abs(b.Z-want) > 1e-20 {
			t.Errorf("%s: field of 1 A %v, want %g along z", list, b, want)
		}
	}
}

package page_test

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"sinew/test/testbench"
)

// TestPageLayers: what a scene has can be switched off, by keys too, and then nobody points at it; it stays off when the page is loaded anew.
// Arrows get longer, and the legend says of which length a field and a force are.
func TestPageLayers(t *testing.T) {
	testbench.NeedChromium(t)
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/layers.js"), testbench.BuildTendonsim(t), "use", testbench.Absolute(t, "../../launch/worlds/guidewire.yaml")).Output()
	var v struct {
		Fault                         string
		Foreign, Errors               []string
		Layers, All, Without          []string
		Meaning, Longer, Scale, State string
		Remembered                    bool
		Wide                          float64
	}
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Foreign)+len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	t.Logf("%s", out)
	for _, want := range []string{"robot", "magnetic field", "magnets", "walls", "ground"} {
		if !slices.Contains(v.Layers, want) {
			t.Errorf("layers %q, want %s among them", v.Layers, want)
		}
	}
	if slices.Contains(v.Layers, "second recording") || slices.Contains(v.Layers, "path") {
		t.Errorf("layers that are not there: %q", v.Layers)
	}
	if !slices.Contains(v.All, "vessel") || slices.Contains(v.Without, "vessel") || !slices.Contains(v.Without, "backbone") {
		t.Errorf("measured can be %q, without walls %q", v.All, v.Without)
	}
	field := regexp.MustCompile(`[\d.]+ [µm]?T is [\d.]+ [µm]m long; arrow length saturates; half of the maximum at 2.000? mT`)
	if !field.MatchString(v.Meaning) || !field.MatchString(v.Longer) || v.Scale != "10 ×" {
		t.Errorf("the legend is %q, then at %s %q", v.Meaning, v.Scale, v.Longer)
	}
	if v.State != "ENABLED" || v.Remembered || v.Wide > 360 {
		t.Errorf("it is %s; walls after a reload: %v; %g px on a phone", v.State, v.Remembered, v.Wide)
	}
}

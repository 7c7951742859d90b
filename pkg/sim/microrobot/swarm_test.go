package microrobot_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/microrobot"
)

func TestSwarmRefusals(t *testing.T) {
	const sphere = "body: {shape: {sphere_m: 1e-4}}, "
	for _, k := range []struct{ text, words string }{
		{"{body: {shape: {ellipsoid_m: [1e-4, 1e-4, 1e-5]}}, swarm: {count: 2, spacing_m: 1e-3}}", "interaction full,spheres"},
		{"{" + sphere + "swarm: {count: 2, spacing_m: 1e-4}}", "spacing_m,0.0002 m"},
		{"{" + sphere + "swarm: {count: 301, spacing_m: 1e-3}, fluid: {brownian: true}}", "count = 301,300"},
		{"{" + sphere + "swarm: {count: 2, spacing_m: 1e-3}, solver: {method: cg4}}", "cg4,rkmk4"},
		{"{body: {shape: {sphere_m: 1e-4}, position_m: [0, 0, 3e-4]}, walls: [{plane: {}}], swarm: {count: 8, spacing_m: 3e-4}}", "without walls"},
		{"{body: {shape: {sphere_m: 1e-4}, position_m: [0, 0, 2e-4]}, walls: [{plane: {}}], swarm: {count: 8, spacing_m: 3e-4, interaction: none}}", "inside a wall"},
		{"{body: {shape: {sphere_m: 1e-4}, soft: {volume_m3: 1e-12, susceptibility: 9}}, swarm: {count: 2, spacing_m: 1e-3}}", "permanent"},
	} {
		_, err := microrobot.New(microrobot.Parse(t, k.text), nil)
		if err == nil {
			t.Errorf("%s was accepted", k.text)
			continue
		}
		for _, w := range strings.Split(k.words, ",") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("the error %q does not mention %q", err, w)
			}
		}
	}
}

package test

import (
	"strings"
	"testing"
)

// A launch file gives some parameters to every node. The program takes them, and says at
// which line of a file a mistake stands.
func TestParametersOfEveryNode(t *testing.T) {
	const text = "/**:\n  ros__parameters:\n    use_sim_time: false\n" +
		"    qos_overrides: {/tf: {publisher: {depth: 5}}}\n    start_type_description_service: false\n"
	good := write(t, "good.yaml", text+"    rates: {publish_hz: 100}\n")
	bad := write(t, "bad.yaml", text+"    rates: {publish_hz: 100,\n      contro_hz: 7}\n")
	simTime := write(t, "time.yaml", strings.Replace(text, "false", "true", 1))
	for _, c := range []struct {
		file, want string
		code       int
	}{
		{good, good + ":4: qos_overrides has no effect", 0},
		{bad, bad + ":7: rates.contro_hz: unknown key (did you mean control_hz?)", 2},
		{simTime, simTime + ":3: use_sim_time: true: this node cannot follow /clock", 2},
	} {
		_, errs, code := run(t, buildTendonsim(t), "run", "--ros", "off", "--duration", "0.2s", "--ros-args", "--params-file", c.file)
		if code != c.code || strings.Count(errs, c.want) != 1 || strings.Contains(errs, "command line") {
			t.Errorf("exit code %d, want %d and once %q:\n%s", code, c.code, c.want, errs)
		}
		_, errs, code = run(t, buildTendonsim(t), "sim", "--duration", "0.01s", "--ros-args", "--params-file", c.file)
		if offline := c.code != 0 && c.file != simTime; (code != 0) != offline || offline && !strings.Contains(errs, c.want) {
			t.Errorf("sim: exit code %d:\n%s", code, errs)
		}
	}
}

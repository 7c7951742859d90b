package offline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// A launch file gives some parameters to every node. The program takes them, and says at
// which line of a file a mistake stands.
func TestParametersOfEveryNode(t *testing.T) {
	const text = "/**:\n  ros__parameters:\n    use_sim_time: false\n" +
		"    qos_overrides: {/tf: {publisher: {depth: 5}}}\n    start_type_description_service: false\n"
	good := testbench.WriteFile(t, "good.yaml", text+"    rates: {publish_hz: 100}\n")
	bad := testbench.WriteFile(t, "bad.yaml", text+"/**/tendonsim:\n  ros__parameters:\n    rates: {publish_hz: 100,\n      contro_hz: 7}\n")
	simTime := testbench.WriteFile(t, "time.yaml", strings.Replace(text, "false", "true", 1))
	for _, c := range []struct {
		file, want string
		code       int
	}{
		{good, good + ":4: qos_overrides has no effect", 0},
		{bad, bad + ":9: rates.contro_hz: unknown key (did you mean control_hz?)", 2},
		{simTime, simTime + ":3: use_sim_time: true and --ros off: there is no /clock to follow", 2},
	} {
		_, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "run", "--ros", "off", "--duration", "0.2s", "--ros-args", "--params-file", c.file)
		if code != c.code || strings.Count(errs, c.want) != 1 || strings.Contains(errs, "command line") {
			t.Errorf("exit code %d, want %d and once %q:\n%s", code, c.code, c.want, errs)
		}
		_, errs, code = testbench.Run(t, testbench.BuildTendonsim(t), "sim", "--duration", "0.01s", "--ros-args", "--params-file", c.file)
		if offline := c.code != 0 && c.file != simTime; (code != 0) != offline || offline && !strings.Contains(errs, c.want) {
			t.Errorf("sim: exit code %d:\n%s", code, errs)
		}
	}
}

// A parameter file that launch gives to several nodes has parameters of others; those of this
// node alone are its own. A file without end is not read to its end.
func TestSharedParameterFile(t *testing.T) {
	const camera = "    camera: {exposure_ms: 5, gain: 2}\n    contro: 7\n"
	shared := testbench.WriteFile(t, "shared.yaml", "/**:\n  ros__parameters:\n"+camera+"    rates: {contro_hz: 7, publish_hz: 100}\n")
	own := testbench.WriteFile(t, "own.yaml", "tendonsim:\n  ros__parameters:\n"+camera)
	endless := testbench.WriteFile(t, "endless.yaml", "a: "+strings.Repeat("x", 5<<20))
	for _, c := range []struct {
		file string
		want []string
		code int
	}{
		{shared, []string{shared + ": given to several nodes and no keys of this robot, left to others: camera.exposure_ms, camera.gain, contro\n",
			shared + ":5: rates.contro_hz: given to several nodes and no key of this robot, left to others (did you mean control_hz?)"}, 0},
		{own, []string{own + ":3: camera.exposure_ms: unknown key", own + ":4: contro: unknown key"}, 2},
		{endless, []string{endless + ": larger than 4194304 bytes, the maximum"}, 2},
		{"/dev/zero", []string{"/dev/zero: larger than 4194304 bytes"}, 2},
	} {
		for _, line := range [][]string{{"run", "--ros", "off", "--duration", "0.2s"}, {"sim", "--duration", "0.01s"}} {
			_, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), append(line, "--ros-args", "--params-file", c.file)...)
			if code != c.code {
				t.Errorf("%s of %s: exit code %d, want %d:\n%s", line[0], c.file, code, c.code, errs)
			}
			for _, want := range c.want {
				if strings.Count(errs, want) != 1 {
					t.Errorf("%s of %s: want once %q:\n%s", line[0], c.file, want, errs)
				}
			}
		}
	}
}

// The log goes where and is as loud as ROS says, and a node that ought to be secure does not
// run without security.
func TestLogAndSecurityOfLaunch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "node.log")
	line := []string{"run", "--ros", "ros2", "--duration", "0.2s", "__log:=" + file, "--ros-args", "--enclave", "/lab", "--log-level"}
	t.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF")
	t.Setenv("ROS_SECURITY_ENABLE", "true")
	for _, c := range []struct {
		strategy, level string
		code            int
		said, unsaid    string
	}{
		{"Permissive", "info", 0, "WARN ROS_SECURITY_ENABLE=true has no effect: DDS security is not implemented", "exit"},
		{"Permissive", "info", 0, "--enclave has no effect", "exit"},
		{"Permissive", "tendonsim:=error", 0, "", "INFO"},
		{"Enforce", "info", 2, "DDS security is not implemented; ROS_SECURITY_ENABLE=false runs without it", "operating state"},
	} {
		_ = os.Remove(file) // of the case before
		t.Setenv("ROS_SECURITY_STRATEGY", c.strategy)
		_, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), append(line, c.level)...)
		if code != c.code || strings.Count(errs, c.said) != 1 && c.said != "" || strings.Contains(errs, c.unsaid) {
			t.Errorf("%+v: exit code %d:\n%s", c, code, errs)
		}
		log, err := os.ReadFile(file)
		if err != nil || code == 0 && string(log) != errs {
			t.Errorf("%+v: %s has %q, %v; stderr %q", c, file, log, err, errs)
		}
	}
}

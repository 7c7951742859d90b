package offline_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sinew/test/subprocess"
	"sinew/test/testbench"
)

// wheels is where .ci/run downloads the packages of .ci/python.txt.
const wheels = "../../python/wheels"

// TestPythonPackage builds the wheel, installs it into a clean environment, and runs there the
// tests of the package, with Gymnasium and without, the program of docs/learning.md, and the
// examples that measure and that identify.
func TestPythonPackage(t *testing.T) {
	testbench.Need(t, "python3")
	if found, err := filepath.Glob(wheels + "/*.whl"); err != nil || len(found) == 0 {
		t.Skipf("%s is empty: python3 -m pip download -r .ci/python.txt -d python/wheels", wheels)
	}
	t.Parallel() // builds and installs, and measures no time
	dir := t.TempDir()
	env := subprocess.Environment(t, "http://localhost:1")
	python := filepath.Join(dir, "venv", "bin", "python")
	call := func(folder, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = folder, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	if out, err := exec.Command("python3", "-m", "venv", filepath.Join(dir, "venv")).CombinedOutput(); err != nil {
		t.Skipf("python3 -m venv: %v\n%s", err, out)
	}
	source := filepath.Join(dir, "source", "python") // pip leaves files where it builds
	if err := os.CopyFS(source, os.DirFS("../../python")); err != nil {
		t.Fatal(err)
	}
	pip := func(args ...string) {
		t.Helper()
		call(dir, python, append([]string{"-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", "--find-links", testbench.Absolute(t, wheels)}, args...)...)
	}
	pinned := testbench.Absolute(t, "../../.ci/python.txt")
	pip("--upgrade", "-c", pinned, "setuptools", "numpy")
	env = append(env, "SINEW_SOURCE="+testbench.Absolute(t, "../.."), "ROBOTS="+testbench.Absolute(t, "../../launch/robots"))
	call(dir, python, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "-w", filepath.Join(dir, "dist"), source)
	pip("--no-deps", testbench.Must(t)(one(filepath.Join(dir, "dist", "*.whl"))))

	tests := filepath.Join(source, "tests")
	// an error in a finalizer ends nothing: what counts is what is written
	out := call(dir, python, "-W", "always::ResourceWarning", "-m", "unittest", "discover", "-v", tests)
	if strings.Contains(out, "ResourceWarning") || !strings.Contains(out, "test_interrupts_at_any_moment") {
		t.Errorf("the tests of the package leave something open, or are not all there:\n%s", out)
	}
	pip("-c", pinned, "gymnasium", "cma", "mypy")
	out = call(tests, python, "-m", "unittest", "-v", "test_sinew.Vector.test_gymnasium", "test_sinew.Vector.test_ten_lines", "test_sinew.Vector.test_same_step", "test_env")
	if strings.Contains(out, "skipped") {
		t.Errorf("with Gymnasium a test of the package is skipped:\n%s", out)
	}
	// what a user's own type checker sees, of the installed package; sb3.py is for where Stable-Baselines3 is
	call(dir, python, "-m", "mypy", "--strict", "--exclude", "sb3\\.py$", filepath.Join(source, "sinew"))

	call(dir, filepath.Join(dir, "venv", "bin", "tendonsim"), "init", "nitinol")
	page, err := os.ReadFile("../../docs/learning.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := regexp.MustCompile("(?s)runs this -->\n```python\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(programs) != 3 {
		t.Fatalf("docs/learning.md has %d programs to run, want 3", len(programs))
	}
	if derived := call(dir, python, "-W", "ignore", "-c", programs[2][1]); !regexp.MustCompile(`^\[\[ *5[0-9]\. +[0-9]{3}\.\]\]\n0\.001 \(480, 480\) \['tension.front'`).MatchString(derived) {
		t.Errorf("the third program of docs/learning.md prints %q", derived)
	}
	if single := call(dir, python, "-W", "ignore", "-c", programs[1][1]); single != "{'field.bx': 'T', 'field.by': 'T', 'field.bz': 'T'} (480, 480, 3)\n" {
		t.Errorf("the second program of docs/learning.md prints %q", single)
	}
	tips := call(dir, python, "-c", programs[0][1]) // of random actions; NumPy pads numbers that are short
	if !regexp.MustCompile(`^\[ *-?[0-9.e-]+ +-?[0-9.e-]+ +0\.1[0-9]+ *\]\n$`).MatchString(tips) {
		t.Errorf("the program of docs/learning.md prints %q", tips)
	}
	rates := call(dir, python, filepath.Join(source, "examples", "rate.py"), "nitinol.yaml", "100", "0.5")
	if strings.Count(rates, "times real time") != 3 {
		t.Errorf("rate.py prints %q", rates)
	}
	t.Log(rates)
	found := call(dir, python, filepath.Join(source, "examples", "identify_cmaes.py"), "nitinol.yaml", "4")
	if !regexp.MustCompile(`(?ms)^64 motions in .*youngs_modulus_pa: 5\.[0-9]+e\+10, true .*kelvin_voigt_s: 0\.0[23]`).MatchString(found) {
		t.Errorf("identify_cmaes.py prints %q", found)
	}
	t.Log(found)

	pip("-c", pinned, "scipy", "osqp")
	control := filepath.Join(dir, "control")
	if err := os.CopyFS(control, os.DirFS("../../launch/examples/control")); err != nil {
		t.Fatal(err)
	}
	if out := call(control, python, "-m", "unittest", "-v", "test_control"); !strings.Contains(out, "Ran 2 tests") {
		t.Errorf("the controllers of launch/examples/control:\n%s", out)
	}
}

// one is the only file of a pattern.
func one(pattern string) (string, error) {
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		return "", &os.PathError{Op: "find", Path: pattern, Err: os.ErrNotExist}
	}
	return found[0], nil
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// outcome is what the tests say about a mutant.
type outcome string

const (
	killed     outcome = "killed"
	survived   outcome = "survived"
	timedOut   outcome = "timed out"
	notCompile outcome = "does not compile"
)

// result is a mutant that was tried.
type result struct {
	mutation
	outcome outcome
	test    string // the first test that failed, or its panic, if one is named
}

// runner tries mutants.
type runner struct {
	root     string   // directory of the module
	target   string   // import path of the mutated package
	tests    []string // packages whose tests run
	then     []string // arguments of go test for mutants that these tests let pass
	short    bool
	timeout  time.Duration // of the tests of one package
	memoryMB int           // of a test program; 0 is unlimited
}

// compileTime is allowed for building the tests, on top of their own time.
const compileTime = 5 * time.Minute

// goCommand runs the go command in the module and returns what it prints. An overlay,
// if there is one, reaches the go commands of tests too.
func (r *runner) goCommand(ctx context.Context, overlay string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, compileTime+r.timeout*time.Duration(max(1, len(r.tests), len(r.then))))
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = r.root
	if overlay != "" {
		cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // go ends its test programs then
	cmd.WaitDelay = 10 * time.Second
	return cmd.CombinedOutput()
}

// test runs the tests.
func (r *runner) test(ctx context.Context, overlay string) ([]byte, error) {
	var args []string
	if r.timeout > 0 {
		args = append(args, "-timeout", r.timeout.String())
	}
	if r.short {
		args = append(args, "-short")
	}
	return r.goTest(ctx, overlay, append(args, r.tests...))
}

// goTest runs go test.
func (r *runner) goTest(ctx context.Context, overlay string, args []string) ([]byte, error) {
	common := []string{"test", "-vet=off", "-failfast", "-count=1"}
	if limit, err := exec.LookPath("prlimit"); err == nil && r.memoryMB > 0 {
		common = append(common, "-exec", fmt.Sprintf("%s --as=%d --", limit, r.memoryMB<<20))
	}
	return r.goCommand(ctx, overlay, append(common, args...)...)
}

// baseline runs the tests of the unchanged package, which must pass, and returns how
// long those take that every mutant meets.
func (r *runner) baseline(ctx context.Context) (time.Duration, error) {
	begin := time.Now()
	out, err := r.test(ctx, "")
	took := time.Since(begin)
	if err == nil && len(r.then) > 0 {
		out, err = r.goTest(ctx, "", r.then)
	}
	if err != nil {
		return 0, fmt.Errorf("the tests fail without any change: %w\n%s", err, out)
	}
	return took, nil
}

// try runs the tests on one mutant.
func (r *runner) try(ctx context.Context, m mutation) (result, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(dir)
	overlay, err := writeOverlay(dir, filepath.Join(r.root, m.file), m)
	if err != nil {
		return result{}, err
	}
	if _, err := r.goCommand(ctx, overlay, "build", r.target); err != nil {
		return result{mutation: m, outcome: notCompile}, exitError(ctx, err)
	}
	out, err := r.test(ctx, overlay)
	if err == nil && len(r.then) > 0 {
		out, err = r.goTest(ctx, overlay, r.then)
	}
	return judge(m, out, err), exitError(ctx, err)
}

// writeOverlay writes the mutated file, and the overlay that puts it in the place of
// path, to dir.
func writeOverlay(dir, path string, m mutation) (string, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	mutated := filepath.Join(dir, filepath.Base(path))
	if err := os.WriteFile(mutated, m.apply(src), 0o644); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutated}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o644)
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\S+)|^(?:panic|fatal error): (.*)$`)

// judge reads the output of go test, which ended with err.
func judge(m mutation, out []byte, err error) result {
	r := result{mutation: m, outcome: killed}
	switch {
	case err == nil:
		r.outcome = survived
	case bytes.Contains(out, []byte("panic: test timed out")), errors.Is(err, context.DeadlineExceeded):
		r.outcome = timedOut
	default:
		if found := failedTest.FindSubmatch(out); found != nil {
			r.test = brief(string(found[1]) + string(found[2]))
		}
	}
	return r
}

// exitError returns err unless it is the exit of a command that was not interrupted.
func exitError(ctx context.Context, err error) error {
	var exit *exec.ExitError
	if ctx.Err() == nil && (errors.As(err, &exit) || errors.Is(err, context.DeadlineExceeded)) {
		return nil
	}
	return err
}

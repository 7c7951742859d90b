package offline_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/test/subprocess"
	"sinew/test/testbench"
)

// terminal is a pseudo-terminal, of which a program has one end.
type terminal struct {
	*os.File // the other end
	program  *os.File

	mu    sync.Mutex
	shown strings.Builder
}

// openTerminal opens a terminal of 120 columns and reads all that is shown on it.
func openTerminal(t *testing.T) *terminal {
	t.Helper()
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { ptmx.Close() })
	fd := int(ptmx.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 120})
	}
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	term := &terminal{File: ptmx, program: tty}
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := ptmx.Read(b)
			if err != nil {
				return
			}
			term.mu.Lock()
			term.shown.Write(b[:n])
			term.mu.Unlock()
		}
	}()
	return term
}

func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown.String()
}

// shows waits until the terminal shows a pattern.
func (t *terminal) shows(test *testing.T, pattern string) {
	test.Helper()
	r := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(testbench.WaitLimit); !r.MatchString(t.text()); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			test.Fatalf("the terminal does not show %q:\n%q", pattern, t.text())
		}
	}
}

// start runs the program with its stderr on a terminal.
func start(t *testing.T, term *terminal, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(testbench.BuildTendonsim(t), args...)
	cmd.Stderr = term.program
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// TestProgress: on a terminal, what takes long says how much is done, how fast and how
// long the rest will take, and work of less than a second shows nothing at all; elsewhere there is a line every
// ten seconds.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "x.csv")
	const rate = `\d+ (steps|periods)/s\) \[\d+s:[0-9hm]+s\]` // passed and remaining time
	t.Run("sim", func(t *testing.T) {
		term := openTerminal(t)
		cmd := start(t, term, "sim", "--duration", "20000", "--sample-hz", "1", "--out", out)
		term.shows(t, `sim +\d+% .*`+rate)
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		term.shows(t, `tendonsim: interrupted at t = `)
	})
	t.Run("replay", func(t *testing.T) {
		long := filepath.Join(dir, "long.bag")
		writeCommands(t, long, 0, 2000*time.Second)
		term := openTerminal(t)
		cmd := start(t, term, "replay", long, "--sample-hz", "1", "--out", filepath.Join(dir, "r.csv"))
		term.shows(t, `replay +\d+% .*`+rate)
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, term.text())
		}
	})
	t.Run("identify", func(t *testing.T) {
		overlay := filepath.Join(dir, "e.yaml")
		data := testbench.WriteFile(t, "motion.csv", motion())
		params, _, _ := testbench.Run(t, testbench.BuildTendonsim(t), "params")
		robot := testbench.WriteFile(t, "robot.yaml", params)
		term := openTerminal(t)
		cmd := start(t, term, "identify", "--config", robot, "--free", "youngs_modulus_pa", "--free", "density_kg_per_m3", "--starts", "50", "--out", overlay, data)
		term.shows(t, `identify: start \d+ of 50, step \d+, RMSE [0-9.e+-]+ mm, best [0-9.e+-]+ mm`)
		term.shows(t, `\d+ simulations/(s|min)`)
		w := subprocess.NewStopwatch()
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil || w.Stop() > time.Second {
			t.Errorf("%v after %v: %s", err, w.Read(), term.text())
		}
		text := testbench.ReadFile(t, overlay)
		if !strings.Contains(text, "# interrupted: the search had not ended") || !strings.Contains(text, "youngs_modulus_pa: ") {
			t.Errorf("the overlay is\n%s", text)
		}
		if _, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "sim", "--config", robot, "--config", overlay, "--duration", "0.01"); code != 0 {
			t.Errorf("the overlay does not load: %s", errs)
		}
	})
	t.Run("short work", func(t *testing.T) {
		program, shown := testbench.BuildTendonsim(t), ""
		for range 5 { // on a busy machine it may not be short
			term := openTerminal(t)
			cmd := exec.Command(program, "run", "--ros", "off", "--no-demo", "--duration", "2s") // in which the robot is built
			cmd.Stderr = term.program
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v: %q", err, term.text())
			}
			if shown = term.text(); !strings.Contains(shown, "building") {
				return
			}
		}
		t.Errorf("%q", shown)
	})
	t.Run("static", func(t *testing.T) {
		term := openTerminal(t)
		start(t, term, "static", "--config", testbench.RobotFiles+"rod_on_table.yaml", "_rod/elements:=1500", "--out", filepath.Join(dir, "s.csv"))
		term.shows(t, `estimating the error of the mesh: mesh [123] of 3, \d+ elements .*\[\d+s\]`)
	})
	t.Run("no terminal", func(t *testing.T) {
		if _, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), "sim", "--duration", "0.02", "--out", out); code != 0 || errs != "" {
			t.Errorf("exit code %d: %q", code, errs)
		}
		cmd := exec.Command(testbench.BuildTendonsim(t), "sim", "--duration", "20000", "--sample-hz", "1", "--out", out)
		errs, err := cmd.StderrPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		lines := bufio.NewReader(errs)
		line, err := lines.ReadString('\n')
		if !regexp.MustCompile(`^tendonsim: sim: [0-9.]+ % after \d\d s, about [0-9hms]+ left\n$`).MatchString(line) {
			t.Errorf("%v: %q", err, line)
		}
		_ = cmd.Process.Signal(os.Interrupt)
		rest, err := io.ReadAll(lines)
		if err := errors.Join(err, cmd.Wait()); err != nil || !strings.Contains(string(rest), "interrupted at t = ") {
			t.Errorf("%v: %s", err, rest)
		}
	})
}

// writeCommands records commands of no tension at times after the first.
func writeCommands(t *testing.T, file string, times ...time.Duration) {
	t.Helper()
	w, err := record.Create(file, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const begin = 1_700_000_000 * time.Second
	for _, at := range times {
		s := ros.NewSample(&sensor_msgs.JointState{Effort: []float64{0, 0, 0, 0}})
		s.Time = msgs.At(begin + at)
		w.Received(ros.Topic{Name: "/tendonsim/servo_jf", Type: sensor_msgs.JointStateType}, s)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// motion is a motion of the tip for identify: 20 s, in which nothing was commanded.
func motion() string {
	var b strings.Builder
	b.WriteString("t,tip_x,tip_y,tip_z\n")
	for i := range 400 {
		fmt.Fprintf(&b, "%g,%g,%g,%g\n", 0.05*float64(i), 0.24, 0.0, 0.01*math.Cos(float64(i)))
	}
	return b.String()
}

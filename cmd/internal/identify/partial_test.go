package identify_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/spatial"
)

// partialRows is how many rows the trials of these tests have.
const partialRows = 60

// partialTrial measures the motion of a rod under two commands and writes each row by write, with the time in s.
func partialTrial(t *testing.T, header string, write func(at float64, p spatial.Pose) string) (data, commands string) {
	t.Helper()
	m, err := continuum.New(parseRod(t, movingText(trueE, trueG, trueMu)))
	if err != nil {
		t.Fatal(err)
	}
	const stepS, every = 0.004, 5
	in := sim.NewInputs(m)
	in.Set(0, []float64{4, 3, sim.Keep})
	var value [7]float64
	var b strings.Builder
	b.WriteString(header + "\n")
	port := -1
	for i, p := range m.Ports() {
		if p.Name == "measured_cp" {
			port = i
		}
	}
	for n := range every * partialRows {
		if n == every*partialRows/2 {
			in.Set(0, []float64{1, 3, sim.Keep})
		}
		if n%every == 0 {
			m.Value(port, value[:])
			q := spatial.Quat{X: value[3], Y: value[4], Z: value[5], W: value[6]}
			b.WriteString(write(float64(n)*stepS, spatial.Pose{R: q.Rot(), P: spatial.Vec{X: value[0], Y: value[1], Z: value[2]}}) + "\n")
		}
		in.Advance(stepS)
		if err := m.Step(stepS); err != nil {
			t.Fatal(err)
		}
	}
	commands = fmt.Sprintf("t,up,side\n0,4,3\n%g,1,3\n", stepS*every*partialRows/2)
	return apptest.Write(t, "trial.csv", b.String()), apptest.Write(t, "commands.csv", commands)
}

// TestTrialsOfWhatIsMeasured: E is found from positions in the plane alone, of which two residuals a row count, from rotations
// without positions, and from a CSV as other programs write it, in which a pose was not seen for a while.
func TestTrialsOfWhatIsMeasured(t *testing.T) {
	many(t)
	noise := rand.New(rand.NewPCG(3, 4))
	const mm, turn = 1e-4, 1e-3 // noise, m and rad
	for _, c := range []struct {
		name, header string
		write        func(at float64, p spatial.Pose) string
		residuals    int
		remark       string
	}{
		{"in the plane", "t,x,y", func(at float64, p spatial.Pose) string {
			return fmt.Sprintf("%.4f,%.7f,%.7f", at, p.P.X+mm*noise.NormFloat64(), p.P.Y+mm*noise.NormFloat64())
		}, 2 * partialRows, "there is no z: x and y alone are used"},
		{"rotations", "time,quat_w,quat_x,quat_y,quat_z", func(at float64, p spatial.Pose) string {
			q := p.R.Mul(spatial.ExpRot(spatial.Vec{X: turn * noise.NormFloat64(), Y: turn * noise.NormFloat64(), Z: turn * noise.NormFloat64()})).Quat()
			return fmt.Sprintf("%.4f,%.9f,%.9f,%.9f,%.9f", at, q.W, q.X, q.Y, q.Z)
		}, 3 * partialRows, "rotations and no positions: rotations are fitted"},
		{"of another program", "Time (ms);X [mm];Y [mm];Z [mm];Frame", func(at float64, p spatial.Pose) string {
			text := fmt.Sprintf("%.1f;%.4f;%.4f;%.4f;7", 1e3*at, 1e3*(p.P.X+mm*noise.NormFloat64()), 1e3*(p.P.Y+mm*noise.NormFloat64()), 1e3*(p.P.Z+mm*noise.NormFloat64()))
			if at > 0.5 && at < 0.6 { // not seen
				text = fmt.Sprintf("%.1f;0;0;0;7", 1e3*at)
			}
			return strings.ReplaceAll(text, ".", ",")
		}, 3 * (partialRows - 4), "4 samples are exactly 0: taken for occlusion"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, commands := partialTrial(t, c.header, c.write)
			args := []string{"--config", apptest.Write(t, "robot.yaml", movingText(1.3*trueE, trueG, trueMu)), "--free", "youngs_modulus_pa", "--starts", "1", "--commands", commands, data}
			r := identified(t, rodRobot(), args...)
			r.expect(t, "rod.youngs_modulus_pa", trueE, 0.01)
			if r.Residuals != c.residuals {
				t.Errorf("%d residuals, want %d", r.Residuals, c.residuals)
			}
			if out, err := attempt(rodRobot(), append([]string{"identify"}, args...)...); err != nil || !strings.Contains(out, c.remark) || strings.Contains(out, "NaN") {
				t.Errorf("%v, %s\nlacks %q", err, out, c.remark)
			}
			if r := identified(t, rodRobot(), append(args, "--keep-occluded")...); strings.Contains(c.remark, "occlusion") && r.Residuals != 3*partialRows {
				t.Errorf("%d residuals with what looks like occlusion, want %d", r.Residuals, 3*partialRows)
			}
		})
	}
}

// TestTrialSince1970: a trial whose times are since 1970 begins with commands from 0 where both are said to start together.
func TestTrialSince1970(t *testing.T) {
	many(t)
	data, commands := partialTrial(t, "timestamp,x,y,z", func(at float64, p spatial.Pose) string {
		return fmt.Sprintf("%d,%.9f,%.9f,%.9f", 1_772_500_000_000_000_000+int64(1e9*at), p.P.X, p.P.Y, p.P.Z)
	})
	args := []string{"--config", apptest.Write(t, "robot.yaml", movingText(1.3*trueE, trueG, trueMu)), "--free", "youngs_modulus_pa", "--starts", "1", "--commands", commands, data}
	if out, err := attempt(rodRobot(), append([]string{"identify"}, args...)...); err == nil || !strings.Contains(out+err.Error(), "--start-together lets both begin at 0") {
		t.Errorf("%v, %s", err, out)
	}
	fits := func(args []string) {
		t.Helper()
		for _, p := range identified(t, rodRobot(), append(args, "--start-together")...).Parameters {
			if p.Value < 0.9999*trueE || p.Value > 1.0001*trueE {
				t.Errorf("%s = %g, want %g", p.Name, p.Value, trueE)
			}
		}
	}
	fits(args)

	// the same the other way round
	own, commands := partialTrial(t, "t,x,y,z", func(at float64, p spatial.Pose) string {
		return fmt.Sprintf("%.9f,%.9f,%.9f,%.9f", at, p.P.X, p.P.Y, p.P.Z)
	})
	text, err := os.ReadFile(commands)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, line := range lines[1:] {
		first, rest, _ := strings.Cut(line, ",")
		at, err := strconv.ParseFloat(first, 64)
		if err != nil {
			t.Fatal(err)
		}
		lines[i+1] = fmt.Sprintf("%.6f,%s", 1_772_500_000+at, rest)
	}
	args[len(args)-2], args[len(args)-1] = apptest.Write(t, "since1970.csv", strings.Join(lines, "\n")+"\n"), own
	fits(args)
}

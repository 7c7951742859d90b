package diagnosis

import (
	"fmt"
	"strings"
)

const percent = 100

// describe fills in the texts of an effect, the last one of base.
func (f *Finding) describe(t *design, g *gramMatrix, base []int) {
	x := g.solve(g.whole, base, dependent)
	if f.Effect == Lag {
		f.DelayS = x.x[len(base)-1]
	}
	rest := base[:len(base)-len(f.columns)]
	before, after := g.residualSquares(g.whole, g.solve(g.whole, rest, dependent)), g.residualSquares(g.whole, x)
	if commands := t.commands(f.Effect); len(commands) > 1 {
		const nearly = 0.8
		top := nearly
		for _, k := range commands {
			alone := g.residualSquares(g.whole, g.solve(g.whole, append(append([]int(nil), rest...), t.of(f.Effect, f.variant, k, t.free)...), dependent))
			if share := (before - alone) / (before - after); share >= top {
				top, f.Command = share, t.features[0].Commands.Names[k]
			}
		}
	}
	chance := fmt.Sprintf("chance %.1g", f.Chance)
	if f.Chance < 1e-9 {
		chance = "chance below 1e-9"
	}
	if f.Meaning = f.meaning(); t.features[0].Body {
		f.Meaning = f.meaningOfBody()
	}
	var names []string
	for i := range f.Alike {
		names = append(names, string(f.Alike[i].Effect))
	}
	if names != nil {
		f.Meaning += fmt.Sprintf("; %s explains nearly as much: %s", strings.Join(names, ", or "), f.alternatives())
	}
	f.Text = fmt.Sprintf("residuals suggest %s: %.0f %% of their squares (F %.3g, %s; %.0f %% in rows that it was not fitted to); %s", f.Effect, percent*f.Share, f.F, chance, percent*f.HeldOut, f.Meaning)
}

// ofCommand names the command of an effect.
func (f *Finding) ofCommand() string {
	if f.Command != "" {
		return f.Command
	}
	return "the commands"
}

// meaning interprets the residuals of a rod and says what to do.
func (f *Finding) meaning() string {
	of := f.ofCommand()
	switch f.Effect {
	case Lag:
		return fmt.Sprintf("they lie along the velocity, as if the hardware were %.3g s later: free latency_s, or model the lag of the drive, or more damping", f.DelayS)
	case Drift:
		return "they lie along the velocity, differently over time or from recording to recording: the clocks drift; free hardware.recordings.FILE.latency_s, or synchronise the clocks"
	case Load:
		return "they are the same everywhere: a load, gravity or a place of base or camera is left out; free base_pose or hardware_pose, or weigh what the tip carries"
	case Frame:
		return "they are the same at all points, also at points with little motion: free hardware_pose or base_pose"
	case Shared:
		return "the robot bends less, or more, where the sum of tensions is large: free drives.shared_compliance_m_per_n or stiffness_n_per_m, or the compression of the rod"
	case Gain:
		return fmt.Sprintf("they follow %s: a stiffness, the gain or the offset of a drive or the place of a tendon is wrong; free actuation, tendon_offsets or the stiffness", of)
	case Creep:
		return fmt.Sprintf("they relax after %s changed, in about %.2g s: free rod.viscoelasticity, or the lag of the drive", of, f.TauS)
	case Friction:
		return fmt.Sprintf("they depend on whether %s last rose or fell, at any speed, so that loops do not close: friction or backlash is left out; free friction_coefficient, bending_friction or backlash_rad, and record reversals", of)
	case Hysteresis:
		return fmt.Sprintf("they depend on where the point was before, up to some %.2g s ago: the material of the rod creeps and has internal friction; free rod.viscoelasticity and rod.bending_friction, together", f.TauS)
	}
	return ""
}

// meaningOfBody is meaning for a body in a fluid, whose constant loads integrate to a growing displacement. Shared is not among
// its effects, since it has no tensions.
func (f *Finding) meaningOfBody() string {
	switch of := f.ofCommand(); f.Effect {
	case Lag:
		return fmt.Sprintf("they lie along the velocity, as if the hardware were %.3g s later: free latency_s; the lag of coils and amplifiers is not modelled", f.DelayS)
	case Drift:
		return "they lie along the velocity, differently over time or from recording to recording: the clocks drift, or the body goes faster and slower than commanded; free hardware.recordings.FILE.latency_s, or synchronise the clocks"
	case Load, Frame:
		return "they are the same everywhere: the place of the camera, or that from where the body sets off, is wrong; free hardware_pose or body.position_m"
	case Gain:
		return fmt.Sprintf("they follow %s: the magnet, the drag or what the coils make of a command is wrong; free moment, fluid.viscosity_pa_s or resistance", of)
	case Creep:
		return fmt.Sprintf("they relax after %s changed, in about %.2g s: the body follows sooner or later than its drag says, or the coils are slow, which is not modelled; free fluid.viscosity_pa_s or resistance", of, f.TauS)
	case Friction:
		return fmt.Sprintf("they depend on whether %s last rose or fell, at any speed, so that loops do not close: iron in the coils or in the body keeps some magnetization, or the body rubs on a wall, neither of which is modelled; record reversals, away from walls", of)
	case Hysteresis:
		return fmt.Sprintf("they depend on where the body was before, up to some %.2g s ago: what acts on it all the time adds up; free body.load.force_n, fluid.flow.uniform_m_per_s, fluid.flow.gradient_per_s or fluid.viscosity_pa_s, or add the walls that slow it down", f.TauS)
	}
	return ""
}

// alternatives describes data that would distinguish similar effects.
func (f *Finding) alternatives() string {
	switch f.Effect {
	case Load, Frame, Gain, Shared:
		return "record more different commands to tell them apart"
	}
	return "record rests and several speeds to tell them apart"
}

// describeOutliers lists the outliers and the number of rows.
func (f *Finding) describeOutliers(rows int) {
	const shown = 3
	var names []string
	for _, p := range f.Rows[:min(shown, len(f.Rows))] {
		names = append(names, fmt.Sprintf("row %d of %s (%s)", p.Index+1, p.Recording, p.Point))
	}
	more := ""
	if n := len(f.Rows) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	f.Meaning = fmt.Sprintf("they are in %d of %d rows, unlike those beside them: %s%s; mark them by ok = 0, or use --loss cauchy; other effects are diagnosed without them", len(f.Rows), rows, strings.Join(names, ", "), more)
	f.Text = fmt.Sprintf("residuals suggest %s: %.0f %% of their squares; %s", f.Effect, percent*f.Share, f.Meaning)
}

// Unnamed returns the finding for autocorrelated residuals that no tested effect explains.
func Unnamed(series []*Series, correlation float64) Finding {
	such := "friction with hysteresis and creep, or a motion of the rod that the model does not have"
	if series[0].Body {
		such = "a flow or a pull that changes, or walls that the robot file does not have"
	}
	f := Finding{Effect: Unmodelled, Share: correlation * correlation}
	f.Meaning = fmt.Sprintf("rows that follow one another are alike (correlation %.2f), which noise is not, but have none of the shapes that are tried: several effects at once, such as %s; free more, look at the loops", correlation, such)
	f.Text = "residuals suggest unmodelled dynamics: " + f.Meaning
	return f
}

package lint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/pkg/sim/lint"
	"sinew/pkg/sim/robotfile"
)

// judge reads a robot file and returns what is found in it.
func judge[T robotfile.Robot](t *testing.T, text string, find func(*T, *robotfile.Draft[T]) []robotfile.Mistake, accept func(*T) []robotfile.Warning) []robotfile.Mistake {
	t.Helper()
	var d robotfile.Draft[T]
	d.Merge("f", []byte(text))
	r, err := d.Robot()
	if err != nil {
		t.Fatal(err)
	}
	d.AddFindings(find(r, &d), accept(r))
	return d.Warnings()
}

func judgeContinuum(t *testing.T, text string) []robotfile.Mistake {
	t.Helper()
	return judge(t, text, func(r *robotfile.Continuum, d *robotfile.Draft[robotfile.Continuum]) []robotfile.Mistake {
		return lint.Continuum(r, d.Given, d.Source, nil)
	}, func(r *robotfile.Continuum) []robotfile.Warning { return r.Accept })
}

func judgeMicrorobot(t *testing.T, text string) []robotfile.Mistake {
	t.Helper()
	return judge(t, text, func(r *robotfile.Microrobot, d *robotfile.Draft[robotfile.Microrobot]) []robotfile.Mistake {
		return lint.Microrobot(r, d.Given, nil)
	}, func(r *robotfile.Microrobot) []robotfile.Warning { return r.Accept })
}

// plausibility is a file in which one thing is found, and what makes it pass.
type plausibility struct {
	name      robotfile.Warning
	text, key string // line 2 has the key
	says      string
	old, new  string // a replacement with which nothing is found, close to the limit
}

// check wants one warning with its name, place, words and way to accept it, none of the file
// with the replacement, and none once it is accepted.
func (p *plausibility) check(t *testing.T, judge func(*testing.T, string) []robotfile.Mistake) {
	t.Helper()
	got := judge(t, p.text)
	if len(got) != 1 || got[0].Name != p.name || got[0].Key != p.key || got[0].Line != 2 {
		t.Errorf("%s, found %v", p.text, got)
		return
	}
	if text := got[0].String(); !strings.Contains(text, p.says) || !strings.HasSuffix(text, "(accept: ["+string(p.name)+"] if it is meant)") {
		t.Errorf("%q has no %q", text, p.says)
	}
	if !strings.Contains(p.text, p.old) {
		t.Fatalf("no %q in %s", p.old, p.text)
	}
	if got := judge(t, strings.Replace(p.text, p.old, p.new, 1)); len(got) > 0 {
		t.Errorf("with %s found %v", p.new, got)
	}
	if got := judge(t, p.text+"\naccept: ["+string(p.name)+"]"); len(got) > 0 {
		t.Errorf("accepted, found %v", got)
	}
}

// A soft rod that hangs is stretched by its weight, by 3 % here, and not bent; sideways and
// standing the same rod is bent until it gives way.
func TestWeightOfHangingRod(t *testing.T) {
	const rod = "rod: {length_m: 0.2, radius_m: 4.0e-3, density_kg_per_m3: 1100, youngs_modulus_pa: 100e3, shear_modulus_pa: 34e3}\n" +
		"tip: {mass_kg: 0.01, inertia_kg_m2: [1e-7, 1e-7, 1e-7]}\nbase: "
	for _, c := range []struct {
		base  string
		finds int // the weights of rod and tip
	}{
		{"{direction: [0, 0, -1], normal: [1, 0, 0]}", 0},
		{"{direction: [0, 0, -3], normal: [0, 2, 0]}", 0},
		{"{direction: [1, 0, 0], normal: [0, 0, 1]}", 2},
		{"{direction: [0, 0, 1], normal: [1, 0, 0]}", 2},
	} {
		if got := judgeContinuum(t, rod+c.base); len(got) != c.finds {
			t.Errorf("%s: found %v, want %d", c.base, got, c.finds)
		}
	}
	const heavy = "\ngravity_m_per_s2: [0, 0, -900]" // which stretches it by more than 20 %
	if got := judgeContinuum(t, rod+"{direction: [0, 0, -1], normal: [1, 0, 0]}"+heavy); len(got) == 0 {
		t.Error("nothing found in a rod that is torn")
	}
}

func TestContinuum(t *testing.T) {
	for _, p := range []plausibility{
		// E A = 1577 N: 20 % are 315 N of pull; bending by F^1/2 comes before
		{robotfile.Strain, "loads:\n- {force_n: [0, 0, 5000]}", "loads[0].force_n", "E A = 1600 N", "5000", "7"},
		{robotfile.Strain, "loads:\n- {moment_nm: [0, 0.44, 0]}", "loads[0].moment_nm", "by about 20 %", "0.44", "0.43"}, // 0.2 E I/r = 0.434 N m
		{robotfile.Strain, "tendons:\n- {name: a, offset_m: [0.015, 0], tension_n: 28}", "tendons[0].tension_n", "bent by 0.42 N m", "28", "24"},
		{robotfile.Strain, "gravity_m_per_s2: [0, 0, 0]\nloads: [{force_n: [400, 0, 0], at_m: 0.001}]", "loads[0].force_n", "by about 25 %", "400", "300"},
		{robotfile.PoissonRatio, "rod: {sections: [{length_m: 0.1, radius_m: 0.005},\n  {length_m: 0.1, radius_m: 0.005, shear_modulus_pa: 1e6}]}", "rod.sections[1].shear_modulus_pa", "E/2G - 1 = 7.3", "1e6", "7e6"},
		{robotfile.Density, "rod: {sections: [{length_m: 0.1, radius_m: 0.005},\n  {length_m: 0.1, radius_m: 0.005, density_kg_per_m3: 1.1}]}", "rod.sections[1].density_kg_per_m3", "g/cm^3", "1.1", "1100"},
		{robotfile.Slenderness, "rod:\n  sections: [{length_m: 0.1, radius_m: [0.004, 0.012]}]", "rod.sections", "diameter 0.024 m", "0.012", "0.0095"},
		// the thin end bends, at 0.1 m from the load
		{robotfile.Strain, "rod: {sections: [{length_m: 0.1, radius_m: 0.01}, {length_m: 0.1, radius_m: [0.01, 0.002], inner_radius_m: [0, 0.001]}]}\nloads: [{force_n: [1.1, 0, 0]}]", "loads[0].force_n", "E I = 2e-4 N m^2", "1.1, 0, 0", "0.9, 0, 0"},
		{robotfile.Strain, "rod: {density_kg_per_m3: 2e4}\ntip: {mass_kg: 10}", "tip.mass_kg", "by a weight of 98 N", "10", "0.8"},
		{robotfile.Strain, "rod: {density_kg_per_m3: 2e4}\ntip: {mass_kg: 10}", "tip.mass_kg", "; is it in g? Then it is 0.01 kg", "10", "0.8"},
		{robotfile.Slenderness, "rod:\n  radius_m: 0.055", "rod.radius_m", "diameter 0.11 m", "0.055", "0.025"},
		{robotfile.PoissonRatio, "rod:\n  shear_modulus_pa: 7216880000", "rod.shear_modulus_pa", "ratio E/2G - 1 = -1", "7216880000", "5500000"},
		{robotfile.TendonOffset, "tendons:\n- {name: a, offset_m: [0, 0.15]}", "tendons[0].offset_m", "0.15 m from the centreline", "0.15", "0.12"},
		// the default's disks end at 0.245 m and are 0.048 m apart
		{robotfile.DiskRange, "tendons: [{name: a, offset_m: [0.01, 0]}]\nrod: {length_m: 0.3}", "rod.length_m", "0.3 leaves 0.055 m of a rod of 0.3 m behind the last disk of all tendons, which is at 0.24 m; disks do not move with the length", "0.3", "0.29"},
		{robotfile.DiskRange, "tendons: [{name: a, offset_m: [0.01, 0], disks: {first_m: 0.02, last_m: 0.11}}]\nrod: {length_m: 0.24}", "rod.length_m", "leaves 0.13 m", "last_m: 0.11", "last_m: 0.121"},
		{robotfile.DiskRange, "rod: {sections: [{length_m: 0.1, radius_m: 0.005}, {length_m: 0.1, radius_m: 0.005}]}\ntendons: [{name: a, offset_m: [0.01, 0], disks: {positions_m: [0.04, 0.09]}}]", "tendons[0].disks", "leaves 0.11 m", "0.09", "0.11"},
		{robotfile.Magnetization, "magnets:\n- {name: a, from_m: 0.1, to_m: 0.2, magnetization_a_per_m: [0, 0, 3.0e6]}", "magnets[0].magnetization_a_per_m", "3e6 A/m", "3.0e6", "3.0e4"},
		{robotfile.MagnetInteraction, "magnets: [{name: a, at_m: 0.2, moment_a_m2: [0, 0, 0.1]},\n  {name: b, at_m: 0.21, moment_a_m2: [0, 0, 0.1]}]", "magnets[1]", "0.02 T", "0.21", "0.05"},
		{robotfile.DipoleRange, "magnets: [{name: a, at_m: 0.2, moment_a_m2: [0, 0, 1e-4]}]\nfield: {dipoles: [{position_m: [0.1, 0, 0.02], moment_a_m2: [0, 0, 10]}]}", "field.dipoles[0].position_m", "from the straight rod", "0.02]", "0.03]"},
		{robotfile.RotationPerStep, "magnets: [{name: a, at_m: 0.2, moment_a_m2: [0, 0, 1e-4]}]\nfield: {rotating: {axis: [1, 0, 0], amplitude_t: 0.01, frequency_hz: 2000}}\nsolver: {step_s: 0.001}", "field.rotating.frequency_hz", "by 13 rad in a step of 0.001 s, of at most 64 parts; expected: at most 6.4 rad, solver.step_s 5.1e-4", "2000}}", "1018}}"},
		{robotfile.Size, "rod: {radius_m: 1e-5,\n  length_m: 0.0005}\ngravity_m_per_s2: [0, 0, 0]", "rod.length_m", "from 1 mm to 10 m", "0.0005", "0.002"},
		{robotfile.Density, "rod:\n  density_kg_per_m3: 1.1", "rod.density_kg_per_m3", "is it in g/cm^3? Then it is 1100 kg/m^3", "1.1", "26"},
		{robotfile.Density, "rod: {youngs_modulus_pa: 6e10,\n  density_kg_per_m3: 7.8}", "rod.density_kg_per_m3", "Then it is 7800 kg/m^3", "7.8", "7800"},
		{robotfile.Modulus, "rod: {density_kg_per_m3: 6450, radius_m: 0.0005,\n  youngs_modulus_pa: 60000}\ngravity_m_per_s2: [0, 0, 0]\ntendons: []", "rod.youngs_modulus_pa", "is less than that of matter of 6450 kg/m^3; expected: from 1e6 to 1.3e12 Pa; is it in MPa? Then it is 6e10 Pa", "60000", "1.1e6"},
		{robotfile.Modulus, "rod:\n  youngs_modulus_pa: 2000\ngravity_m_per_s2: [0, 0, 0]\ntendons: []", "rod.youngs_modulus_pa", "that of gels; expected: from 5000 to 1.3e12 Pa; is it in MPa? Then it is 2e9 Pa", "2000", "5000"},
		{robotfile.Modulus, "rod:\n  youngs_modulus_pa: 2e12", "rod.youngs_modulus_pa", "diamond", "2e12", "1e12"},
		{robotfile.Payload, "base: {direction: [0, 0, -1], normal: [1, 0, 0]}\ntip: {mass_kg: 12}\nrod: {youngs_modulus_pa: 6e10, length_m: 0.2}", "tip.mass_kg", "is it in g? Then it is 0.012 kg", "12", "1.7"},
		{robotfile.Payload, "base: {direction: [0, 0, -1], normal: [1, 0, 0]}\ntendons: [{name: a, offset_m: [0.01, 0], disks: {mass_kg: 5}}]\nrod: {youngs_modulus_pa: 6e10}", "tendons[0].disks.mass_kg", "for a disk; is it in g? Then it is 0.005 kg", "mass_kg: 5", "mass_kg: 3"},
		{robotfile.Size, "rod: {length_m: 0.2}\ntip: {mass_kg: 0.001, inertia_kg_m2: [1e-7, 1e-7, 1e-7], center_of_mass_m: [0, 0, 8]}", "tip.center_of_mass_m", "is 8 m from the end of a rod of 0.2 m; expected: a fraction of the length; is it in mm? Then it is 0.008 m", "8]", "0.19]"},
		{robotfile.Size, "rod: {length_m: 0.2}\ntip: {mass_kg: 0.001, inertia_kg_m2: [1e-4, 1e-4, 1e-4]}", "tip.inertia_kg_m2", "radius of gyration of 0.32 m", "[1e-4, 1e-4, 1e-4]", "[3e-5, 3e-5, 3e-5]"},
		{robotfile.Size, "rod: {length_m: 0.2}\nmarkers: [{name: a, offset_m: [0.3, 0]}]", "markers[0].offset_m", "is it in mm?", "0.3", "0.19"},
		{robotfile.Density, "rod:\n  density_kg_per_m3: 23000", "rod.density_kg_per_m3", "osmium", "23000", "22000"},
		{robotfile.StepPeriod, "rates: {control_hz: 20000}\nsolver: {step_s: 1}", "solver.step_s", "run takes steps of 5e-5 s, and sim of 1 s", "step_s: 1", "step_s: 5e-5"},
		{robotfile.ShortTimeout, "rates: {control_hz: 1000}\ncommand_timeout_s: 0.001", "command_timeout_s", "two control periods", "0.001", "0.002"},
		{robotfile.QuaternionLength, "hardware:\n  orientation_xyzw: [0, 0, 90, 0.1]", "hardware.orientation_xyzw", "are these degrees?", "90, 0.1", "0.7, 0.7"},
	} {
		p.check(t, judgeContinuum)
	}
}

func TestMicrorobot(t *testing.T) {
	const still = "gravity_m_per_s2: [0, 0, 0]\n"
	for _, p := range []plausibility{
		{robotfile.Magnetization, "body: {shape: {sphere_m: 1e-6},\n  magnet: {moment_a_m2: [0, 0, 1]}}", "body.magnet.moment_a_m2", "magnetization of 2.4e17 A/m", "[0, 0, 1]", "[0, 0, 6.7e-12]"},
		{robotfile.Magnetization, "body: {shape: {sphere_m: 1e-6},\n  soft: {volume_m3: 1e-18, susceptibility: 10, saturation_a_per_m: 2.1e6}}", "body.soft.saturation_a_per_m", "iron with cobalt", "2.1e6", "2e6"},
		{robotfile.MagneticVolume, "body: {shape: {sphere_m: 1e-6},\n  soft: {volume_m3: 1e-15, susceptibility: 10}}", "body.soft.volume_m3", "at most 4.2e-18 m^3", "1e-15", "4e-18"},
		{robotfile.Size, still + "body: {shape: {sphere_m: 0.05}, mass_kg: 0.1}", "body.shape.sphere_m", "makes a body of 0.1 m by 0.1 m", "0.05", "0.02"},
		{robotfile.Size, still + "body: {shape: {ellipsoid_m: [1e-6, 1e-9, 1e-6]}}", "body.shape.ellipsoid_m", "by 2e-9 m", "1e-9", "1e-8"},
		{robotfile.Density, "body: {shape: {sphere_m: 1e-6},\n  density_kg_per_m3: 1.1}", "body.density_kg_per_m3", "g/cm^3", "1.1", "1100"},
		{robotfile.Density, still + "body: {shape: {sphere_m: 1e-6}, mass_kg: 1e-12}", "body.mass_kg", "density of 240000 kg/m^3", "1e-12", "1e-14"},
		{robotfile.Temperature, "body: {shape: {sphere_m: 1e-6}}\nfluid: {brownian: true, temperature_k: 37}", "fluid.temperature_k", "degrees Celsius", "37", "310"},
		{robotfile.DipoleRange, "body: {shape: {sphere_m: 1e-6}, magnet: {moment_a_m2: [0, 0, 1e-14]}}\nfield: {dipoles: [{position_m: [0, 0, 0.02], moment_a_m2: [0, 0, 10]}]}", "field.dipoles[0].position_m", "radius of 0.011 m or more", "0.02", "0.03"},
		{robotfile.RotationPerStep, "body: {shape: {sphere_m: 1e-6}, magnet: {moment_a_m2: [1e-12, 0, 0]}}\nfield: {rotating: {axis: [0, 0, 1], amplitude_t: 0.01, frequency_hz: 100}}", "field.rotating.frequency_hz", "by 0.63 rad in a step of 0.001 s; expected: at most 0.3 rad with method rkmk4", "100}", "40}"},
		{robotfile.RotationPerStep, "body: {shape: {sphere_m: 1e-6}, magnet: {moment_a_m2: [1e-12, 0, 0]}}\nfield: {rotating: {axis: [0, 0, 1], amplitude_t: 0.01, frequency_hz: -20}}\nsolver: {method: lie-euler}", "field.rotating.frequency_hz", "at most 0.1 rad with method lie-euler", "-20}", "-15}"},
		{robotfile.RotationPerStep, "body: {shape: {sphere_m: 1e-6}}\nfluid: {flow: {pulsatile: {axis: [1, 0, 0], radius_m: 1e-4, peak_m_per_s: 1e-6, frequency_hz: 1.0e5}}}", "fluid.flow.pulsatile.frequency_hz", "a phase of 630 rad in a step of 0.001 s, of at most 1000 substeps; expected: at most 300 rad with method rkmk4, solver.step_s 4.8e-4", "1.0e5", "4.7e4"},
		{robotfile.QuaternionLength, "body: {shape: {sphere_m: 1e-6},\n  orientation_xyzw: [0, 0, 90, 0.1]}", "body.orientation_xyzw", "has length 90", "90, 0.1", "-0.71, 0.71"},
		{robotfile.StepPeriod, "body: {shape: {sphere_m: 1e-6}}\nsolver: {step_s: 0.0011}", "solver.step_s", "of at most 0.001 s", "0.0011", "0.001"},
		// 6 pi eta a = 1.6e-6 kg/s: 1 uN are 0.6 m/s
		{robotfile.Reynolds, still + "body: {shape: {sphere_m: 1e-4}, load: {force_n: [1e-6, 0, 0]}}", "body.load.force_n", "0.62 m/s", "1e-6", "1e-9"},
		{robotfile.Reynolds, still + "body: {shape: {sphere_m: 1e-4}, load: {moment_nm: [1e-9, 0, 0]}}", "body.load.moment_nm", "rad/s", "1e-9", "1e-12"},
		{robotfile.Reynolds, "body: {shape: {sphere_m: 5e-4}, magnet: {moment_a_m2: [0, 0, 1e-6]}, density_kg_per_m3: 1002}\nfield: {gradient_t_per_m: [0, 0, 1, 0, 0]}", "field.gradient_t_per_m", "Reynolds number of 100", "1e-6", "9e-10"},
		{robotfile.Reynolds, "swarm: {count: 2, spacing_m: 0.01}\nbody: {shape: {sphere_m: 2e-4}, density_kg_per_m3: 7500}", "body.density_kg_per_m3", "by 2.1e-6 N", "7500", "1003"},
		{robotfile.Reynolds, "dynamics: inertial\nbody: {shape: {sphere_m: 1e-4}, velocity_m_per_s: [124, 0, 0]}", "body.velocity_m_per_s", "a speed of 120 m/s", "124", "0.0005"},
		{robotfile.Reynolds, "dynamics: inertial\nbody: {shape: {sphere_m: 1e-4}, velocity_m_per_s: [0.5, 0, 0], position_m: [0, 0.01, 0]}\nfluid: {flow: {uniform_m_per_s: [0.4, 0, 0], gradient_per_s: [0, 8, 0, 0, 0, 0, 0, 0, 0]}}", "body.velocity_m_per_s", "a speed of 0.02 m/s through the fluid", "[0.5,", "[0.4805,"},
		{robotfile.Reynolds, "body: {shape: {sphere_m: 1e-4}, magnet: {moment_a_m2: [0, 0, 1e-8]}, density_kg_per_m3: 1002}\nfield: {dipoles: [{position_m: [0, 0, 0.03], moment_a_m2: [0, 0, 10]}]}", "field.dipoles[0].moment_a_m2", "m/s", "0, 10]", "0, 0.0001]"},
	} {
		p.check(t, judgeMicrorobot)
	}
}

// An accept that matches nothing is a warning, unless its cause may come while the robot moves.
func TestAcceptOfNothing(t *testing.T) {
	got := judgeContinuum(t, "rod: {}\naccept: [strain, density]")
	if len(got) != 1 || !strings.HasPrefix(got[0].String(), `f:2: accept[1]: "density" matches no warning`) {
		t.Errorf("found %v", got)
	}
}

// In the robots that come with the programs, and in those of the contract, nothing is found,
// but that method reference moves disks as its original does.
func TestShippedRobotsArePlausible(t *testing.T) {
	files := 0
	for _, pattern := range []string{"../../../launch/robots/*.yaml", "../robotfile/testdata/*.yaml", "../microrobot/testdata/*.yaml", "../robotfile/builtin/*.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := robotfile.Parse[robotfile.Mechanism](name, text); err == nil {
				continue // nothing is found in mechanisms
			}
			var got []robotfile.Mistake
			if _, err := robotfile.Parse[robotfile.Microrobot](name, text); err == nil {
				got = judgeMicrorobot(t, string(text))
			} else {
				got = judgeContinuum(t, string(text))
			}
			for _, m := range got {
				if strings.Contains(m.Problem, "nearest nodes in method reference") {
					continue
				}
				t.Errorf("%s: %v", name, m)
			}
			files++
		}
	}
	if files < 15 {
		t.Errorf("only %d files", files)
	}
}

func TestAbout(t *testing.T) {
	for want, x := range map[string]float64{"180": 179.9, "2.4e17": 2.39e17, "8.5e-4": 8.49e-4, "0.016": 0.0157, "1e6": 1e6, "0": 0, "-1": -0.999, "5e-5": 5e-5} {
		if got := lint.About(x); got != want {
			t.Errorf("%g is %s, want %s", x, got, want)
		}
	}
}

// What is before a section does not weigh on it, and loads before it do not bend it.
func TestSectionsBearWhatIsBeyondThem(t *testing.T) {
	const thin = "rod: {sections: [{length_m: 0.5, radius_m: 0.05, density_kg_per_m3: 8000}, {length_m: 0.05, radius_m: 0.001}]}\n"
	for _, text := range []string{
		thin, thin + "loads: [{force_n: [0, 50, 0], at_m: 0.5}]",
		thin + "tendons: [{name: a, offset_m: [0.06, 0], tension_n: 20, disks: {positions_m: [0.25, 0.5], mass_kg: 0}}]",
	} {
		if got := judgeContinuum(t, text); len(got) > 0 {
			t.Errorf("%s: found %v", text, got)
		}
	}
}

// TestLengthOfAnotherFile: the length alone is set beside a robot file, and disks stay where they are.
func TestLengthOfAnotherFile(t *testing.T) {
	const robot = "rod: {length_m: 0.2, radius_m: 0.005}\ntendons: [{name: a, offset_m: [0.01, 0], disks: {count: 4, first_m: 0.05, last_m: 0.2}}, {name: b, offset_m: [0, 0.01], disks: {count: 2, first_m: 0.05, last_m: 0.1}}]\n"
	for _, c := range []struct {
		overlay string
		finds   bool
	}{
		{"rod: {length_m: 0.24}", false},
		{"rod: {length_m: 0.26}", true},
		{"rod: {length_m: 0.26}\naccept: [disk_range]", false},
		{"rod: {radius_m: 0.004}", false},
		{"rod: {length_m: 0.26}\ntendons: [{name: a, disks: {last_m: 0.25}}]", false},
		{"rod: {length_m: 0.26}\ntendons: [{name: b, disks: {last_m: 0.25}}]", false},
	} {
		var d robotfile.Draft[robotfile.Continuum]
		d.Merge("robot.yaml", []byte(robot))
		d.Merge("longer.yaml", []byte(c.overlay))
		r, err := d.Robot()
		if err != nil {
			t.Fatal(err)
		}
		d.AddFindings(lint.Continuum(r, d.Given, d.Source, nil), r.Accept)
		got := d.Warnings()
		if found := len(got) == 1 && got[0].Name == robotfile.DiskRange && got[0].File == "longer.yaml"; found != c.finds || !found && len(got) > 0 {
			t.Errorf("%s: found %v", c.overlay, got)
		}
	}
	if got := judgeContinuum(t, strings.Replace(robot, "0.2,", "0.26,", 1)); len(got) > 0 {
		t.Errorf("in a file of its own: found %v", got)
	}
}

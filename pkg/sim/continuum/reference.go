package continuum

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// newReference makes the engine that reproduces PyElastica 0.3.2 with
// TendonForces. Its error joins one, ErrNotInReference, per feature that the
// original does not have or mishandles.
func newReference(r *Robot) (*explicit, error) {
	f := &r.file
	d := f.Rod.Damping
	errs := []error{r.checkReference()}
	x := staggered.New(r.rod, staggered.Options{
		Scheme:  staggered.Original,
		Damping: staggered.Damping{Legacy: d.PyElasticaNu, LegacyStep: f.Solver.Step, Drag: d.Drag, DragRotations: true},
		Gravity: f.Gravity,
	})
	tendons := make([]chords, len(r.tendons))
	for i, t := range r.tendons {
		if t.route.OnBase {
			errs = append(errs, fmt.Errorf("tendon %s: %w: its first disk is nearest to node 0, the base", t.name, ErrNotInReference))
		}
		c, err := tendon.NewOriginal(t.route, r.rod, f.Tendons[i].Disks.Mass)
		if err != nil {
			errs = append(errs, fmt.Errorf("tendon %s: %w: %w", t.name, ErrNotInReference, err))
		}
		tendons[i] = c
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return newVerlet(r, x, tendons)
}

// checkReference names what the robot has and the original has not.
func (r *Robot) checkReference() error {
	f := &r.file
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("%w: %s", ErrNotInReference, fmt.Sprintf(format, args...)))
		}
	}
	refuse(f.Rod.Section != nil, "rod.section other than a circle; give radius_m")
	refuse(f.Rod.InnerRadius > 0, "rod.inner_radius_m above 0; give radius_m alone")
	refuse(f.Rod.Elements < 2, "%d element; it needs at least 2", f.Rod.Elements)
	refuse(f.Rod.Damping.KelvinVoigt != 0, "damping.kelvin_voigt_s above 0")
	refuse(f.Rod.Damping.QuadraticDrag != 0, "damping.quadratic_drag_kg_per_m2 above 0")
	refuse(f.Tip.Mass != 0 || f.Tip.Inertia != spatial.Vec{}, "a tip with mass or inertia")
	refuse(f.DiskForce == robotfile.TransverseDiskForce, "disk_force transverse")
	refuse(f.InitialState == robotfile.Equilibrium, "initial_state equilibrium")
	for i := range f.Tendons {
		t := &f.Tendons[i]
		refuse(t.Friction != 0, "tendon %s: friction_coefficient above 0", t.Name)
		refuse(t.Stiffness != 0, "tendon %s: stiffness_n_per_m above 0; it pulls with a tension", t.Name)
	}
	return errors.Join(errs...)
}

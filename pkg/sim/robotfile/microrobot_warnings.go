package robotfile

import "fmt"

// warn reports given keys that have no effect in combination with the others.
func (r *Microrobot) warn(c *checker) {
	r.warnSolver(c)
	r.warnBody(c)
	r.warnEnvironment(c)
}

// warnSolver reports solver keys that the method does not use.
func (r *Microrobot) warnSolver(c *checker) {
	s := &r.Solver
	method := string(s.Method)
	if r.Dynamics == Overdamped && r.Fluid.Brownian {
		c.warnEvenAtDefault("solver.method", Mistake{
			Problem: "has no effect with fluid.brownian: thermal motion is stepped by the midpoint scheme, of weak order 1",
			Hint:    "remove it, or set fluid.brownian to false",
		})
		method = "of Brownian motion"
	}
	implicit := r.Dynamics == Inertial && (s.Method == GeneralizedAlpha || s.Method == Trapezoidal)
	if !implicit {
		c.warn("solver.parametrization", Mistake{
			Problem: fmt.Sprintf("has no effect with the method %s: it has one way of writing rotations", method),
			Hint:    "remove it, or use method generalized-alpha or trapezoidal with dynamics inertial",
		})
	}
	if r.Dynamics != Inertial || s.Method != GeneralizedAlpha {
		c.warn("solver.spectral_radius", Mistake{
			Problem: fmt.Sprintf("has no effect with the method %s", method),
			Hint:    "remove it, or use method generalized-alpha with dynamics inertial",
		})
	}
}

// warnBody reports unused properties of the body.
func (r *Microrobot) warnBody(c *checker) {
	b := &r.Body
	if r.Dynamics == Overdamped && len(b.Inertia) > 0 {
		c.warn("body.inertia_kg_m2", Mistake{
			Problem: "has no effect with dynamics overdamped: drag balances the loads",
			Hint:    "remove it, or set dynamics to inertial",
		})
	}
	const leaveDensity = "leave one of them out"
	switch {
	case b.Mass > 0:
		c.warn("body.density_kg_per_m3", Mistake{Unit: "kg/m^3", Problem: "has no effect beside body.mass_kg", Hint: leaveDensity})
	case b.Shape == nil || b.Shape.Resistance != nil:
		c.warn("body.density_kg_per_m3", Mistake{
			Unit: "kg/m^3", Problem: "has no effect: the body has no volume", Hint: "give body.mass_kg instead",
		})
	}
	if b.Magnet == nil && b.Soft == nil {
		c.warn("field", Mistake{
			Problem: "does not move the body, which is not magnetic", Hint: "give body.magnet or body.soft",
		})
	}
}

// warnEnvironment reports unused properties of fluid, field and sensors.
func (r *Microrobot) warnEnvironment(c *checker) {
	const leave = "remove it"
	if r.Fluid.Viscosity == 0 {
		c.warn("fluid.density_kg_per_m3", Mistake{
			Unit: "kg/m^3", Problem: "has no effect with viscosity_pa_s 0, which is vacuum", Hint: leave,
		})
	}
	if !r.Fluid.Brownian {
		c.warn("fluid.temperature_k", Mistake{
			Unit: "K", Problem: "has no effect without Brownian motion", Hint: leave + ", or set fluid.brownian to true",
		})
	}
	if r.Field.Coils == "" {
		for _, key := range []string{"field.coil_max_current_a", "field.coil_time_constant_s"} {
			c.warn(key, Mistake{Problem: "has no effect without coils", Hint: leave + ", or give field.coils"})
		}
	}
}

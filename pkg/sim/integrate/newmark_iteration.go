package integrate

import (
	"fmt"
	"math"
)

// predict sets the trial point for v̇ = 0 at the end of a step of h seconds.
func (p *Newmark[S]) predict(h float64) {
	k, from, to := p.Params, &p.point, &p.trial
	to.A, to.Lambda = [MaxVelocities]float64{}, [MaxConstraints]float64{}
	for i := range p.n {
		a0 := p.a[i]
		a := (k.AlphaF*from.A[i] - k.AlphaM*a0) / (1 - k.AlphaM)
		to.V[i] = from.V[i] + h*(1-k.Gamma)*a0 + k.Gamma*h*a
		p.d[i] = from.V[i] + (0.5-k.Beta)*h*a0 + k.Beta*h*a
		p.a[i] = a
	}
}

// An iteration with an error of at most stallError tolerances that has not halved for
// stallIterations has reached the round-off of the loads. The remaining error is below that of the
// step.
const (
	stallError      = 10
	stallIterations = 4
)

// iterate solves for the trial point at time t, the end of a step of h seconds, by Newton's method.
// It returns ErrSingularTangent, ErrNonFinite, ErrNotConverged or an error of the system.
func (p *Newmark[S]) iterate(t, h float64) (report Solve, err error) {
	k := p.Params
	gamma := k.Gamma / (h * k.Beta)
	beta := (1 - k.AlphaM) / (h * h * k.Beta * (1 - k.AlphaF))
	best, since := math.Inf(1), 0 // least error and the iterations since it was halved
	for report.Iterations < p.MaxIter {
		for i := range p.n {
			p.hd[i] = h * p.d[i]
		}
		p.System.Advance(&p.point.Q, &p.hd, &p.trial)
		if err := p.System.Assemble(t, &p.trial, &p.hd, &p.eq); err != nil {
			return report, err
		}
		report.Iterations++
		if !p.increment(beta, gamma) {
			return report, ErrSingularTangent
		}
		report.Error = p.weightedError(beta)
		if since++; report.Error < best/2 {
			best, since = report.Error, 0
		}
		done := report.Error <= 1 || report.Error <= stallError && since >= stallIterations
		for i := range p.n {
			dx := p.rhs[i]
			p.d[i] += dx / h
			p.trial.V[i] += gamma * dx
			p.trial.A[i] += beta * dx
		}
		for j := range p.m {
			p.trial.Lambda[j] += beta * p.rhs[p.n+j]
		}
		if done {
			for i := range p.n {
				p.hd[i] = h * p.d[i]
			}
			p.System.Advance(&p.point.Q, &p.hd, &p.trial)
			return report, nil
		}
		if math.IsNaN(report.Error) {
			return report, ErrNonFinite
		}
	}
	return report, fmt.Errorf("%w: error %.3g tolerances after %d iterations", ErrNotConverged, report.Error, report.Iterations)
}

// increment solves for the increments of q and, divided by beta, of the multipliers. With this
// scale all blocks of the matrix have the magnitude of the mass or of lengths. It reports whether
// the matrix is regular.
func (p *Newmark[S]) increment(beta, gamma float64) bool {
	size := p.fillMatrix(1, gamma/beta, 1/beta)
	e := &p.eq
	for i := range p.n {
		p.rhs[i] = -e.Residual[i] / beta
	}
	for j := range p.m {
		row, rhs := &e.BT, -e.Phi[j]
		if p.Level == VelocityLevel {
			row, rhs = &e.B, -e.PhiRate[j]/gamma
		}
		copy(p.s[(p.n+j)*size:], row[j*MaxVelocities:j*MaxVelocities+p.n])
		p.rhs[p.n+j] = rhs
	}
	return SolveDense(p.s[:size*size], p.rhs[:size])
}

// fillMatrix sets the matrix to [[m M + c C + k K, Bᵀ], [0, 0]] and returns its size.
func (p *Newmark[S]) fillMatrix(m, c, k float64) int {
	e, size := &p.eq, p.n+p.m
	for i := range p.n {
		row := p.s[i*size : (i+1)*size]
		for j := range p.n {
			l := i*MaxVelocities + j
			row[j] = m*e.M[l] + c*e.C[l] + k*e.K[l]
		}
		for j := range p.m {
			row[p.n+j] = e.B[j*MaxVelocities+i]
		}
	}
	clear(p.s[p.n*size : size*size])
	return size
}

// roundoffShare is the relative change of a number below which an increment is round-off.
const roundoffShare = 1e-15

// weightedError returns the weighted root mean square of the increments; at most 1 means
// convergence. The weights are those of Kynema plus round-off: for coordinates that of their
// magnitude, for multipliers its effect on accelerations, which grows as 1/h².
func (p *Newmark[S]) weightedError(beta float64) float64 {
	sum, mass, largest := 0.0, 0.0, 0.0
	for i := range p.n {
		q := math.Abs(p.trial.Q[i])
		e := p.rhs[i] / (p.AbsTol + p.RelTol*math.Abs(p.hd[i]) + roundoffShare*q)
		sum += e * e
		mass, largest = math.Max(mass, p.eq.M[i*(MaxVelocities+1)]), math.Max(largest, q)
	}
	floor := roundoffShare * beta * mass * largest
	for j := range p.m {
		e := beta * p.rhs[p.n+j] / (p.AbsTol + p.RelTol*math.Abs(p.trial.Lambda[j]) + floor)
		sum += e * e
	}
	return math.Sqrt(sum / float64(p.n+p.m))
}

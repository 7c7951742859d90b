// Package fit finds the parameters with which a model fits measurements best: nonlinear least
// squares with bounds, from several starting points, with standard errors and with the parameters
// that the data cannot distinguish.
//
// The method is due to Levenberg and Marquardt, in the scaling of Moré (The Levenberg-Marquardt
// algorithm: implementation and theory, 1978) and with the damping rule of Nielsen (Damping
// parameter in Marquardt's method, 1999). Each step is the best one within the bounds
// (bounded-variable least squares). Derivatives are differences, computed concurrently. Results
// depend on the problem and the seed alone, not on the number of workers or the order in which they
// finish.
//
// Standard errors are those of the linearised model at the solution with independent residuals of
// equal variance (Seber & Wild, Nonlinear Regression, 1989, section 2.1.2). Callers with
// measurements of different accuracy divide each residual by its standard deviation. A prior has
// its given standard deviation, independent of the residuals: a parameter that the data do not
// determine keeps the standard deviation of its prior.
package fit

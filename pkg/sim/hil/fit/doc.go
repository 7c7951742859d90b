// Package fit finds the parameters with which a model fits measurements best:
// nonlinear least squares with bounds, from several starting points, with
// standard errors and with the parameters that the data cannot distinguish.
//
// The method is due to Levenberg and Marquardt, in the scaling of Moré (The
// Levenberg-Marquardt algorithm: implementation and theory, 1978) and with the
// damping rule of Nielsen (Damping parameter in Marquardt's method, 1999). Each
// step is the best one within the bounds (bounded-variable least squares).
// Derivatives are differences, taken in parallel. Results depend on the problem
// and the seed alone, not on the number of workers or the order in which they
// finish.
//
// Standard errors hold for the linearised model at the solution and residuals that
// are independent and of equal variance (Seber & Wild, Nonlinear Regression,
// 1989, section 2.1.2). Whoever has measurements of different accuracy divides
// each residual by its standard deviation. A prior scatters as was said of it,
// whatever the residuals show: a parameter that the data say nothing about keeps the
// standard deviation of its prior.
package fit

// Package diagnosis identifies unmodelled effects from the structure of residuals: latency,
// hysteretic friction, creep, a load, a gain, compliance shared by tendons.
//
// An effect is a set of regressors, such as the velocity of each point for a latency. A [Finding]
// is an effect whose regressors explain a share of the squared residuals that neither chance nor
// the free parameters of a fit explain: the derivatives by these are regressors of both models in
// the F test. Cross-validation confirms the share on rows that were not fitted.
package diagnosis

// Package diagnosis tells from the shape of residuals what a model leaves out: a lag, friction
// with memory, creep, a load, a gain, compliance that tendons share.
//
// An effect is a set of columns, what it would make of the residuals: of a lag the velocity
// of each point. A [Finding] is an effect whose columns explain a share of the squared residuals
// that neither chance nor the free parameters of a fit explain: the derivatives of these are
// columns of both models that are compared. The share is also that of rows which the columns were
// not fitted to.
package diagnosis

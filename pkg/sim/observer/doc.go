// Package observer estimates where a robot is and what pushes it from late and noisy measurements.
//
// It steps an ensemble of models, which differ by what is not known: a force and the stiffness. Their spread is the
// covariance of the estimate, in square-root form and of reduced rank: a deterministic ensemble filter, the error-subspace transform filter
// of Nerger, Janjić, Schröter and Hiller, "A unification of ensemble square root Kalman filters", Monthly Weather Review 140 (2012), with the
// order reduction of Verlaan and Heemink, "Tidal flow forecasting using reduced rank square root filters", Stochastic Hydrology and Hydraulics
// 11 (1997). Measurements that come late meet what the members would have measured when they were taken, as in Sakov, Evensen and Bertino,
// "Asynchronous data assimilation with the EnKF", Tellus A 62 (2010). What a measurement has that is not linear in what is unknown counts as
// noise, by the second-order filter of Athans, Wishner and Bertolini, "Suboptimal state estimation for continuous-time nonlinear systems from
// discrete noisy measurements", IEEE Transactions on Automatic Control 13 (1968): half the trace of second derivatives times the covariance is
// how far the mean of the members leaves a model that was there. What a force does and where it acts are hypotheses, a bank of filters that
// share the ensemble: see filter.
package observer

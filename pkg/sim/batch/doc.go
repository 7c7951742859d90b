// Package batch steps many robots alike at the same time, on as many goroutines as there are
// processors: for learning, for sweeps, for whoever wants a thousand robots and not one.
//
// It is no part of package sim, which is the loop of one robot against a clock: it needs of
// that package what any caller of a Model needs, Inputs and the contract itself.
package batch

// Package batch steps many robots in parallel on a worker pool, for learning and for sweeps.
//
// Package sim is the loop of one robot against a clock; package batch uses only its Inputs and
// the contract of a Model.
package batch

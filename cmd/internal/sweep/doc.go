// Package sweep holds the verbs sweep and merge. A sweep computes many samples of a robot with
// varied numbers and writes them to one file, whole or in shards. A sweep that is killed continues
// after its last sample.
package sweep

// Package sweep holds the verbs sweep and merge: a robot in many samples, of which some of
// its numbers vary, in one file of rows that a kill does not destroy, whole or in shards.
package sweep

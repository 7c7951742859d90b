// Package repeat holds the program to its word that the same robot, commands and steps
// give the same bits: today as on the day when the hashes in testdata were written, on
// one processor as on several, and after a state was saved and restored.
//
//	go test ./test/repeat                # compares
//	go test ./test/repeat -renew         # writes testdata/trajectories.json anew
//
// testdata/trajectories.json says of its own when renewing it is legitimate.
package repeat

// Package subprocess runs programs for tests: in the background, in an environment of
// their own, with a limit of time, so that none outlives a test that dies.
package subprocess

// Package cli holds what all commands share: their environment, the reading of robot files,
// and flags of several commands.
package cli

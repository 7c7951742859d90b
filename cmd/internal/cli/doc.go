// Package cli is what all verbs share: the environment that they run in, the
// opening of robot files, and flags that several of them have.
package cli

// Command figures simulates and draws the figures of the README, from the
// repository's root:
//
//	go run ./test/figures
package main

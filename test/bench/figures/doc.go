// Command figures simulates and draws figures of the documents, from the
// repository's root:
//
//	go run ./test/bench/figures
package main

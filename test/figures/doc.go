// Command figures simulates and draws figures of the documents, from the
// repository's root:
//
//	go run ./test/figures
package main

// Command page puts the table of what test/bench/peers measured into a document, in place of the
// one that is there.
//
//	go run ./test/bench/peers/page ROWS docs/performance.md
package main

import (
	"log"
	"os"

	"sinew/test/bench/peers/rows"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: page ROWS DOCUMENT")
	}
	if err := rows.Update(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

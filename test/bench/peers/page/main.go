// Command page puts a table of what test/bench/peers measured into a document, in place of the
// one of that name that is there: peers or mechanisms.
//
//	go run ./test/bench/peers/page ROWS docs/performance.md TABLE
package main

import (
	"log"
	"os"

	"sinew/test/bench/peers/rows"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: page ROWS DOCUMENT TABLE")
	}
	if err := rows.Update(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

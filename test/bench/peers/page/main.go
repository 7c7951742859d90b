// Command page puts the table of what test/bench/peers measured into a document, in place of the
// one that is there.
//
//	go run ./test/bench/peers/page ROWS docs/performance.md
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"sinew/test/bench/peers/rows"
)

// The table stands between these lines.
const (
	begin = "<!-- peers: written by test/bench/peers/all.sh -->\n"
	end   = "<!-- peers: end -->\n"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: page ROWS DOCUMENT")
	}
	if err := update(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func update(path, document string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	all, err := rows.Read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(all) == 0 {
		return fmt.Errorf("%s has no rows", path)
	}
	old, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	text, err := replace(string(old), rows.Markdown(all))
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	return os.WriteFile(document, []byte(text), 0o644)
}

// replace puts the table between the marks of a document.
func replace(document, table string) (string, error) {
	before, rest, ok := strings.Cut(document, begin)
	if !ok {
		return "", fmt.Errorf("the line %q is missing", strings.TrimSpace(begin))
	}
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("the line %q is missing", strings.TrimSpace(end))
	}
	return before + begin + table + end + after, nil
}

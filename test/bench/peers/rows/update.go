package rows

import (
	"fmt"
	"os"
	"strings"
)

// The table stands between these lines.
const (
	begin = "<!-- peers: written by test/bench/peers/all.sh -->\n"
	end   = "<!-- peers: end -->\n"
)

// Update puts the table of the rows in the file at path between the marks of a document.
func Update(path, document string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	all, err := Read(f)
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
	text, err := replace(string(old), Markdown(all))
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

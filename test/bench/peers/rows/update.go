package rows

import (
	"fmt"
	"os"
	"strings"
)

// marks returns the lines between which a table stands.
func marks(table string) (begin, end string) {
	return "<!-- " + table + ": written by test/bench/peers/all.sh -->\n", "<!-- " + table + ": end -->\n"
}

// Update puts the rows in the file at path as a table of that name between its marks in a document.
func Update(path, document, table string) error {
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
	text, err := replace(string(old), table, Markdown(all))
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	return os.WriteFile(document, []byte(text), 0o644)
}

// replace puts rows between the marks of a table of a document.
func replace(document, table, rows string) (string, error) {
	begin, end := marks(table)
	before, rest, ok := strings.Cut(document, begin)
	if !ok {
		return "", fmt.Errorf("the line %q is missing", strings.TrimSpace(begin))
	}
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("the line %q is missing", strings.TrimSpace(end))
	}
	return before + begin + rows + end + after, nil
}

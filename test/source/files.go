package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// File is a Go file and its text.
type File struct{ Path, Text string }

// Files reads all Go files below root.
func Files(t *testing.T, root string) (all []File) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		all = append(all, File{path, string(text)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	generatedLine = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	packageClause = regexp.MustCompile(`(?m)^package `)
)

// IsGenerated reports whether a Go file says, above its package clause, that it is
// generated.
func IsGenerated(text []byte) bool {
	if at := packageClause.FindIndex(text); at != nil {
		text = text[:at[0]]
	}
	return generatedLine.Match(text)
}

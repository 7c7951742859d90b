package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("dir", "msgs", "directory of the field lists and of what is generated from them")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes all generated files below dir and removes those that no field list
// accounts for any more.
func run(dir string) error {
	catalog, err := load(os.DirFS(dir))
	if err != nil {
		return err
	}
	if len(catalog.Messages) == 0 {
		return fmt.Errorf("no field lists in %s/<package>/msg", dir)
	}
	files, err := generate(catalog)
	if err != nil {
		return err
	}
	old, err := committed(os.DirFS(dir))
	if err != nil {
		return err
	}
	for path := range old {
		if files[path] == nil {
			if err := os.Remove(filepath.Join(dir, path)); err != nil {
				return err
			}
		}
	}
	for path, text := range files {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// committed returns the generated files that exist below root.
func committed(root fs.FS) (map[string][]byte, error) {
	found := map[string][]byte{}
	paths, err := fs.Glob(root, "*/*.go")
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(text, []byte(generatedMark)) {
			found[path] = text
		}
	}
	return found, nil
}

package record

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Extensions are the ends of the names of files that Read reads.
var Extensions = []string{".mcap", ".bag", ".db3"}

// metadataName is the name of the file that makes a folder a recording of rosbag2.
const metadataName = "metadata.yaml"

// IsRecording reports whether a file is a recording by its name, or a folder, which only recordings of rosbag2 are.
func IsRecording(file string) bool {
	if slices.Contains(Extensions, strings.ToLower(filepath.Ext(file))) {
		return true
	}
	info, err := os.Stat(file)
	return err == nil && info.IsDir()
}

// files are the files of a recording: those of a folder in the order in which they were written, otherwise the file itself.
func files(file string) ([]string, error) {
	if info, err := os.Stat(file); err != nil || !info.IsDir() {
		return []string{file}, nil // opening it fails with what is wrong
	}
	list, err := listed(filepath.Join(file, metadataName))
	if os.IsNotExist(err) { // of a recorder that was killed
		list, err = found(file)
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: a folder without %s and without files %s: no recording of rosbag2", file, metadataName, strings.Join(Extensions, ", "))
	}
	for i, name := range list {
		if strings.HasSuffix(name, ".zstd") {
			return nil, fmt.Errorf("%s: %s is compressed as a whole; decompress it with zstd -d and name that file", file, name)
		}
		list[i] = filepath.Join(file, filepath.Base(name))
	}
	return list, nil
}

// listed returns the files that the metadata of a folder name.
func listed(metadata string) (list []string, err error) {
	f, err := os.Open(metadata)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	within := false
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		name, item := strings.CutPrefix(line, "- ")
		switch {
		case strings.HasPrefix(line, "relative_file_paths:"):
			within = true
			for name := range strings.SplitSeq(strings.Trim(strings.TrimPrefix(line, "relative_file_paths:"), " []"), ",") {
				if name = unquoted(name); name != "" {
					list = append(list, name)
				}
			}
		case within && item:
			list = append(list, unquoted(name))
		case line != "":
			within = false
		}
	}
	return list, lines.Err()
}

func unquoted(name string) string { return strings.Trim(strings.TrimSpace(name), `"'`) }

// found returns the recordings in a folder, in the order of the numbers at the ends of their names.
func found(folder string) (list []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if name := e.Name(); slices.Contains(Extensions, strings.ToLower(filepath.Ext(name))) {
			list = append(list, name)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(a) - len(b) })
	return list, err
}

package record

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Extensions are the ends of the names of files that Read reads.
var Extensions = []string{".mcap", ".bag", ".db3"}

// metadataName is the name of the file that makes a folder a recording of rosbag2.
const metadataName = "metadata.yaml"

// IsRecording reports whether a file is a recording by its name, or a folder, which only recordings of rosbag2 are.
func IsRecording(file string) bool {
	name := strings.ToLower(file)
	for _, packed := range []string{".zstd", ".zst", ".gz", ".xz", ".bz2", ".zip"} { // opening it says how to unpack it
		name = strings.TrimSuffix(name, packed)
	}
	if slices.Contains(Extensions, filepath.Ext(name)) {
		return true
	}
	info, err := os.Stat(file)
	return err == nil && info.IsDir()
}

// files are the files of a recording: those of a folder in the order in which they were written, otherwise the file itself. messages is
// how many messages the metadata of a folder counts, 0 if it does not.
func files(file string) (list []string, messages int, err error) {
	if info, err := os.Stat(file); err != nil || !info.IsDir() {
		return []string{file}, 0, nil // opening it fails with what is wrong
	}
	list, messages, err = listed(filepath.Join(file, metadataName))
	switch {
	case os.IsNotExist(err): // of a recorder that was killed
		list, err = found(file)
	case err == nil:
		err = checkListed(file, list)
	}
	if err != nil {
		return nil, 0, err
	}
	if len(list) == 0 {
		return nil, 0, fmt.Errorf("%s: a folder without %s and without files %s: no recording of rosbag2", file, metadataName, strings.Join(Extensions, ", "))
	}
	for i, name := range list {
		if strings.HasSuffix(name, ".zstd") {
			return nil, 0, fmt.Errorf("%s: %s is compressed as a whole; decompress it with zstd -d and name that file", file, name)
		}
		list[i] = filepath.Join(file, filepath.Base(name))
	}
	return list, messages, checkPresent(file, list)
}

// checkPresent refuses a folder without one of the files that its metadata names.
func checkPresent(folder string, list []string) error {
	var missing []string
	for _, name := range list {
		if _, err := os.Stat(name); os.IsNotExist(err) {
			missing = append(missing, filepath.Base(name))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	const most = 3 // names
	names := strings.Join(missing[:min(most, len(missing))], ", ")
	if n := len(missing) - most; n > 0 {
		names += fmt.Sprintf(" and %d more", n)
	}
	problem := fmt.Sprintf("%s: %s names %s, not in the folder", folder, metadataName, names)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		other := filepath.Join(folder, e.Name())
		if slices.Contains(Extensions, strings.ToLower(filepath.Ext(e.Name()))) && !slices.Contains(list, other) {
			return fmt.Errorf("%s, where %s is; name that file if it is the recording, or ros2 bag reindex %s writes %s for what is there", problem, e.Name(), folder, metadataName)
		}
	}
	if len(missing) < len(list) {
		return fmt.Errorf("%s; copy what is missing there, or name one of the files that are there", problem)
	}
	return fmt.Errorf("%s, which has no data; copy what is missing there from where it was recorded", problem)
}

// listed returns the files that the metadata of a folder name, and how many messages they count in them.
func listed(metadata string) (list []string, messages int, err error) {
	const most = 16 << 20 // bytes; the metadata has a few lines for each file and topic
	f, err := os.Open(metadata)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	var of map[string]struct {
		Files    []string `yaml:"relative_file_paths"`
		Messages int      `yaml:"message_count"`
	}
	if err := yaml.NewDecoder(io.LimitReader(f, most)).Decode(&of); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", metadata, err)
	}
	for _, bag := range of {
		return bag.Files, bag.Messages, nil
	}
	return nil, 0, nil
}

// checkListed refuses metadata that leaves out a part of the recording that is beside those that it names.
func checkListed(folder string, list []string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	whole := map[string]string{} // a part, by what the names of all parts have in common
	for _, name := range list {
		names[filepath.Base(name)] = true
		whole[recordingOf(filepath.Base(name))] = filepath.Base(name)
	}
	for _, e := range entries {
		if part := whole[recordingOf(e.Name())]; part != "" && !names[e.Name()] {
			return fmt.Errorf("%s: %s names %s and not %s beside it; ros2 bag reindex %[1]s writes it anew", folder, metadataName, part, e.Name())
		}
	}
	return nil
}

// recordingOf returns what the names of all parts NAME_0, NAME_1 of a recording have in common.
func recordingOf(name string) string {
	extension := filepath.Ext(name)
	stem := strings.TrimSuffix(name, extension)
	at := strings.LastIndexByte(stem, '_')
	if _, err := strconv.Atoi(stem[at+1:]); at < 0 || err != nil {
		return name
	}
	return stem[:at] + extension
}

// found returns the recordings in a folder, in the order of the numbers at the ends of their names. They are parts of one, which a
// recorder calls NAME_0, NAME_1 and so on.
func found(folder string) (list []string, err error) {
	entries, err := os.ReadDir(folder)
	whole := ""
	for _, e := range entries {
		name := e.Name()
		if !slices.Contains(Extensions, strings.ToLower(filepath.Ext(name))) {
			continue
		}
		of := recordingOf(name)
		if len(list) > 0 && of != whole {
			return nil, fmt.Errorf("%s: a folder without %s with several recordings, %s and %s; name one of them", folder, metadataName, list[0], name)
		}
		whole = of
		list = append(list, name)
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(a) - len(b) })
	return list, err
}

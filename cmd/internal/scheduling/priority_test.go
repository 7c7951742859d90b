package scheduling_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"sinew/cmd/internal/scheduling"
)

func TestParsePriority(t *testing.T) {
	for text, want := range map[string]scheduling.Priority{"auto": 10, "": 10, "off": 0, "1": 1, "98": 98} {
		if got, err := scheduling.ParsePriority(text); got != want || err != nil {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "99", "-1", "on", "1.5"} {
		if _, err := scheduling.ParsePriority(text); err == nil || !strings.Contains(err.Error(), "from 1 to 98") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Missing lists what the computer lacks, with how to get it, and nothing else.
func TestMissing(t *testing.T) {
	const cpu = "sys/devices/system/cpu/"
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for _, c := range []struct {
		name      string
		root      fstest.MapFS
		priority  scheduling.Priority
		processor int
		locked    bool
		missing   []string
	}{
		{"everything", fstest.MapFS{cpu + "isolated": file("2-3,5\n"), cpu + "cpu0/cpufreq/scaling_governor": file("performance\n")}, 10, 2, true, nil},
		{"virtual machine", fstest.MapFS{cpu + "isolated": file("\n")}, 10, -1, true, []string{"isolcpus"}},
		{"laptop", fstest.MapFS{cpu + "cpu0/cpufreq/scaling_governor": file("powersave\n")}, 0, -1, false, []string{"cap_sys_nice", "cap_ipc_lock", "it is powersave", "isolcpus"}},
	} {
		processor := scheduling.IsolatedProcessor(0, 1, c.root)
		list := scheduling.Grant{Priority: c.priority, Processor: processor, Locked: c.locked}.Missing(scheduling.Auto, c.root)
		if processor != c.processor || len(list) != len(c.missing) {
			t.Errorf("%s: processor %d, missing %q", c.name, processor, list)
			continue
		}
		for i, want := range c.missing {
			if !strings.Contains(list[i], want) {
				t.Errorf("%s: missing %q, want %s", c.name, list[i], want)
			}
		}
	}
}

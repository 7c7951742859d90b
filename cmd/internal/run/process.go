package run

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"sinew/msgs/diagnostic_msgs"
)

// processStatus returns the resources that the process holds, so that leaks are visible. It leaves
// out numbers that the system does not provide.
func processStatus() diagnostic_msgs.DiagnosticStatus {
	s := diagnostic_msgs.DiagnosticStatus{Name: "process", Message: "running"}
	add := func(key string, value any) {
		s.Values = append(s.Values, diagnostic_msgs.KeyValue{Key: key, Value: fmt.Sprint(value)})
	}
	add("goroutines", runtime.NumGoroutine())
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		add("open_files", len(files)-1) // the directory itself is open while it is read
	}
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		if f := bytes.Fields(b); len(f) > 1 {
			if pages, err := strconv.Atoi(string(f[1])); err == nil {
				add("memory_bytes", pages*os.Getpagesize())
			}
		}
	}
	return s
}

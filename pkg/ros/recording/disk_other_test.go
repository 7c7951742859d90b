//go:build !linux

package recording

import "testing"

func smallDisk(t *testing.T, size string) string {
	t.Skip("there is no small file system here")
	return ""
}

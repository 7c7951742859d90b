package rtps_test

import (
	"os"
	"testing"

	"sinew/pkg/ros/rtps"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if rtps.OursDir != "" {
		os.RemoveAll(rtps.OursDir)
	}
	os.Exit(code)
}

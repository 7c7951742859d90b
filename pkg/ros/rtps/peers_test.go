package rtps_test

import (
	"fmt"
	"os"
	"testing"

	"sinew/pkg/ros/rtps"
)

func TestMain(m *testing.M) {
	if os.Getenv(forgeAt) != "" {
		if err := forgery(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	if rtps.OursDir != "" {
		os.RemoveAll(rtps.OursDir)
	}
	os.Exit(code)
}

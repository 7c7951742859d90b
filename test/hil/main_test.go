package hil_test

import (
	"testing"

	"sinew/test/testbench"
)

func TestMain(m *testing.M) { testbench.MainInRealTime(m) }

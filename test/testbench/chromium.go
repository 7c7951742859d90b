package testbench

import (
	"os"
	"os/exec"
	"testing"
)

// PageClient is where Playwright is installed, and chromium what it drives.
const (
	PageClient = "../testdata/page"
	chromium   = "/usr/bin/chromium"
)

// NeedChromium skips a test where Chromium and what drives it are not installed.
func NeedChromium(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs node (Debian: nodejs)")
	}
	if _, err := os.Stat(chromium); err != nil {
		t.Skip("needs " + chromium + " (Debian: chromium)")
	}
	if _, err := os.Stat(PageClient + "/node_modules/playwright-core"); err != nil {
		t.Skip("needs playwright-core: npm ci --prefix test/testdata/page")
	}
}

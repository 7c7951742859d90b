package offline_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sinew/test/testbench"
)

// verbsIn are the verbs that --help lists.
func verbsIn(t *testing.T, program string) (verbs []string) {
	t.Helper()
	help, _, code := testbench.Run(t, program, "--help")
	if code != 0 {
		t.Fatalf("--help: exit code %d", code)
	}
	_, commands, _ := strings.Cut(help, "--help ")
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) `).FindAllStringSubmatch(commands, -1) {
		verbs = append(verbs, m[1])
	}
	const fewest = 12
	if len(verbs) < fewest {
		t.Fatalf("--help lists %q:\n%s", verbs, help)
	}
	return verbs
}

// TestHelpFitsAPage wants of every verb its purpose, the usual call and the flags in
// groups, on one page.
func TestHelpFitsAPage(t *testing.T) {
	const mostLines, mostColumns, fewFlags = 60, 100, 3
	for _, program := range []string{testbench.BuildTendonsim(t), testbench.BuildMicrorobot(t)} {
		name := filepath.Base(program)
		for _, verb := range append(verbsIn(t, program), "") {
			args := strings.Fields(verb + " --help")
			help, _, code := testbench.Run(t, program, args...)
			lines := strings.Split(help, "\n")
			if code != 0 || len(lines) > mostLines {
				t.Errorf("%s %s --help: exit code %d, %d lines, want at most %d", name, verb, code, len(lines), mostLines)
			}
			for _, l := range lines {
				if n := utf8.RuneCountInString(l); n > mostColumns {
					t.Errorf("%s %s --help: %d columns, want at most %d: %s", name, verb, n, mostColumns, l)
				}
			}
			if verb == "" {
				continue
			}
			if len(lines) < 3 || !strings.HasSuffix(lines[2], ".") {
				t.Errorf("%s %s --help does not begin with its purpose in a line:\n%s", name, verb, help)
			}
			if !regexp.MustCompile(`(?m)^    .*`+name+" "+verb+`|PROGRAM`).MatchString(help) && verb != "man" {
				t.Errorf("%s %s --help shows no call:\n%s", name, verb, help)
			}
			// what stands under "Flags:" is in no group
			_, ungrouped, _ := strings.Cut(help, "\nFlags:\n")
			ungrouped, _, _ = strings.Cut(ungrouped, "\n\n")
			if n := strings.Count(ungrouped, "--"); n > 1 {
				t.Errorf("%s %s --help: %d flags have no group in cmd/internal/app/help.go:\n%s", name, verb, n-1, ungrouped)
			}
		}
	}
}

// completed is what bash offers at the end of a command line.
func completed(t *testing.T, program, line string) []string {
	t.Helper()
	words := append(strings.Fields(strings.ReplaceAll(line, "=", " = ")), "")
	if !strings.HasSuffix(line, " ") && !strings.HasSuffix(line, "=") {
		words = words[:len(words)-1]
	}
	script := `source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _` + words[0] + `; echo "${COMPREPLY[@]}"`
	out, err := exec.Command("bash", append([]string{"-c", script, program}, words...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.Fields(string(out))
}

// TestCompletion asks bash what it would offer.
func TestCompletion(t *testing.T) {
	testbench.Need(t, "bash")
	for _, c := range []struct {
		line string
		want []string
	}{
		{"tendonsim ", verbsIn(t, testbench.BuildTendonsim(t))},
		{"tendonsim st", []string{"static"}},
		{"tendonsim init n", []string{"nitinol"}},
		{"tendonsim sim --dur", []string{"--duration"}},
		{"tendonsim run --ros ", []string{"auto", "both", "off", "ros1", "ros2"}},
		{"tendonsim run --ros=ros", []string{"ros1", "ros2"}},
		{"tendonsim sim --config rob", nil}, // files, which bash finds itself
		{"tendonsim completion ", []string{"bash", "fish", "zsh"}},
		{"microrobot st", nil},
		{"microrobot init bea", []string{"beads"}},
	} {
		program := testbench.BuildTendonsim(t)
		if strings.HasPrefix(c.line, "microrobot") {
			program = testbench.BuildMicrorobot(t)
		}
		got := completed(t, program, c.line)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q is completed by %q, want %q", c.line, got, c.want)
		}
	}
}

// TestCompletionOfOtherShells reads the scripts with the shells, where they are, and
// looks for every verb in any case.
func TestCompletionOfOtherShells(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	for shell, check := range map[string][]string{"zsh": {"-n"}, "fish": {"--no-execute"}} {
		script, errs, code := testbench.Run(t, program, "completion", shell)
		if code != 0 {
			t.Fatalf("completion %s: exit code %d, %s", shell, code, errs)
		}
		testbench.Contains(t, "completion "+shell, script, append(verbsIn(t, program), "nitinol", "ros1")...)
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		file := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(shell, append(check, file)...).CombinedOutput(); err != nil {
			t.Errorf("%s %q: %v: %s", shell, check, err, out)
		}
	}
	_, errs, code := testbench.Run(t, program, "completion", "tcsh")
	if code != 2 {
		t.Errorf("completion tcsh: exit code %d, %s", code, errs)
	}
}

// TestManualPage wants every verb and flag on the manual page, and man to read it.
func TestManualPage(t *testing.T) {
	for _, program := range []string{testbench.BuildTendonsim(t), testbench.BuildMicrorobot(t)} {
		page, errs, code := testbench.Run(t, program, "man")
		if code != 0 || !strings.HasPrefix(page, ".TH ") {
			t.Errorf("man: exit code %d, %s%.40s", code, errs, page)
		}
		plain := strings.NewReplacer(`\&`, "", `\-`, "-").Replace(page)
		testbench.Contains(t, "man", plain, append(verbsIn(t, program), "--keep-going", "--max-rmse-percent", "bad robot file")...)
		if again, _, _ := testbench.Run(t, program, "man"); again != page {
			t.Error("two calls of man differ")
		}
		if _, err := exec.LookPath("groff"); err != nil {
			continue
		}
		groff := exec.Command("groff", "-man", "-Tutf8", "-Kutf8", "-ww")
		groff.Stdin = strings.NewReader(page)
		if out, err := groff.CombinedOutput(); err != nil || strings.Contains(string(out), "warning") {
			t.Errorf("groff: %v: %.400s", err, out)
		}
	}
}

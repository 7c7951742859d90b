package rows_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/test/bench/peers/rows"
)

// The table stands between these lines.
const (
	begin = "<!-- peers: written by test/bench/peers/all.sh -->\n"
	end   = "<!-- peers: end -->\n"
)

func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	measured, document := filepath.Join(dir, "rows.jsonl"), filepath.Join(dir, "page.md")
	text, err := os.ReadFile("../../../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(document, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, r := range []rows.Row{
		{Peer: "Chain 1.2", Work: "a rod bends", Here: rows.Cost{Value: 4, Unit: "ms", Error: "0.9 %"}, There: rows.Cost{Value: 50, Unit: "ms", Error: "1 %"}},
		{Peer: "Rod 3", Work: "steps a second", Here: rows.Cost{Value: 300, Unit: "/s", Rate: true}, There: rows.Cost{Value: 0.16, Unit: "/s", Rate: true}},
	} {
		if err := rows.Append(measured, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Update(measured, document, "peers"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	want := begin + `| beside | work | error here, there | here | there | ratio |
|---|---|---|---|---|---|
| Chain 1.2 | a rod bends | 0.9 %, 1 % | 4 ms | 50 ms | 12 |
| Rod 3 | steps a second | the same | 300 /s | 0.16 /s | 1875 |
` + end
	if !strings.Contains(string(got), want) {
		t.Errorf("the table is not\n%s", want)
	}
	before, _, _ := strings.Cut(string(text), begin)
	_, after, _ := strings.Cut(string(text), end)
	if string(got) != before+want+after {
		t.Error("something beside the table has changed")
	}
}

func TestUpdateRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	row := write("row", `{"Peer":"Chain","Here":{"Value":1},"There":{"Value":2}}`)
	for _, c := range []struct{ rows, document, want string }{
		{write("none", ""), write("a.md", begin+end), "has no rows"},
		{write("rubbish", "{"), write("b.md", begin+end), "row 1"},
		{row, write("c.md", "no marks"), "peers: written by"},
		{row, write("d.md", begin), "peers: end"},
	} {
		if err := rows.Update(c.rows, c.document, "peers"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.document, err, c.want)
		}
	}
}

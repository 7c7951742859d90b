package viewer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
)

// The page is built from page/ by npm run build; CI checks that it is what is committed.

//go:embed page/dist/index.html
var pageHTML []byte

//go:embed page/dist/licenses.txt
var pageLicenses []byte

// licensesPath is the path of the licenses of the libraries in the page.
const licensesPath = "/licenses.txt"

// pageFiles are the compressed files of the page with their headers.
type pageFiles struct {
	html, licenses pageFile
	policy         string // Content-Security-Policy
}

// page makes the files at the first request.
var page = sync.OnceValue(func() *pageFiles {
	return &pageFiles{
		html:     newPageFile(pageHTML, "text/html; charset=utf-8"),
		licenses: newPageFile(pageLicenses, "text/plain; charset=utf-8"),
		policy: "default-src 'none'; script-src '" + scriptHash(string(pageHTML)) + "'; style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:; " +
			"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	}
})

// scriptHash returns the hash of the script of a page, by which the policy allows it.
func scriptHash(html string) string {
	const begin, end = `<script type="module">`, `</script>`
	_, script, _ := strings.Cut(html, begin)
	script, _, _ = strings.Cut(script, end)
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageFile is an immutable file.
type pageFile struct {
	kind, tag   string
	plain, gzip []byte
}

func newPageFile(plain []byte, kind string) pageFile {
	var b bytes.Buffer
	w := gzip.NewWriter(&b) // the best compression takes twice as long, for 0.3 % less
	_, _ = w.Write(plain)   // writes to a buffer do not fail
	_ = w.Close()
	sum := sha256.Sum256(plain)
	return pageFile{kind, `"` + hex.EncodeToString(sum[:8]) + `"`, plain, b.Bytes()}
}

func (f *pageFile) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", f.tag)
	h.Set("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	data := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		data = f.gzip
	}
	if r.Method == http.MethodGet {
		_, _ = w.Write(data) // the client may have disconnected
	}
}

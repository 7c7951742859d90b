package viewer

import (
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// RecordingsPath is the path of the recordings of Options.Recordings, by their names, relative to
// the address of the page.
const RecordingsPath = "recordings/"

// serveRecording sends a recording, or a part of it. The name is looked up among the recordings and
// is never a path.
func (s *Server) serveRecording(w http.ResponseWriter, r *http.Request, below string) {
	name := strings.TrimPrefix(below, "/"+RecordingsPath)
	if foreign(w, r) {
		return
	}
	path, is := "", false
	if s.options.Recordings != nil {
		path, is = s.options.Recordings(name)
	}
	if !is {
		http.Error(w, "no complete recording of this run has that name", http.StatusNotFound)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		http.Error(w, "the recording cannot be read any more: "+err.Error(), http.StatusNotFound)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		http.Error(w, "the recording is no file any more", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": filepath.Base(path)}))
	h.Set("Cache-Control", "no-cache")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	http.ServeContent(patient{w, http.NewResponseController(w)}, r, "", info.ModTime(), f)
}

// patient is a response without a limit of the total time, as long as the client reads it.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Write implements io.Writer.
func (p patient) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(idleTimeout)) // if it fails, the limit of all responses remains
	return p.ResponseWriter.Write(b)
}

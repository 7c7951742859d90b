package viewer

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"
)

// historyPath is the path of past messages of a recording: after a seek, a page requests those that
// its plots show before the present moment.
const historyPath = "/history"

// Bounds on a history.
const (
	maxHistory       = time.Minute
	maxHistoryTopics = 16
	historyMessages  = 550 // of a topic, evenly over the time; a plot of ten seconds keeps 600
)

// HistoryMessage is a message of a recording.
type HistoryMessage struct {
	Topic int // number in HistoryRequest.Topics
	Time  time.Duration
	CDR   []byte
}

// HistoryRequest requests messages of topics after From and up to To, at most one of a topic within
// each Step.
type HistoryRequest struct {
	Topics         []string
	From, To, Step time.Duration
}

// parseHistory reads a request of the form topic=NAME&topic=NAME&from=NS&to=NS.
func parseHistory(r *http.Request) (h HistoryRequest, err error) {
	q := r.URL.Query()
	if h.Topics = q["topic"]; len(h.Topics) == 0 || len(h.Topics) > maxHistoryTopics {
		return h, fmt.Errorf("%d topics; allowed: 1 to %d", len(h.Topics), maxHistoryTopics)
	}
	for _, t := range []struct {
		name string
		to   *time.Duration
	}{{"from", &h.From}, {"to", &h.To}} {
		ns, err := strconv.ParseInt(q.Get(t.name), 10, 64)
		if err != nil || ns < 0 {
			return h, fmt.Errorf("%s=%q; allowed: nanoseconds since 1970, 0 to %d", t.name, short(q.Get(t.name)), int64(math.MaxInt64))
		}
		*t.to = time.Duration(ns)
	}
	if length := h.To - h.From; length <= 0 || length > maxHistory {
		return h, fmt.Errorf("%v from the beginning to the end; allowed: above 0 to %v", length, maxHistory)
	}
	h.Step = (h.To - h.From) / historyMessages
	return h, nil
}

// serveHistory sends the requested messages: of each the number of its topic (1 byte), its time
// (8), the length of its CDR (4) and the CDR, little endian.
func (s *Server) serveHistory(w http.ResponseWriter, r *http.Request) {
	if foreign(w, r) {
		return
	}
	p := s.options.Playback
	if p == nil || p.History == nil {
		http.Error(w, "this is no recording", http.StatusNotFound)
		return
	}
	h, err := parseHistory(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	list, err := p.History(r.Context(), h)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	var b []byte
	for _, m := range list {
		b = append(b, byte(m.Topic))
		b = binary.LittleEndian.AppendUint64(b, uint64(max(m.Time, 0)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(m.CDR)))
		b = append(b, m.CDR...)
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b) // the client may have disconnected
}

// foreign refuses requests that the page of another site makes by an image or a link, which have no
// Origin, and reports whether it did.
func foreign(w http.ResponseWriter, r *http.Request) bool {
	is := r.Header.Get("Sec-Fetch-Site") == "cross-site"
	if is {
		http.Error(w, "pages from elsewhere may not load recordings", http.StatusForbidden)
	}
	return is
}

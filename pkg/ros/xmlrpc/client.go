package xmlrpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// callTimeout bounds calls whose context has no deadline.
const callTimeout = 10 * time.Second

var errBody = fmt.Errorf("body is larger than %d bytes", MaxBody)

// client makes every connection anew: a ROS slave may close an idle connection
// at any time, and calls are rare. It never goes through a proxy nor follows a
// redirection: the peer is the one that the ROS graph names.
var client = &http.Client{
	Transport: &http.Transport{
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
	},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Call calls method of the server at url, which looks like
// "http://127.0.0.1:11311/". A call ends with ctx, and after ten seconds at the
// latest if ctx has no deadline. The error is a *Fault if the server reported
// one.
func Call(ctx context.Context, url, method string, args ...any) (any, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callTimeout)
		defer cancel()
	}
	body, err := AppendCall(nil, method, args...)
	if err != nil {
		return nil, err
	}
	reply, err := post(ctx, url, body)
	if err != nil {
		return nil, fmt.Errorf("xmlrpc: %s of %s: %w", method, url, err)
	}
	return DecodeReply(reply)
}

func post(ctx context.Context, url string, body []byte) ([]byte, error) {
	if len(body) > MaxBody {
		return nil, errBody
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "text/xml")
	response, err := client.Do(request)
	if err != nil {
		// The wrapper repeats the URL that the caller adds.
		if inner := errors.Unwrap(err); inner != nil {
			err = inner
		}
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(io.LimitReader(response.Body, maxReason))
		return nil, fmt.Errorf("HTTP status %s: %q", response.Status, strings.TrimSpace(string(why)))
	}
	return readBody(response.Body, response.ContentLength)
}

// maxReason is how many bytes of the answer an error shows that refuses a request.
const maxReason = 400

// readBody reads a body of the announced size (-1: unknown) up to MaxBody. It allocates in
// proportion to the bytes that arrive, not to the announced size.
func readBody(r io.Reader, announced int64) ([]byte, error) {
	if announced > MaxBody {
		return nil, errBody
	}
	body, err := io.ReadAll(io.LimitReader(r, MaxBody+1))
	if err == nil && len(body) > MaxBody {
		err = errBody
	}
	return body, err
}

package masterclient_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/xmlrpc"
)

// replying serves one fixed reply to every call. The well-behaved replies are
// tested with the real master, in package master.
func replying(t *testing.T, reply any) masterclient.Client {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := xmlrpc.Serve(l, func(context.Context, string, []any) (any, error) {
		if err, bad := reply.(error); bad {
			return nil, err
		}
		return reply, nil
	}, xmlrpc.Access{})
	t.Cleanup(func() { s.Close() })
	return masterclient.Client{URI: "http://" + l.Addr().String(), Caller: "/test"}
}

func TestMalformedReplies(t *testing.T) {
	ctx := context.Background()
	lookup := func(c masterclient.Client) error { _, err := c.LookupNode(ctx, "/n"); return err }
	register := func(c masterclient.Client) error {
		_, err := c.RegisterPublisher(ctx, "/t", "a/B", "http://a:1/")
		return err
	}
	state := func(c masterclient.Client) error { _, err := c.SystemState(ctx); return err }
	topics := func(c masterclient.Client) error { _, err := c.PublishedTopics(ctx, ""); return err }
	param := func(c masterclient.Client) error { _, _, err := c.Param(ctx, "/p"); return err }
	has := func(c masterclient.Client) error { _, err := c.HasParam(ctx, "/p"); return err }
	of := func(v any) any { return []any{1, "", v} }
	for name, c := range map[string]struct {
		reply any
		call  func(masterclient.Client) error
		want  string
	}{
		"no array":       {1, lookup, "but a int of 0"},
		"pair":           {[]any{1, ""}, lookup, "of 2"},
		"code":           {[]any{"1", "", ""}, lookup, "a string and a string"},
		"type":           {of(1), lookup, "holds a int where a string belongs"},
		"no list":        {of(""), register, "holds a string where"},
		"list of others": {of([]any{1}), register, "holds a int where"},
		"two parts":      {of([]any{[]any{}, []any{}}), state, "2 parts, want 3"},
		"row":            {of([]any{[]any{[]any{"/t"}}, []any{}, []any{}}), state, "row 0 is no pair"},
		"row's name":     {of([]any{[]any{[]any{1, []any{}}}, []any{}, []any{}}), state, "holds a int"},
		"row's nodes":    {of([]any{[]any{[]any{"/t", "x"}}, []any{}, []any{}}), state, "holds a string"},
		"part":           {of([]any{1, []any{}, []any{}}), state, "holds a int"},
		"topic":          {of([]any{[]any{"/t"}}), topics, "row 0 is no pair"},
		"topics":         {of(1), topics, "holds a int"},
		"has":            {of(1), has, "holds a int where a bool"},
		"failure":        {[]any{0, "broken", 0}, param, "getParam: broken (status 0)"},
		"fault":          {errors.New("bad"), param, "fault 1: bad"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.call(replying(t, c.reply))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if masterclient.Refuses(err) {
				t.Error("taken for a refusal")
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	ctx := context.Background()
	c := replying(t, []any{masterclient.Refused, "unknown topic", 0})
	if _, err := c.LookupNode(ctx, "/n"); !masterclient.Refuses(err) {
		t.Errorf("error %v", err)
	}
	if v, set, err := c.Param(ctx, "/p"); v != nil || set || err != nil {
		t.Errorf("unset parameter: %v, %v, %v", v, set, err)
	}
	if found, err := c.SearchParam(ctx, "p"); found != "" || err != nil {
		t.Errorf("unset parameter: %q, %v", found, err)
	}
}

// TestStatusCodes: the codes are those of https://wiki.ros.org/ROS/Master_API.
func TestStatusCodes(t *testing.T) {
	if masterclient.Success != 1 || masterclient.Failure != 0 || masterclient.Refused != -1 {
		t.Errorf("success is %d, failure %d, refused %d", masterclient.Success, masterclient.Failure, masterclient.Refused)
	}
}

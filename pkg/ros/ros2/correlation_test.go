package ros2

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"sinew/msgs"
	"sinew/msgs/cdr"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros/rtps"
)

// The client of these tests, and its reader of replies.
var (
	clientWriter = rtps.GUID{Prefix: [12]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Entity: [4]byte{0, 0, 0x12, 3}}
	clientReader = rtps.GUID{Prefix: clientWriter.Prefix, Entity: [4]byte{0, 0, 0x13, 4}}
)

// join joins the parts of a payload behind the header of little-endian CDR.
func join(parts ...[]byte) []byte {
	return append([]byte{0, 1, 0, 0}, slices.Concat(parts...)...)
}

func little(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }

// identity is a sample identity in plain CDR.
func identity(g rtps.GUID, n int64) []byte {
	b := append(append([]byte{}, g.Prefix[:]...), g.Entity[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(n>>32))
	return binary.LittleEndian.AppendUint32(b, uint32(n))
}

// TestMappings reads requests and writes replies in all forms. The bytes follow
// rmw_fastrtps, rmw_cyclonedds, DDS-RPC 1.0 (7.5.1.1.1) and ros2-client 0.12.
func TestMappings(t *testing.T) {
	steps := little(7) // of a request
	response := []byte{1, 0, 0, 0, 3, 0, 0, 0, 'o', 'k', 0, 0, 0, 0, 0, 0}
	response = append(response, little(0x4000000000000000)...) // 2 s
	none := []byte{1, 0, 0, 0, 0}                              // name of an instance
	whole := rtps.GUID{Prefix: clientWriter.Prefix}
	for name, c := range map[string]struct {
		vendor  rtps.Vendor
		related rtps.SampleIdentity
		request []byte
		to      rtps.GUID
		tells   rtps.SampleIdentity
		reply   []byte
	}{
		"Fast DDS": {
			rtps.VendorFastDDS, rtps.SampleIdentity{Writer: clientReader, Sequence: rtps.SequenceUnknown}, join(steps),
			clientReader, rtps.SampleIdentity{Writer: clientReader, Sequence: 42}, join(response),
		},
		"enhanced": {
			rtps.VendorRustDDS, rtps.SampleIdentity{}, join(steps),
			whole, rtps.SampleIdentity{Writer: clientWriter, Sequence: 42}, join(response),
		},
		"forged reader": {
			rtps.VendorFastDDS, rtps.SampleIdentity{Writer: rtps.GUID{Prefix: [12]byte{9}, Entity: clientReader.Entity}}, join(steps),
			whole, rtps.SampleIdentity{Writer: clientWriter, Sequence: 42}, join(response),
		},
		"Cyclone DDS": {
			rtps.VendorCyclone, rtps.SampleIdentity{}, join(little(0xfeed), little(5), steps),
			whole, rtps.SampleIdentity{}, join(little(0xfeed), little(5), response),
		},
		"Cyclone form of ros2-client": {
			rtps.VendorRustDDS, rtps.SampleIdentity{Writer: clientWriter, Sequence: 43}, join(lastHalf(clientWriter), []byte{0, 0, 0, 0, 43, 0, 0, 0}, steps),
			whole, rtps.SampleIdentity{}, join(lastHalf(clientWriter), []byte{0, 0, 0, 0, 43, 0, 0, 0}, response),
		},
		"Cyclone form of Connext": {
			rtps.Vendor{1, 1}, rtps.SampleIdentity{}, join(little(0xabcdef), little(6), steps),
			whole, rtps.SampleIdentity{}, join(little(0xabcdef), little(6), response),
		},
		"basic": { // the message is aligned with the whole
			rtps.Vendor{1, 1}, rtps.SampleIdentity{}, join(identity(clientWriter, 44), none, []byte{0, 0, 0}, steps),
			whole, rtps.SampleIdentity{}, join(identity(clientWriter, 44), []byte{0, 0, 0, 0}, []byte{1, 0, 0, 0, 3, 0, 0, 0, 'o', 'k', 0, 0}, little(0x4000000000000000)),
		},
		"basic of ros2-client": { // the message is aligned with itself
			rtps.VendorRustDDS, rtps.SampleIdentity{Writer: clientWriter, Sequence: 44}, append(join(identity(clientWriter, 44), none, steps), 0, 0, 0),
			whole, rtps.SampleIdentity{}, join(identity(clientWriter, 44), []byte{0, 0, 0, 0}, response),
		},
	} {
		got, m, err := parseRequest(sinew_msgs.Step.Request, rtps.Sample{
			Payload: c.request, Writer: clientWriter, Sequence: 42, Vendor: c.vendor, Related: c.related,
		})
		if err != nil || m.(*sinew_msgs.StepRequest).Steps != 7 {
			t.Errorf("%s: %+v, error %v, want 7 steps", name, m, err)
			continue
		}
		o, reply := got.reply(&sinew_msgs.StepResponse{Success: true, Message: "ok", SimTime: 2})
		if o.To != c.to || o.Related != c.tells {
			t.Errorf("%s: the reply goes to %v and is related to %v, want %v and %v", name, o.To, o.Related, c.to, c.tells)
		}
		if !bytes.Equal(reply, c.reply) {
			t.Errorf("%s: reply\n%x, want\n%x", name, reply, c.reply)
		}
	}
}

// TestBadRequests: what is no request of the type is refused, in every form.
func TestBadRequests(t *testing.T) {
	for name, s := range map[string]rtps.Sample{
		"nothing":             {Payload: join()},
		"short":               {Payload: join([]byte{1, 2, 3})},
		"surplus":             {Payload: join(little(1), little(2))},
		"Cyclone, no header":  {Payload: join(little(1)), Vendor: rtps.VendorCyclone},
		"Cyclone, no request": {Payload: join(little(1), little(2)), Vendor: rtps.VendorCyclone},
		"basic, no request":   {Payload: join(identity(clientWriter, 1), []byte{1, 0, 0, 0, 0})},
		"basic, no name":      {Payload: join(identity(clientWriter, 1), []byte{255, 255, 255, 255, 0})},
		"basic, long name":    {Payload: join(identity(clientWriter, 1), []byte{255, 255, 255, 255, 0}), Vendor: rtps.VendorRustDDS},
	} {
		s.Writer = clientWriter
		if _, m, err := parseRequest(sinew_msgs.Step.Request, s); err == nil {
			t.Errorf("%s is taken as %+v", name, m)
		}
	}
}

// FuzzRequest reads requests in all forms; each that is read can be answered, and
// only its sender gets the answer.
func FuzzRequest(f *testing.F) {
	f.Add(join(little(7)), byte(0), []byte{})
	f.Add(join(little(0xfeed), little(5), little(7)), byte(16), []byte{})
	f.Add(append(join(identity(clientWriter, 44), []byte{1, 0, 0, 0, 0}, little(7)), 0, 0, 0), byte(18), []byte{})
	f.Add(join(identity(clientWriter, 44), []byte{2, 0, 0, 0, 'x', 0, 0, 0}, little(7)), byte(1), clientReader.Prefix[:])
	kinds := []*msgs.Service{sinew_msgs.Step, std_srvs.SetBool, std_srvs.Trigger}
	f.Fuzz(func(t *testing.T, payload []byte, vendor byte, related []byte) {
		s := rtps.Sample{Payload: slices.Clone(payload), Writer: clientWriter, Sequence: 42, Vendor: rtps.Vendor{1, vendor}}
		copy(s.Related.Writer.Prefix[:], related)
		copy(s.Related.Writer.Entity[:], related[min(12, len(related)):])
		for _, kind := range kinds {
			c, m, err := parseRequest(kind.Request, s)
			if err != nil {
				continue
			}
			if m.Type() != kind.Request || c.to.Prefix != clientWriter.Prefix {
				t.Fatalf("%v, answered to %v", m, c.to)
			}
			_, reply := c.reply(kind.Response.New().(bodied))
			if len(reply) < cdr.HeaderSize || !bytes.Equal(s.Payload, payload) {
				t.Fatalf("reply %x to %x", reply, payload)
			}
		}
	})
}

// TestRequestForms writes a request in all forms, to the bytes of TestMappings.
func TestRequestForms(t *testing.T) {
	steps, none := little(7), []byte{1, 0, 0, 0, 0}
	got := requestForms(&sinew_msgs.StepRequest{Steps: 7}, rtps.SampleIdentity{Writer: clientWriter, Sequence: 42})
	for i, want := range [][]byte{
		Enhanced:     join(steps),
		Cyclone:      join(lastHalf(clientWriter), little(42), steps),
		Basic:        join(identity(clientWriter, 42), none, []byte{0, 0, 0}, steps),
		detachedForm: join(identity(clientWriter, 42), none, steps),
	} {
		if !bytes.Equal(got[i], want) {
			t.Errorf("form %d:\n%x, want\n%x", i, got[i], want)
		}
	}
}

// TestReplies reads the replies to one client in all forms, and leaves those to others.
func TestReplies(t *testing.T) {
	response := []byte{1, 0, 0, 0, 3, 0, 0, 0, 'o', 'k', 0, 0, 0, 0, 0, 0}
	response = append(response, little(0x4000000000000000)...) // 2 s
	aligned := append([]byte{1, 0, 0, 0, 3, 0, 0, 0, 'o', 'k', 0, 0}, little(0x4000000000000000)...)
	tr, _ := node(t, "/client")
	client, err := tr.NewClient("/replies/step", sinew_msgs.Step)
	if err != nil {
		t.Fatal(err)
	}
	own, none := client.writer.GUID(), []byte{0, 0, 0, 0}
	other := rtps.GUID{Prefix: own.Prefix, Entity: clientWriter.Entity}
	for name, c := range map[string]struct {
		mapping Mapping
		vendor  rtps.Vendor
		related rtps.GUID
		payload []byte
		mine    bool
	}{
		"enhanced":                {Enhanced, rtps.Vendor{1, 1}, client.reader.GUID(), join(response), true},
		"enhanced, by the writer": {Enhanced, rtps.VendorRustDDS, own, join(response), true},
		"enhanced, to another":    {Enhanced, rtps.Vendor{1, 1}, other, join(response), false},
		"Cyclone":                 {Cyclone, rtps.VendorCyclone, rtps.GUID{}, join(lastHalf(own), little(7), response), true},
		"Cyclone, to another":     {Cyclone, rtps.VendorCyclone, own, join(lastHalf(other), little(7), response), false},
		"Cyclone, short":          {Cyclone, rtps.VendorCyclone, own, join(lastHalf(own)), false},
		"basic":                   {Basic, rtps.Vendor{1, 1}, rtps.GUID{}, join(identity(own, 7), none, aligned), true},
		"basic of ros2-client":    {Basic, rtps.VendorRustDDS, rtps.GUID{}, join(identity(own, 7), none, response), true},
		"basic, to another":       {Basic, rtps.Vendor{1, 1}, own, join(identity(other, 7), none, aligned), false},
		"basic, short":            {Basic, rtps.VendorRustDDS, own, join(identity(own, 7)), false},
	} {
		client.mapping = func(rtps.Vendor) Mapping { return c.mapping }
		n, body, mine := client.replyTo(rtps.Sample{Payload: c.payload, Vendor: c.vendor, Related: rtps.SampleIdentity{Writer: c.related, Sequence: 7}})
		if mine != c.mine {
			t.Errorf("%s: mine %v, want %v", name, mine, c.mine)
		}
		if !c.mine {
			continue
		}
		var m sinew_msgs.StepResponse
		m.ReadCDR(&body)
		if err := body.Finish(name); err != nil || n != 7 || m.SimTime != 2 || m.Message != "ok" {
			t.Errorf("%s: reply to %d: %+v, error %v, want one to 7 with 2 s", name, n, m, err)
		}
	}
}

// FuzzReply: whatever comes as a reply neither breaks the client nor answers a call that
// was not made.
func FuzzReply(f *testing.F) {
	g := rtps.GUID{Prefix: [12]byte{7}, Entity: [4]byte{0, 0, 1, 3}}
	f.Add(join(lastHalf(g), little(1), []byte{1, 0, 0, 0, 1, 0, 0, 0, 0}), byte(16), byte(1))
	f.Add(join(identity(g, 1), []byte{0, 0, 0, 0}, []byte{1, 0, 0, 0, 1, 0, 0, 0, 0}), byte(18), byte(2))
	f.Add(join([]byte{1, 0, 0, 0, 1, 0, 0, 0, 0}), byte(15), byte(0))
	tr, err := New(Options{Node: "/client", Discovery: Discovery{Domain: testDomain}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { tr.Close() })
	client, err := tr.NewClient("/replies/trigger", std_srvs.Trigger)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, payload []byte, vendor, mapping byte) {
		client.mapping = func(rtps.Vendor) Mapping { return Mapping(mapping % 3) }
		before := slices.Clone(payload)
		s := rtps.Sample{Payload: payload, Vendor: rtps.Vendor{1, vendor}, Related: rtps.SampleIdentity{Writer: client.reader.GUID(), Sequence: 1}}
		client.take(s)
		if !bytes.Equal(payload, before) {
			t.Fatal("the reply was changed")
		}
	})
}

package ros2

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync/atomic"

	"sinew/pkg/ros/rtps"
)

// The USER_DATA of participants and endpoints is text of the form "key=value;key=value;". Iron and
// later announce the type hash of each endpoint (REP 2016), all releases the enclave of each
// participant.
const (
	hashKey         = "typehash"
	participantData = "enclave=/;"
)

// endpointData returns the USER_DATA of an endpoint whose type has the hash.
func endpointData(hash string) []byte { return []byte(hashKey + "=" + hash + ";") }

// Keys by which Cyclone matches the request reader and reply writer of a server, and the request
// writer and reply reader of a client.
const (
	serviceID = "serviceid="
	clientID  = "clientid="
)

// pairs counts the services and clients of this process.
var pairs atomic.Uint32

// pairID returns an identifier of a service or a client that is unique in the domain, in the form
// of Cyclone.
func pairID(p *rtps.Participant) string {
	g := p.GUID().Prefix
	return strings.ReplaceAll(fmt.Sprintf("% x", binary.BigEndian.AppendUint32(g[:], pairs.Add(1))), " ", ".")
}

// serviceData returns the USER_DATA of an endpoint of a service or a client.
func serviceData(hash, id string) []byte { return append(endpointData(hash), id+";"...) }

// typeHash finds the type hash in the USER_DATA of an endpoint. Endpoints of Humble have none.
func typeHash(userData []byte) (hash string, found bool) {
	for _, item := range strings.Split(string(userData), ";") {
		if key, value, ok := strings.Cut(item, "="); ok && key == hashKey {
			return value, true
		}
	}
	return "", false
}

// isHash reports whether text has the form of a hash of version 1, the only version. Peers that
// cannot compute it announce something else.
func isHash(text string) bool {
	hex, ok := strings.CutPrefix(text, "RIHS01_")
	return ok && len(hex) == 64 && strings.Trim(hex, "0123456789abcdef") == ""
}

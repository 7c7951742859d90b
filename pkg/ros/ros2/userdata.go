package ros2

import "strings"

// The USER_DATA of participants and endpoints is text of the form
// "key=value;key=value;". Iron and later announce the type hash of each endpoint
// (REP 2016), all releases the enclave of each participant.
const (
	hashKey         = "typehash"
	participantData = "enclave=/;"
)

// endpointData is the USER_DATA of an endpoint whose type has the hash.
func endpointData(hash string) []byte { return []byte(hashKey + "=" + hash + ";") }

// typeHash finds the type hash in the USER_DATA of an endpoint. Endpoints of
// Humble have none.
func typeHash(userData []byte) (hash string, found bool) {
	for _, item := range strings.Split(string(userData), ";") {
		if key, value, ok := strings.Cut(item, "="); ok && key == hashKey {
			return value, true
		}
	}
	return "", false
}

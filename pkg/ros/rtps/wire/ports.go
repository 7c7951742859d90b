package wire

// MaxDomain is the largest domain whose ports are below 65536.
const MaxDomain = 232

// MaxParticipantID is the largest participant identifier whose ports do not
// run into those of the next domain.
const MaxParticipantID = 119

// SPDPMulticastPort is the port of discovery by multicast, PB + DG·domain + d0
// of 9.6.1.1.
func SPDPMulticastPort(domain int) uint16 { return uint16(7400 + 250*domain) }

// SPDPUnicastPort is the discovery port of the participant with identifier id,
// PB + DG·domain + d1 + PG·id.
func SPDPUnicastPort(domain, id int) uint16 { return uint16(7410 + 250*domain + 2*id) }

// UserUnicastPort is the port of the data of the participant with identifier
// id, PB + DG·domain + d3 + PG·id.
func UserUnicastPort(domain, id int) uint16 { return uint16(7411 + 250*domain + 2*id) }

// SPDPGroup is the multicast group of discovery (9.6.1).
var SPDPGroup = [4]byte{239, 255, 0, 1}

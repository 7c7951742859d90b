package wire

import (
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// Unexported names for the external tests.
const (
	MaxLocators        = maxLocators
	MaxPartitions      = maxPartitions
	MaxRepresentations = maxRepresentations
)

var ErrNoGUID = errNoGUID

// What Cyclone DDS 0.10.2 (Debian 12) sent on the loopback interface of a host
// named "peer": the first announcement of a participant, its good-bye, and the
// SEDP samples of a reader of rt/out, reliable, transient local, keep last 7.
const (
	CycloneAnnouncement = `
525450530201011001106b449112d770c4d4ab5d09010800009e016b9ade8ea1150568010000100000000000000100c200000000010000000003000059005c000300
00000e0000005f5f50726f636573734e616d65000000050000007065657200000000060000005f5f5069640000000600000033303230350000000b0000005f5f486f
73746e616d6500000500000070656572000000000000000015000400020100001600040001100000020008000a000000000000005000100001106b449112d770c4d4
ab5d000001c1580004003ffc00000f0004000500000031001800010000006edb00000000000000000000000000007f0000014800180001000000cb21000000000000
0000000000000000efff000132001800010000006edb00000000000000000000000000007f0000013300180001000000ca210000000000000000000000000000efff
000107803000000000002c00000000000000000000000000000018000000706565722f302e31302e322f4c696e75782f4c696e757800198004000000200001000000`
	CycloneGoodbye = `
525450530201011001106b449112d770c4d4ab5d09010800009e016bb8d4d5a1150b3c000000100000000000000100c20000000002000000710004000000000301000000
000300005000100001106b449112d770c4d4ab5d000001c101000000`
	CycloneReader = `
0003000005000c000700000072742f6f7574000007001c0015000000706565723a3a6464735f3a3a4e756d626572735f000000001d000400010000001a000c000200
00000a00000000000000400008000000000007000000730008000200000000000200750064006000000001100040280000002400000014000000f1d1df2917d404ff
5de13da0c7ad91003c00000000000000040000000000000002100040280000002400000014000000f295367569e83a913c4cfead58da18006b000000000000000400
000000000000150004000201000016000400011000005a0010000110057aebfbac1274a83ee3000002040c8004000100000001000000`
	CycloneReaderGone = "000300005a0010000110057aebfbac1274a83ee30000020401000000"
)

var CyclonePrefix = Prefix{0x01, 0x10, 0x6b, 0x44, 0x91, 0x12, 0xd7, 0x70, 0xc4, 0xd4, 0xab, 0x5d}

var FullParticipant = ParticipantData{
	GUID: GUID{CyclonePrefix, EntityParticipant}, Version: ThisVersion, Vendor: VendorUnknown, Domain: 7,
	Name: "tendonsim", UserData: []byte("enclave=/;"), Builtin: 0x3f, Lease: 1500 * time.Millisecond,
	Metatraffic: []Locator{LocatorOf(netip.MustParseAddrPort("127.0.0.1:7410"))},
	Default:     []Locator{LocatorOf(netip.MustParseAddrPort("127.0.0.1:7411")), LocatorOf(netip.MustParseAddrPort("10.0.0.1:7411"))},
}

var FullEndpoint = EndpointData{
	GUID: GUID{CyclonePrefix, EntityID{0, 0, 1, 3}}, Topic: "rt/x", Type: "T", UserData: []byte("typehash=RIHS01_00;"),
	Unicast:     []Locator{LocatorOf(netip.MustParseAddrPort("127.0.0.1:7411"))},
	Reliability: Reliable, Durability: TransientLocal, Depth: 10, Deadline: Forever, Liveliness: 1,
	LivelinessLease: 2 * time.Second, Lifespan: 10 * time.Second, Exclusive: true, Partitions: []string{"a", "bcdef"},
	Representations: []int16{0}, ExpectsInline: true,
}

// Unhex reads bytes written in groups.
func Unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func SetOf(base int64, n ...int64) NumberSet {
	s := NumberSet{Base: base}
	for _, v := range n {
		s.Add(v)
	}
	return s
}

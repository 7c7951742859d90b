package ros2_test

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

// parse reads an environment such as "ROS_DOMAIN_ID=3 ROS_LOCALHOST_ONLY=1".
func parse(variables string) (ros2.Discovery, error) {
	return ros2.ParseEnvironment(func(key string) (string, bool) {
		for _, v := range strings.Fields(variables) {
			if name, value, _ := strings.Cut(v, "="); name == key {
				return value, true
			}
		}
		return "", false
	})
}

func TestParseEnvironment(t *testing.T) {
	for _, c := range []struct {
		variables string
		want      ros2.Discovery
		shown     string
	}{
		{"", ros2.Discovery{}, "domain 0, this host only (ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET widens)"},
		{"ROS_DOMAIN_ID=", ros2.Discovery{}, "domain 0, this host only (ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET widens)"},
		{"ROS_DOMAIN_ID=232", ros2.Discovery{Domain: 232}, "domain 232, this host only (ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET widens)"},
		{"ROS_AUTOMATIC_DISCOVERY_RANGE=SYSTEM_DEFAULT", ros2.Discovery{}, "domain 0, this host only (ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET widens)"},
		{"ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST ROS_LOCALHOST_ONLY=0", ros2.Discovery{}, "domain 0, this host only (ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET widens)"},
		{"ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET", ros2.Discovery{Range: rtps.Subnet}, "domain 0, this subnet: every host there can command this node (ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST keeps it on this host)"},
		{"ROS_AUTOMATIC_DISCOVERY_RANGE=OFF ROS_STATIC_PEERS=10.0.0.1", ros2.Discovery{Range: rtps.Off}, "domain 0, discovery off"},
		{"ROS_STATIC_PEERS=10.0.0.1;localhost;;10.0.0.2:7412", ros2.Discovery{Peers: []ros2.Peer{{"10.0.0.1", 0}, {"localhost", 0}, {"10.0.0.2", 7412}}}, "domain 0, this host and static peers (3)"},
		{"ROS_STATIC_PEERS=az-AZ_09.lab:65535;Z", ros2.Discovery{Peers: []ros2.Peer{{"az-AZ_09.lab", 65535}, {"Z", 0}}}, "domain 0, this host and static peers (2)"},
		{"ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET ROS_STATIC_PEERS=10.0.0.1", ros2.Discovery{Range: rtps.Subnet, Peers: []ros2.Peer{{"10.0.0.1", 0}}}, "domain 0, this subnet and static peers (1): every host there can command this node (ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST keeps it on this host)"},
		{"ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET ROS_STATIC_PEERS=10.0.0.1 ROS_LOCALHOST_ONLY=1", ros2.Discovery{}, "domain 0, this host only (ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET widens)"},
	} {
		got, err := parse(c.variables)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v, %v, want %+v", c.variables, got, err, c.want)
		}
		if got.String() != c.shown {
			t.Errorf("%q is shown as %q, want %q", c.variables, got, c.shown)
		}
	}
}

func TestParseEnvironmentMistakes(t *testing.T) {
	for variables, wants := range map[string][]string{
		"ROS_DOMAIN_ID=233":                            {`ROS_DOMAIN_ID is "233"`, "0 to 232"},
		"ROS_DOMAIN_ID=-1":                             {"0 to 232"},
		"ROS_DOMAIN_ID=one":                            {"0 to 232"},
		"ROS_DOMAIN_ID=99999999999999999999":           {"0 to 232"},
		"ROS_AUTOMATIC_DISCOVERY_RANGE=subnet":         {"give LOCALHOST, SUBNET, OFF or SYSTEM_DEFAULT"},
		"ROS_LOCALHOST_ONLY=yes":                       {"give 0 or 1"},
		"ROS_STATIC_PEERS=::1":                         {`peer "::1" is an IPv6 address`},
		"ROS_STATIC_PEERS=[::1]":                       {`ROS_STATIC_PEERS: peer "[::1]" is an IPv6 address; only IPv4 is supported`},
		"ROS_STATIC_PEERS=[fe80::1%eth0]:7400":         {`peer "[fe80::1%eth0]:7400" is an IPv6 address`},
		"ROS_STATIC_PEERS=300.1.1.1":                   {`peer "300.1.1.1" is no IPv4 address; allowed are four numbers from 0 to 255`},
		"ROS_STATIC_PEERS=10.0.0:7412":                 {`peer "10.0.0:7412" is no IPv4 address`},
		"ROS_STATIC_PEERS=0.0.0.0":                     {"not the address of a host"},
		"ROS_STATIC_PEERS=239.255.0.1":                 {"not the address of a host"},
		"ROS_STATIC_PEERS=host:0":                      {`port "0"`},
		"ROS_STATIC_PEERS=host:70000":                  {`port "70000"`},
		"ROS_STATIC_PEERS=a/b":                         {`contains '/'`},
		"ROS_STATIC_PEERS=" + strings.Repeat("h;", 65): {"65 peers, at most 64"},
		"ROS_DOMAIN_ID=x ROS_LOCALHOST_ONLY=2":         {"ROS_DOMAIN_ID", "ROS_LOCALHOST_ONLY"},
		"ROS_STATIC_PEERS=" + strings.Repeat("h", 254): {"254 bytes"},
	} {
		_, err := parse(variables)
		for _, want := range wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%.60q: error %v, want one with %q", variables, err, want)
			}
		}
	}
}

func FuzzStaticPeers(f *testing.F) {
	for _, s := range []string{"", "10.0.0.1", "localhost;10.0.0.2:7412", "::1", "a:b:c", ";;;", "h:65536", "1.2.3.4.5", "[::1]:3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		peers, err := ros2.ParsePeers(text)
		if err != nil {
			return
		}
		if len(peers) > ros2.MaxStaticPeers {
			t.Errorf("%d peers", len(peers))
		}
		for _, p := range peers {
			if p.Host == "" || strings.ContainsAny(p.Host, ":; /") {
				t.Errorf("%q gave host %q", text, p.Host)
			}
			if a, err := netip.ParseAddr(p.Host); err == nil && !a.Is4() {
				t.Errorf("%q gave address %v", text, a)
			}
		}
	})
}

// A middleware that is no DDS is named, with what to do.
func TestMiddleware(t *testing.T) {
	for rmw, warns := range map[string]bool{
		"": false, "rmw_fastrtps_cpp": false, "rmw_fastrtps_dynamic_cpp": false, "rmw_cyclonedds_cpp": false, "rmw_connextdds": false, "rmw_connext_cpp": false, "rmw_gurumdds_cpp": false,
		"rmw_zenoh_cpp": true, " rmw_zenoh_cpp ": true, "rmw_email_cpp": true,
	} {
		w := ros2.CheckMiddleware(func(key string) (string, bool) { return rmw, key == "RMW_IMPLEMENTATION" })
		if (w != "") != warns || warns && !(strings.Contains(w, strings.TrimSpace(rmw)) && strings.Contains(w, "speaks DDS") && strings.Contains(w, "RMW_IMPLEMENTATION=rmw_fastrtps_cpp")) {
			t.Errorf("%q: %q", rmw, w)
		}
	}
}

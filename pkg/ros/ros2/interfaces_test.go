package ros2_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

const (
	cycloneNew = `<CycloneDDS xmlns="https://cdds.io/config"><Domain id="any"><General><Interfaces>
<NetworkInterface name="eth1" priority="default"/><NetworkInterface autodetermine="true"/></Interfaces></General></Domain></CycloneDDS>`
	cycloneOld  = `<CycloneDDS><Domain><General><NetworkInterfaceAddress>10.0.0.5, eth2</NetworkInterfaceAddress></General></Domain></CycloneDDS>`
	cycloneAuto = `<CycloneDDS><Domain><General><NetworkInterfaceAddress>auto</NetworkInterfaceAddress></General></Domain></CycloneDDS>`
	fastOld     = `<?xml version="1.0"?><dds><profiles xmlns="http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles"><transport_descriptors>
<transport_descriptor><transport_id>a</transport_id><type>UDPv4</type><interfaceWhiteList><address>10.0.0.6</address><interface>wlan0</interface></interfaceWhiteList></transport_descriptor>
<transport_descriptor><transport_id>b</transport_id><type>SHM</type></transport_descriptor></transport_descriptors></profiles></dds>`
	fastNew = `<dds><profiles><transport_descriptors><transport_descriptor><interfaces><allowlist><interface name="wlan1" netmask_filter="ON"/></allowlist></interfaces></transport_descriptor></transport_descriptors></profiles></dds>`
	fastTwo = `<profiles><transport_descriptor><interfaceWhiteList><address>10.0.0.6</address></interfaceWhiteList></transport_descriptor>
<transport_descriptor><interfaceWhiteList><address>10.0.0.7</address></interfaceWhiteList></transport_descriptor></profiles>`
)

// The flag chooses, then the settings of the DDS implementation that ROS 2 uses.
// What is not understood is logged and chooses nothing, and nothing widens the range.
func TestChooseInterfaces(t *testing.T) {
	files := map[string]string{"/c.xml": cycloneOld, "/f.xml": fastOld, "/new.xml": fastNew, "/two.xml": fastTwo, "/bad.xml": "<a", "/deep.xml": strings.Repeat("<a>", 100)}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, errors.New(name + " is not there")
	}
	peers := []ros2.Peer{{"10.0.0.1", 0}}
	for _, c := range []struct {
		d      ros2.Discovery
		given  []string
		env    map[string]string
		want   string
		by     string
		remark string // or error
	}{
		{ros2.Discovery{Range: rtps.Subnet}, nil, nil, "", "", ""},
		{ros2.Discovery{Range: rtps.Subnet}, []string{"eth0", "10.0.0.5"}, map[string]string{"CYCLONEDDS_URI": cycloneNew}, "eth0 10.0.0.5", "--interface", ""},
		{ros2.Discovery{}, []string{"eth0"}, nil, "", "", "--interface has no effect: domain 0, this host only"},
		{ros2.Discovery{Peers: peers}, []string{"eth0"}, nil, "eth0", "--interface", ""},
		{ros2.Discovery{Range: rtps.Subnet}, []string{"eth/0"}, nil, "", "", "neither the name"},
		{ros2.Discovery{Range: rtps.Subnet}, []string{""}, nil, "", "", "neither the name"},
		{ros2.Discovery{Range: rtps.Subnet}, []string{"::1"}, nil, "", "", `--interface: "::1" is an IPv6 address; only IPv4 is supported`},
		{ros2.Discovery{}, []string{"[::1]"}, nil, "", "", `--interface: "[::1]" is an IPv6 address; only IPv4 is supported`},
		{ros2.Discovery{Range: rtps.Subnet}, []string{"fe80::1%eth0"}, nil, "", "", `"fe80::1%eth0" is an IPv6 address`},
		{ros2.Discovery{Range: rtps.Subnet}, []string{"300.1.1.1"}, nil, "", "", `--interface: "300.1.1.1" is no IPv4 address; allowed are four numbers from 0 to 255`},
		{ros2.Discovery{Range: rtps.Subnet}, []string{"[10.0.0.5]"}, nil, "", "", "neither the name"},
		{ros2.Discovery{Range: rtps.Subnet}, []string{"eth0.100", "192.168.100.200"}, nil, "eth0.100 192.168.100.200", "--interface", ""},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"CYCLONEDDS_URI": `<a><NetworkInterface address="1.2.3"/></a>`}, "", "", `CYCLONEDDS_URI chooses no network interface here: "1.2.3" is no IPv4 address`},
		{ros2.Discovery{}, nil, map[string]string{"CYCLONEDDS_URI": cycloneNew}, "", "", ""},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"CYCLONEDDS_URI": cycloneNew}, "eth1", "CYCLONEDDS_URI", ""},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"CYCLONEDDS_URI": "file:///c.xml"}, "10.0.0.5 eth2", "CYCLONEDDS_URI", ""},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"CYCLONEDDS_URI": cycloneAuto}, "", "", ""},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"CYCLONEDDS_URI": "/none.xml"}, "", "", "CYCLONEDDS_URI chooses no network interface here: /none.xml is not there"},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"CYCLONEDDS_URI": "/bad.xml"}, "", "", "XML syntax error"},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"CYCLONEDDS_URI": "/deep.xml"}, "", "", "more than 64 deep"},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"FASTRTPS_DEFAULT_PROFILES_FILE": "/f.xml"}, "10.0.0.6 wlan0", "FASTRTPS_DEFAULT_PROFILES_FILE", ""},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"FASTDDS_DEFAULT_PROFILES_FILE": "/new.xml", "CYCLONEDDS_URI": cycloneNew}, "wlan1", "FASTDDS_DEFAULT_PROFILES_FILE", ""},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"FASTDDS_DEFAULT_PROFILES_FILE": "/new.xml", "CYCLONEDDS_URI": cycloneNew, "RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp"}, "eth1", "CYCLONEDDS_URI", ""},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"CYCLONEDDS_URI": cycloneNew, "RMW_IMPLEMENTATION": "rmw_fastrtps_cpp"}, "", "", ""},
		{ros2.Discovery{Range: rtps.Subnet}, nil, map[string]string{"FASTDDS_DEFAULT_PROFILES_FILE": "/two.xml"}, "", "", "have different lists of interfaces"},
	} {
		d := c.d
		remarks, err := d.ChooseInterfaces(c.given, func(key string) (string, bool) { v, ok := c.env[key]; return v, ok }, read)
		if err != nil {
			remarks = append(remarks, err.Error())
		}
		if got := strings.Join(d.Interfaces, " "); got != c.want || d.ChosenBy != c.by || d.Range != c.d.Range {
			t.Errorf("%v %v: chose %q by %q, want %q by %q", c.given, c.env, got, d.ChosenBy, c.want, c.by)
		}
		if len(remarks) > 1 || (len(remarks) == 1) != (c.remark != "") || !strings.Contains(strings.Join(remarks, ""), c.remark) {
			t.Errorf("%v %v: remarks %q, want one with %q", c.given, c.env, remarks, c.remark)
		}
	}
}

// TestInterfaceElsewhere: without ROS 2 the flag is checked all the same, and told to have no
// effect.
func TestInterfaceElsewhere(t *testing.T) {
	for _, c := range []struct {
		given        []string
		remark, fail string
	}{
		{nil, "", ""},
		{[]string{"lo", "eth0"}, "--interface lo, eth0 has no effect with --ros ros1: it chooses network interfaces of ROS 2 alone; ROS 1 has ROS_IP", ""},
		{[]string{"::1"}, "", `--interface: "::1" is an IPv6 address; only IPv4 is supported`},
	} {
		remark, err := ros2.CheckNoInterfaces(c.given, "ros1")
		if remark != c.remark || (err != nil) != (c.fail != "") || err != nil && err.Error() != c.fail {
			t.Errorf("%v: %q, %v, want %q, %q", c.given, remark, err, c.remark, c.fail)
		}
	}
}

// TestLoopbackChosen: loopback alone gives a warning that no other host sees the node.
func TestLoopbackChosen(t *testing.T) {
	for _, c := range []struct {
		d      ros2.Discovery
		warned bool
	}{
		{ros2.Discovery{Range: rtps.Subnet, Interfaces: []string{"lo"}}, true},
		{ros2.Discovery{Range: rtps.Subnet, Interfaces: []string{"127.0.0.1", "lo"}}, true},
		{ros2.Discovery{Peers: []ros2.Peer{{"10.0.0.1", 0}}, Interfaces: []string{"lo"}}, true},
		{ros2.Discovery{Range: rtps.Subnet, Interfaces: []string{"lo", "10.213.0.1"}}, false},
		{ros2.Discovery{Range: rtps.Subnet}, false},
		{ros2.Discovery{Interfaces: []string{"lo"}}, false},
		{ros2.Discovery{Range: rtps.Off, Interfaces: []string{"lo"}}, false},
	} {
		core, logs := observer.New(zapcore.WarnLevel)
		c.d.ChosenBy = "CYCLONEDDS_URI"
		ros2.WarnOfInterfaces(c.d, zap.New(core))
		warnings := logs.FilterMessageSnippet("chosen network interface is loopback: no other host sees this node").All()
		if (len(warnings) == 1) != c.warned || c.warned && warnings[0].ContextMap()["chosen by"] != "CYCLONEDDS_URI" {
			t.Errorf("%+v: told %v", c.d, warnings)
		}
	}
}

// FuzzProfiles: whatever stands in the settings of others, the lists stay bounded.
func FuzzProfiles(f *testing.F) {
	for _, s := range []string{cycloneNew, cycloneOld, cycloneAuto, fastOld, fastNew, fastTwo, "<a", "<a></b>", "</a>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, env := range []string{ros2.CycloneVariable, ros2.FastVariables[0]} {
			d := ros2.Discovery{Range: rtps.Subnet}
			_, err := d.ChooseInterfaces(nil, func(key string) (string, bool) { return "/x", key == env }, func(string) ([]byte, error) { return []byte(text), nil })
			if err != nil || len(d.Interfaces) > ros2.MaxInterfaces || slices.ContainsFunc(d.Interfaces, func(name string) bool { return ros2.CheckInterface(name) != nil }) {
				t.Errorf("%s: %v, %v", env, d.Interfaces, err)
			}
		}
	})
}

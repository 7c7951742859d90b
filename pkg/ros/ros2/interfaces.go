package ros2

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"

	"sinew/pkg/ros/rtps"
)

// Names of environment variables, and of the flag, that choose network interfaces.
const (
	InterfaceFlag   = "--interface"
	cycloneVariable = "CYCLONEDDS_URI"
	rmwVariable     = "RMW_IMPLEMENTATION"
)

// fastVariables name the profile file of Fast DDS, the newer one first.
var fastVariables = [...]string{"FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE"}

// Bounds on the settings of other DDS implementations.
const (
	maxInterfaces = 32
	maxXMLDepth   = 64
)

// CheckNoInterfaces checks --interface if no ROS 2 network is served. The remark says that the flag
// has no effect.
func CheckNoInterfaces(given []string, networks string) (remark string, err error) {
	for _, name := range given {
		if err := checkInterface(name); err != nil {
			return "", fmt.Errorf("%s: %w", InterfaceFlag, err)
		}
	}
	if len(given) == 0 {
		return "", nil
	}
	return fmt.Sprintf("%s %s has no effect with --ros %s: it chooses network interfaces of ROS 2 alone; ROS 1 has ROS_IP",
		InterfaceFlag, strings.Join(given, ", "), networks), nil
}

// ChooseInterfaces sets Interfaces: to those given by the flag or, without any, to those in the
// settings of Cyclone DDS or Fast DDS. lookup is like os.LookupEnv, read like os.ReadFile with a
// bound. RMW_IMPLEMENTATION selects the settings; without it those of Fast DDS come before those of
// Cyclone DDS. Other settings are ignored. The remarks list what cannot be used. The choice never
// widens the range.
func (d *Discovery) ChooseInterfaces(given []string, lookup func(string) (string, bool), read func(string) ([]byte, error)) (remarks []string, err error) {
	for _, name := range given {
		if err := checkInterface(name); err != nil {
			return nil, fmt.Errorf("%s: %w", InterfaceFlag, err)
		}
	}
	local := d.Range == rtps.Off || d.Range == rtps.Host && len(d.Peers) == 0
	switch {
	case len(given) > maxInterfaces:
		return nil, fmt.Errorf("%s: %d are given, at most %d are allowed", InterfaceFlag, len(given), maxInterfaces)
	case len(given) > 0 && local:
		return []string{fmt.Sprintf("%s has no effect: %s", InterfaceFlag, d)}, nil
	case len(given) > 0:
		d.Interfaces, d.ChosenBy = given, InterfaceFlag
		return nil, nil
	case local:
		return nil, nil
	}
	value := func(key string) string { v, _ := lookup(key); return strings.TrimSpace(v) }
	rmw := value(rmwVariable)
	try := func(variable string, choose func(string) ([]string, error)) {
		text := value(variable)
		if text == "" || len(d.Interfaces) > 0 {
			return
		}
		list, err := choose(text)
		for _, name := range list {
			err = errors.Join(err, checkInterface(name))
		}
		if err != nil {
			remarks = append(remarks, fmt.Sprintf("%s chooses no network interface here: %v", variable, err))
		} else if len(list) > 0 {
			d.Interfaces, d.ChosenBy = list, variable
		}
	}
	if !strings.HasPrefix(rmw, "rmw_cyclonedds") {
		for _, variable := range fastVariables {
			try(variable, func(file string) ([]string, error) { return readFast(file, read) })
		}
	}
	if !strings.HasPrefix(rmw, "rmw_fastrtps") {
		try(cycloneVariable, func(uri string) ([]string, error) { return readCyclone(uri, read) })
	}
	return remarks, nil
}

// checkInterface returns an error if name is neither the name of an interface nor an IPv4 address.
func checkInterface(name string) error {
	check := func() error {
		if a, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
			return checkPeer(a)
		}
		return checkNumeric(name)
	}
	if err := check(); err != nil {
		return fmt.Errorf("%.40q %w", name, err)
	}
	const most = 15 // bytes, of Linux
	if name == "" || len(name) > most || strings.ContainsAny(name, "/ \t\n*?,;:[]") {
		return fmt.Errorf("%.40q is neither the name of a network interface nor an IPv4 address", name)
	}
	return nil
}

// readCyclone finds the interfaces in CYCLONEDDS_URI: XML, or files with XML, separated by commas.
func readCyclone(uri string, read func(string) ([]byte, error)) (list []string, err error) {
	parts := []string{uri}
	if !strings.HasPrefix(uri, "<") {
		parts = strings.Split(uri, ",")
	}
	for _, part := range parts {
		text := []byte(part)
		if !strings.HasPrefix(part, "<") {
			if text, err = read(strings.TrimPrefix(part, "file://")); err != nil {
				return nil, err
			}
		}
		found, err := parseCyclone(text)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return unique(list)
}

// parseCyclone returns name or address of each NetworkInterface, and the NetworkInterfaceAddress of
// older releases. "auto" chooses nothing.
func parseCyclone(text []byte) (list []string, err error) {
	err = walkXML(text, func(path []string, e xml.StartElement) {
		if strings.EqualFold(path[len(path)-1], "NetworkInterface") {
			var name, address string
			for _, a := range e.Attr {
				switch strings.ToLower(a.Name.Local) {
				case "name":
					name = a.Value
				case "address":
					address = a.Value
				}
			}
			if address == "" {
				address = name
			}
			if address != "" {
				list = append(list, strings.TrimSpace(address))
			}
		}
	}, func(path []string, text string) {
		if strings.EqualFold(path[len(path)-1], "NetworkInterfaceAddress") && !strings.EqualFold(text, "auto") {
			for name := range strings.SplitSeq(text, ",") {
				list = append(list, strings.TrimSpace(name))
			}
		}
	})
	return list, err
}

// readFast finds the interfaces in a profile file of Fast DDS.
func readFast(file string, read func(string) ([]byte, error)) ([]string, error) {
	text, err := read(strings.TrimPrefix(file, "file://"))
	if err != nil {
		return nil, err
	}
	return parseFast(text)
}

// parseFast returns the interfaceWhiteList of the transport descriptors, and the allowlist of newer
// releases. If descriptors differ it chooses nothing.
func parseFast(text []byte) (chosen []string, err error) {
	var lists [][]string
	add := func(name string) {
		if len(lists) > 0 {
			lists[len(lists)-1] = append(lists[len(lists)-1], name)
		}
	}
	err = walkXML(text, func(path []string, e xml.StartElement) {
		switch n := len(path); {
		case path[n-1] == "transport_descriptor":
			lists = append(lists, nil)
		case n > 1 && path[n-2] == "allowlist" && path[n-1] == "interface":
			for _, a := range e.Attr {
				if a.Name.Local == "name" {
					add(strings.TrimSpace(a.Value))
				}
			}
		}
	}, func(path []string, text string) {
		if n := len(path); n > 1 && path[n-2] == "interfaceWhiteList" {
			add(text)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		switch {
		case len(l) == 0:
		case chosen == nil:
			chosen = l
		case !slices.Equal(chosen, l):
			return nil, errors.New("its transport descriptors have different lists of interfaces")
		}
	}
	return unique(chosen)
}

// walkXML calls element for each start of an element, and content for the text in an element, with
// the names of the enclosing elements.
func walkXML(text []byte, element func(path []string, e xml.StartElement), content func(path []string, text string)) error {
	decoder := xml.NewDecoder(strings.NewReader(string(text)))
	var path []string
	for {
		t, err := decoder.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if path = append(path, t.Name.Local); len(path) > maxXMLDepth {
				return fmt.Errorf("elements are nested more than %d deep", maxXMLDepth)
			}
			element(path, t)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if s := strings.TrimSpace(string(t)); s != "" && len(path) > 0 {
				content(path, s)
			}
		}
	}
}

// unique removes repetitions and bounds the length of the list.
func unique(list []string) (out []string, err error) {
	for _, name := range list {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
		if len(out) > maxInterfaces {
			return nil, fmt.Errorf("more than %d network interfaces", maxInterfaces)
		}
	}
	return out, nil
}

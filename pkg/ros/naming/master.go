package naming

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// masterPort is the port of a ROS 1 master unless ROS_MASTER_URI has another.
const masterPort = 11311

// Master is the address of a ROS 1 master.
type Master struct {
	Host string
	Port int
}

// URI returns the address in the form of ROS_MASTER_URI: "http://localhost:11311/".
func (m Master) URI() string { return "http://" + m.Address() + "/" }

// Address returns host and port: "localhost:11311".
func (m Master) Address() string { return net.JoinHostPort(m.Host, strconv.Itoa(m.Port)) }

// parseMaster parses a master's URI; empty means the master of this machine.
func parseMaster(uri string) (Master, error) {
	if uri == "" {
		return Master{"localhost", masterPort}, nil
	}
	wrong := func(why string) (Master, error) {
		return Master{}, fmt.Errorf("%q %s; it should look like http://localhost:11311", uri, why)
	}
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return wrong("is no URI")
	case u.Scheme != "http":
		return wrong("does not begin with http://")
	case u.Hostname() == "":
		return wrong("has no host")
	case u.User != nil, u.RawQuery != "", u.Fragment != "", u.Path != "" && u.Path != "/":
		return wrong("has more than host and port")
	}
	if err := checkHost(u.Hostname()); err != nil {
		return wrong("has a bad host: " + err.Error())
	}
	m := Master{u.Hostname(), masterPort}
	if p := u.Port(); p != "" {
		if m.Port, err = strconv.Atoi(p); err != nil || m.Port < 1 || m.Port > 65535 {
			return wrong("has a port outside 1…65535")
		}
	}
	return m, nil
}

// firstHost returns the host to advertise, and the setting that gives it.
func firstHost(args Args, env func(string) string) (what, host string) {
	for _, c := range [...]struct{ what, host string }{
		{"__hostname", args.Hostname},
		{"__ip", args.IP},
		{"ROS_HOSTNAME", env("ROS_HOSTNAME")},
		{"ROS_IP", env("ROS_IP")},
	} {
		if c.host != "" {
			return c.what, c.host
		}
	}
	return "", ""
}

// checkHost returns an error for an invalid host name or address.
func checkHost(host string) error {
	if len(host) > maxName {
		return fmt.Errorf("host is longer than %d bytes", maxName)
	}
	if strings.Contains(host, "://") {
		return fmt.Errorf("%q is a URI; give the host name or address alone", host)
	}
	if ip := net.ParseIP(host); ip != nil {
		if ip.IsUnspecified() {
			return errors.New("the address must be one that other machines can reach, not " + host)
		}
		return nil
	}
	if strings.Contains(host, ".") && strings.Trim(host, "0123456789.") == "" {
		return fmt.Errorf("host %q is no IPv4 address; allowed are four numbers from 0 to 255, as in 10.0.0.5, or a name", host)
	}
	for i, c := range host {
		if !isWordCharacter(c) && c != '-' && c != '.' {
			return fmt.Errorf("host %q contains %q at byte %d; give a host name or an address, without port", host, c, i)
		}
	}
	return nil
}

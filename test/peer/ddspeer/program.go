package ddspeer

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Program is a program on a DDS implementation, and how to make it.
type Program struct {
	Name string

	packages string // Debian packages that it needs
	needs    []string
	sources  []string   // files in test/peer/dds
	build    [][]string // commands; SRC is the directory of the sources, CACHE that of what is built
}

const (
	cyclonePackages = "cyclonedds-tools, cyclonedds-dev, gcc"
	cycloneHeader   = "/usr/include/dds/dds.h"
	fastPackages    = "libfastrtps-dev, libfastcdr-dev, g++"
	fastHeader      = "/usr/include/fastdds/dds/domain/DomainParticipant.hpp"
)

// The programs. Cyclone and FastDDS exchange numbers, Jazzy and Humble ROS 2
// messages: they differ in the size of identifiers in ros_discovery_info and in
// whether they announce type hashes.
var (
	Cyclone = Program{
		Name: "peer", packages: cyclonePackages, needs: []string{"idlc", "cc", cycloneHeader},
		sources: []string{"numbers.idl", "peer.c"},
		build: [][]string{
			{"idlc", "-x", "final", "SRC/numbers.idl"},
			{"cc", "-O1", "-I.", "SRC/peer.c", "numbers.c", "-lddsc", "-o", "peer"},
		},
	}
	FastDDS = Program{
		Name: "fast_peer", packages: fastPackages, needs: []string{"c++", fastHeader},
		sources: []string{"fast_peer.cpp"},
		build:   [][]string{{"c++", "-std=c++17", "-O1", "SRC/fast_peer.cpp", "-lfastrtps", "-lfastcdr", "-o", "fast_peer"}},
	}
	// Services has services and clients of ROS 2 as on Cyclone DDS.
	Services = Program{
		Name: "service_peer", packages: cyclonePackages, needs: []string{"idlc", "cc", cycloneHeader},
		sources: []string{"services.idl", "service_peer.c"},
		build: [][]string{
			{"idlc", "-x", "final", "SRC/services.idl"},
			{"cc", "-O1", "-I.", "SRC/service_peer.c", "services.c", "-lddsc", "-o", "service_peer"},
		},
	}
	// Parameters has clients of parameters as on Cyclone DDS.
	Parameters = Program{
		Name: "parameter_peer", packages: cyclonePackages, needs: []string{"idlc", "cc", cycloneHeader},
		sources: []string{"parameters.idl", "parameter_peer.c"},
		build: [][]string{
			{"idlc", "-x", "final", "SRC/parameters.idl"},
			{"cc", "-O1", "-I.", "SRC/parameter_peer.c", "parameters.c", "-lddsc", "-o", "parameter_peer"},
		},
	}
	// FastServices has clients of services as on Fast DDS, and reads the log.
	FastServices = Program{
		Name: "fast_services", packages: fastPackages, needs: []string{"c++", fastHeader},
		sources: []string{"fast_services.cpp"},
		build:   [][]string{{"c++", "-std=c++17", "-O1", "SRC/fast_services.cpp", "-lfastrtps", "-lfastcdr", "-o", "fast_services"}},
	}
	// Rust has clients and servers of services on RustDDS, in the three mappings that
	// there are, and RustParameters clients of parameters.
	Rust           = rustProgram("ros2_client_peer")
	RustParameters = rustProgram("ros2_parameters")
	Jazzy          = rosProgram("jazzy_peer", 16)
	Humble         = rosProgram("humble_peer", 24)

	// All are all of them.
	All = []Program{Cyclone, FastDDS, Services, Parameters, FastServices, Rust, RustParameters, Jazzy, Humble}
)

// rustProgram is a program of test/peer/dds/ros2_client. What cargo makes of other people's
// crates stays in CACHE for the next build, which has one at a time.
func rustProgram(name string) Program {
	return Program{
		Name: name, packages: "rustup, for cargo 1.88 or later", needs: []string{"cargo", "cc", "flock"},
		sources: []string{
			"ros2_client/Cargo.toml", "ros2_client/Cargo.lock",
			"ros2_client/src/main.rs", "ros2_client/src/parameters.rs", "ros2_client/src/shared.rs",
		},
		build: [][]string{{
			"flock", "CACHE/cargo.lock", "sh", "-c",
			"cargo build --quiet --locked --release --manifest-path SRC/ros2_client/Cargo.toml --target-dir CACHE/cargo && cp CACHE/cargo/release/" + name + " .",
		}},
	}
}

func rosProgram(name string, gid int) Program {
	size := fmt.Sprint("GID=", gid)
	return Program{
		Name: name, packages: cyclonePackages, needs: []string{"idlc", "cc", cycloneHeader},
		sources: []string{"ros.idl", "ros_peer.c"},
		build: [][]string{
			{"idlc", "-x", "final", "-D", size, "SRC/ros.idl"},
			{"cc", "-O1", "-D" + size, "-I.", "SRC/ros_peer.c", "ros.c", "-lddsc", "-lm", "-o", name},
		},
	}
}

// Configurations of Cyclone for CYCLONEDDS_URI, which others ignore: on the
// loopback interface, with multicast or with the well-known ports alone, as ROS 2
// configures it for LOCALHOST.
const (
	Multicast = `<CycloneDDS><Domain><General><AllowMulticast>true</AllowMulticast><Interfaces><NetworkInterface name="lo" multicast="true"/></Interfaces></General></Domain></CycloneDDS>`
	Unicast   = `<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast><Interfaces><NetworkInterface name="lo"/></Interfaces></General>` +
		`<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address="localhost"/></Peers></Discovery></Domain></CycloneDDS>`
)

// building lets one test at a time build.
var building sync.Mutex

// Path builds the program, unless a run of the tests has built it from the same
// sources before, and returns where it is.
func (p Program) Path(t *testing.T) string {
	t.Helper()
	for _, n := range p.needs {
		_, err := os.Stat(n)
		if !filepath.IsAbs(n) {
			_, err = exec.LookPath(n)
		}
		if err != nil {
			t.Skipf("%s is not installed (Debian: %s)", n, p.packages)
		}
	}
	building.Lock()
	defer building.Unlock()
	path, err := p.make()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// make builds in a directory of its own and then gives it its name, so that
// no process finds half a program.
func (p Program) make() (path string, err error) {
	_, file, _, _ := runtime.Caller(0)
	source := filepath.Join(filepath.Dir(file), "../dds")
	hash, err := p.hash(source)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "sinew-test", fmt.Sprintf("%s-%x", p.Name, hash[:8]))
	path = filepath.Join(dir, p.Name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "build")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	places := strings.NewReplacer("SRC", source, "CACHE", filepath.Dir(dir))
	for _, command := range p.build {
		args := make([]string, len(command))
		for i, a := range command {
			args[i] = places.Replace(a)
		}
		c := exec.Command(args[0], args[1:]...)
		c.Dir = work
		if out, err := c.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	if err := os.Rename(work, dir); err != nil && !os.IsExist(err) {
		if _, other := os.Stat(path); other != nil { // no other process was faster
			return "", err
		}
	}
	return path, nil
}

// hash identifies what the program is made of.
func (p Program) hash(source string) ([]byte, error) {
	h := sha256.New()
	fmt.Fprint(h, p.build)
	for _, name := range p.sources {
		b, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return nil, err
		}
		h.Write(b)
	}
	return h.Sum(nil), nil
}

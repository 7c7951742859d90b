package naming

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Parameters that ROS 2 declares for every node, so that launch files set them for all.
const (
	simTimeParam         = "use_sim_time"
	qosParams            = "qos_overrides"
	typeDescriptionParam = "start_type_description_service"
)

// takeNodeParams moves the parameters of every node from Params to SimTime, WallTime,
// NoTypeDescription and Idle. The last value of each counts.
func (a *Args) takeNodeParams() error {
	var rest []Param
	var errs mistakes
	var qos string // source of what has no effect
	for _, p := range a.Params {
		name := strings.Trim(p.Name, "/~")
		switch {
		case name == simTimeParam:
			on, err := p.boolean()
			errs.add(p.Source, err)
			a.SimTime, a.WallTime = sourceIf(on, p), sourceIf(!on, p)
		case name == typeDescriptionParam:
			on, err := p.boolean()
			errs.add(p.Source, err)
			a.NoTypeDescription = !on && err == nil
		case strings.HasPrefix(name+".", qosParams+".") || strings.HasPrefix(name, qosParams+"/"):
			if qos == "" {
				qos = p.Source
			}
		default:
			rest = append(rest, p)
		}
	}
	a.Params = rest
	if qos != "" {
		a.Idle = append(a.Idle, qos+": "+qosParams+" has no effect: the quality of service of the topics is fixed")
	}
	return errs.err()
}

// boolean returns the value of a parameter that is true or false, in the syntax of YAML 1.1.
func (p Param) boolean() (on bool, err error) {
	if yaml.Unmarshal([]byte(p.Value), &on) != nil || strings.TrimSpace(p.Value) == "" {
		var text string
		if yaml.Unmarshal([]byte(p.Value), &text) == nil && yaml.Unmarshal([]byte(text), &on) == nil && strings.TrimSpace(text) != "" {
			return false, fmt.Errorf("%s: %.40s is a text because of its quotes; allowed: true, false, without them", p.Name, p.Value)
		}
		return false, fmt.Errorf("%s: %.40q is no truth value; allowed: true, false", p.Name, p.Value)
	}
	return on, nil
}

func sourceIf(on bool, p Param) string {
	if on {
		return p.Source
	}
	return ""
}

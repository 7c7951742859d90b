package parameter

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
)

// maxNames bounds the names in one request; a node has a few hundred.
const maxNames = 4096

// serviceCaller names the source of requests by services; the network does not identify it.
const serviceCaller = "ROS 2"

// service is one of the services that every node of ROS 2 has.
type service struct {
	name   string
	kind   *msgs.Service
	handle func(t *Table, request msgs.Message) msgs.Message
}

var services = []service{
	{"~describe_parameters", rcl_interfaces.DescribeParameters, (*Table).describe},
	{"~get_parameter_types", rcl_interfaces.GetParameterTypes, (*Table).types},
	{"~get_parameters", rcl_interfaces.GetParameters, (*Table).values},
	{"~list_parameters", rcl_interfaces.ListParameters, (*Table).names},
	{"~set_parameters", rcl_interfaces.SetParameters, (*Table).setEach},
	{"~set_parameters_atomically", rcl_interfaces.SetParametersAtomically, (*Table).setTogether},
}

// Serve offers the services of ROS 2 on the transports that have them.
func Serve(t *Table, names *naming.Names, transports []ros.Transport) error {
	for _, s := range services {
		name, err := names.Resolve(s.name)
		if err != nil {
			return err
		}
		handle := ros.Deferred(func(m msgs.Message) msgs.Message { return s.handle(t, m) })
		for _, on := range transports {
			if err := ros.OpenService(on, name, s.kind, handle); err != nil && !errors.Is(err, ros.ErrUnknownType) {
				return err
			}
		}
	}
	return nil
}

// each calls f with the parameter of each name, in order; an unknown one has no value.
func (t *Table) each(names []string, f func(p *Parameter)) {
	for _, name := range names[:min(len(names), maxNames)] {
		p, found := t.Get(name)
		if !found {
			p = Parameter{Name: name}
		}
		f(&p)
	}
}

func (t *Table) describe(m msgs.Message) msgs.Message {
	r := &rcl_interfaces.DescribeParametersResponse{}
	t.each(m.(*rcl_interfaces.DescribeParametersRequest).Names, func(p *Parameter) {
		r.Descriptors = append(r.Descriptors, descriptor(p))
	})
	return r
}

func (t *Table) types(m msgs.Message) msgs.Message {
	r := &rcl_interfaces.GetParameterTypesResponse{}
	t.each(m.(*rcl_interfaces.GetParameterTypesRequest).Names, func(p *Parameter) {
		r.Types = append(r.Types, message(p.Value).Kind)
	})
	return r
}

func (t *Table) values(m msgs.Message) msgs.Message {
	r := &rcl_interfaces.GetParametersResponse{}
	t.each(m.(*rcl_interfaces.GetParametersRequest).Names, func(p *Parameter) {
		r.Values = append(r.Values, message(p.Value))
	})
	return r
}

// names lists as rclcpp does: below the prefixes, or everything if there is no prefix, names with
// fewer dots than the depth after the prefix, and the part before the last dot of each.
func (t *Table) names(m msgs.Message) msgs.Message {
	request := m.(*rcl_interfaces.ListParametersRequest)
	prefixes := request.Prefixes[:min(len(request.Prefixes), maxNames)]
	near := func(rest string) bool {
		return request.Depth == rcl_interfaces.ListParametersRequestDepthRecursive || uint64(strings.Count(rest, ".")) < request.Depth
	}
	r := &rcl_interfaces.ListParametersResponse{}
	for _, p := range t.All() {
		below := len(prefixes) == 0 && near(p.Name) || slices.ContainsFunc(prefixes, func(prefix string) bool {
			rest, found := strings.CutPrefix(p.Name, prefix+".")
			return p.Name == prefix || found && near(rest)
		})
		if !below {
			continue
		}
		r.Result.Names = append(r.Result.Names, p.Name)
		if dot := strings.LastIndexByte(p.Name, '.'); dot >= 0 && !slices.Contains(r.Result.Prefixes, p.Name[:dot]) {
			r.Result.Prefixes = append(r.Result.Prefixes, p.Name[:dot])
		}
	}
	return r
}

// setEach sets one parameter after the other, each independently.
func (t *Table) setEach(m msgs.Message) msgs.Message {
	r := &rcl_interfaces.SetParametersResponse{}
	for i := range m.(*rcl_interfaces.SetParametersRequest).Parameters {
		list := m.(*rcl_interfaces.SetParametersRequest).Parameters[i : i+1]
		if i >= maxNames {
			r.Results = append(r.Results, result(fmt.Errorf("more than %d parameters in one request", maxNames)))
			continue
		}
		r.Results = append(r.Results, result(t.Set(assignments(list), serviceCaller)))
	}
	return r
}

// setTogether sets all or none.
func (t *Table) setTogether(m msgs.Message) msgs.Message {
	list := m.(*rcl_interfaces.SetParametersAtomicallyRequest).Parameters
	err := fmt.Errorf("%d parameters in one request, more than %d", len(list), maxNames)
	if len(list) <= maxNames {
		err = t.Set(assignments(list), serviceCaller)
	}
	return &rcl_interfaces.SetParametersAtomicallyResponse{Result: result(err)}
}

func assignments(list []rcl_interfaces.Parameter) []Assignment {
	values := make([]Assignment, len(list))
	for i := range list {
		values[i] = Assignment{list[i].Name, value(&list[i].Value)}
	}
	return values
}

func result(err error) rcl_interfaces.SetParametersResult {
	if err != nil {
		return rcl_interfaces.SetParametersResult{Reason: err.Error()}
	}
	return rcl_interfaces.SetParametersResult{Successful: true}
}

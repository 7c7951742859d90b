package trajectoryfile

import (
	"path"
	"slices"

	"sinew/pkg/ros/record"
)

// links are the poses of the links of a mechanism: the topics NODE/LINK/measured_cp of a simulator that has no pose of its own. Of
// the hardware they are those of a simulation that stands in for it.
func (c *topicChoice) links() (all []*record.Topic) {
	if c.Role == Measured && !c.standsIn() {
		return nil
	}
	for i := range c.list {
		t := &c.list[i]
		parent := path.Dir(path.Dir(t.InNode()))
		if path.Base(t.InNode()) == poseName && c.isPose(t) && !isHardware(t) && slices.Contains(c.simulators, parent) {
			all = append(all, t)
		}
	}
	return all
}

// linkOf is the name of the link that a topic is of.
func linkOf(t *record.Topic) string { return path.Base(path.Dir(t.InNode())) }

// chooseLink returns the link that is asked for by its name or its topic, or without one the last rod or else the last body; nil if
// there is none.
func (c *topicChoice) chooseLink(links []*record.Topic, asked string) *record.Topic {
	if asked == "" {
		for _, t := range slices.Backward(links) {
			shape := path.Dir(t.InNode()) + "/" + shapeName
			if slices.ContainsFunc(c.list, func(o record.Topic) bool { return o.InNode() == shape }) {
				return t
			}
		}
		if len(links) > 0 {
			return links[len(links)-1]
		}
	}
	i := slices.IndexFunc(links, func(t *record.Topic) bool { return asked == linkOf(t) || asked == t.Name || asked == t.Original })
	if i < 0 {
		return nil
	}
	return links[i]
}

// topicsOfLinks are the topics of a mechanism, of whose links one is chosen.
func (c *topicChoice) topicsOfLinks(links []*record.Topic, chosen *record.Topic) trajectoryTopics {
	of := path.Dir(chosen.InNode())
	t := trajectoryTopics{
		pose: chosen.Name, links: map[string]string{}, origin: c.origin(chosen, ""),
		shape: c.named(of + "/" + shapeName), tendons: c.named(path.Dir(of) + "/" + tendonName), markers: c.named(path.Dir(of) + "/" + markerName),
	}
	for _, l := range links {
		if path.Dir(path.Dir(l.InNode())) == path.Dir(of) {
			t.links[l.Name] = linkOf(l)
		}
	}
	return t
}

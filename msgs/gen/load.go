package main

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// load reads all field lists below root and resolves what they refer to.
func load(root fs.FS) (*Catalog, error) {
	c := &Catalog{}
	// fs.Glob sorts, so the order of the catalog does not depend on the disk.
	files, err := fs.Glob(root, "*/*/*.*")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := c.loadFile(root, file); err != nil {
			return nil, err
		}
	}
	return c, c.resolve()
}

func (c *Catalog) loadFile(root fs.FS, file string) error {
	source := file[strings.Index(file, "/")+1:]
	pkg := strings.TrimSuffix(file, "/"+source)
	name, ext := strings.TrimSuffix(path.Base(file), path.Ext(file)), path.Ext(file)
	if kind := path.Dir(source); "."+kind != ext || kind != "msg" && kind != "srv" {
		return nil
	}
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return err
	}
	if ext == ".srv" {
		s, err := parseService(pkg, name, source, string(text))
		if err != nil {
			return err
		}
		c.Services = append(c.Services, s)
		return nil
	}
	m, err := parseMessage(pkg, name, source, string(text), 0)
	if err != nil {
		return err
	}
	c.Messages = append(c.Messages, m)
	return nil
}

// all lists the messages and the halves of the services.
func (c *Catalog) all() []*Message {
	list := append([]*Message(nil), c.Messages...)
	for _, s := range c.Services {
		list = append(list, s.Request, s.Response)
	}
	return list
}

func (c *Catalog) resolve() error {
	byName := map[string]*Message{}
	for _, m := range c.Messages {
		byName[m.FullName()] = m
	}
	for _, m := range c.Messages {
		m.Shadowed = byName[m.FullName()+"Type"] != nil
	}
	for _, m := range c.all() {
		m.findTwins()
		for i := range m.Fields {
			f := &m.Fields[i]
			if f.Type.Builtin != "" {
				continue
			}
			if f.Type.Message = byName[f.Type.Package+"/"+f.Type.Name]; f.Type.Message == nil {
				return fmt.Errorf("%s/%s: field %s: no message %s/%s", m.Package, m.Source, f.Name, f.Type.Package, f.Type.Name)
			}
		}
	}
	for _, m := range c.all() {
		if err := checkCycle(m, nil); err != nil {
			return err
		}
	}
	for _, m := range c.all() {
		if err := checkFields(m); err != nil {
			return fmt.Errorf("%s/%s: %w", m.Package, m.Source, err)
		}
	}
	return nil
}

func checkCycle(m *Message, above []string) error {
	for _, name := range above {
		if name == m.FullName() {
			return fmt.Errorf("%s contains itself: %s", name, strings.Join(append(above, name), " > "))
		}
	}
	for _, f := range m.Fields {
		if f.Type.Message != nil {
			if err := checkCycle(f.Type.Message, append(above, m.FullName())); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFields refuses what the emitters cannot express.
func checkFields(m *Message) error {
	goNames := map[string]string{}
	for _, f := range m.Fields {
		t := f.Type
		if other := goNames[goField(f)]; other != "" && f.Twin != SameType {
			return fmt.Errorf("fields %s and %s are both %s in Go", other, f.Name, goField(f))
		}
		goNames[goField(f)] = f.Name
		inROS1 := m.Side.On(ROS1Only) && f.Side.On(ROS1Only)
		if inROS1 && t.Array && (t.Builtin == "byte" || t.Builtin == "char") {
			// ROS 1 libraries disagree about the sign of byte and char.
			return fmt.Errorf("field %s: %s is not supported, use uint8[]", f.Name, t.Text())
		}
		if inROS1 && (t.Bound > 0 || t.Most > 0) {
			return fmt.Errorf("field %s: ROS 1 has no %s", f.Name, t.Text())
		}
		if inROS1 && t.Array && minSize(t.Element(), ROS1Only) == 0 {
			return fmt.Errorf("field %s: arrays of empty messages are not supported", f.Name)
		}
		if t.Message == nil {
			continue
		}
		for _, side := range []Side{ROS1Only, ROS2Only} {
			if m.Side.On(side) && f.Side.On(side) && !t.Message.Side.On(side) {
				return fmt.Errorf("field %s needs a mark: %s does not exist on both sides", f.Name, t.Message.FullName())
			}
		}
	}
	return nil
}

// minSize is the least number of bytes that a value of type t has on the given
// side, padding not counted.
func minSize(t TypeRef, side Side) int {
	if t.Array && t.Fixed == 0 {
		return 4
	}
	n := 0
	if t.Builtin != "" {
		n = builtins[t.Builtin].Size
	} else {
		for _, f := range t.Message.FieldsOn(side) {
			n += minSize(f.Type, side)
		}
		if side == ROS2Only {
			n = max(n, 1) // an empty message has a byte; see emit_cdr.go
		}
	}
	return n * max(t.Fixed, 1)
}

package wire

// InfoTimestamp returns the source time of the submessages that follow;
// TimeInvalid takes an earlier one back.
func (s Submessage) InfoTimestamp() (Time, error) {
	if s.Flags&0x02 != 0 {
		return TimeInvalid, nil
	}
	c := s.cursor()
	t := c.time()
	return t, c.err()
}

// InfoTimestamp appends the source time of what follows.
func (b *Builder) InfoTimestamp(t Time) {
	if t == TimeInvalid {
		b.begin(KindInfoTimestamp, 0x02)
	} else {
		b.begin(KindInfoTimestamp, 0)
		b.time(t)
	}
	b.end()
}

// InfoDestination returns the participant that the submessages that follow are
// for; the zero Prefix stands for every participant.
func (s Submessage) InfoDestination() (Prefix, error) {
	c := s.cursor()
	p := c.prefix()
	return p, c.err()
}

// InfoDestination appends the destination of what follows.
func (b *Builder) InfoDestination(p Prefix) {
	b.begin(KindInfoDestination, 0)
	b.Bytes = append(b.Bytes, p[:]...)
	b.end()
}

// InfoSource returns the participant that the submessages that follow are from.
func (s Submessage) InfoSource() (Header, error) {
	c := s.cursor()
	c.u32() // unused
	var h Header
	copy(h.Version[:], c.take(2))
	copy(h.Vendor[:], c.take(2))
	h.Prefix = c.prefix()
	return h, c.err()
}

// InfoSource appends the source of what follows.
func (b *Builder) InfoSource(h Header) {
	b.begin(KindInfoSource, 0)
	b.u32(0)
	b.Bytes = append(b.Bytes, h.Version[0], h.Version[1], h.Vendor[0], h.Vendor[1])
	b.Bytes = append(b.Bytes, h.Prefix[:]...)
	b.end()
}

// maxLocators bounds every list of locators.
const maxLocators = 16

// InfoReply returns the unicast and multicast locators for answers to the submessages that
// follow.
func (s Submessage) InfoReply() (unicast, multicast []Locator, err error) {
	c := s.cursor()
	unicast = c.locators()
	if s.Flags&0x02 != 0 {
		multicast = c.locators()
	}
	return unicast, multicast, c.err()
}

// InfoReply appends where answers to what follows should go. At most 16
// locators of each kind are written.
func (b *Builder) InfoReply(unicast, multicast []Locator) {
	var flags byte
	if len(multicast) > 0 {
		flags = 0x02
	}
	b.begin(KindInfoReply, flags)
	b.locators(unicast)
	if flags != 0 {
		b.locators(multicast)
	}
	b.end()
}

func (c *cursor) locators() []Locator {
	n := c.u32()
	if n > maxLocators {
		c.b, c.short = nil, true
		return nil
	}
	var all []Locator
	for ; n > 0 && !c.short; n-- {
		all = append(all, c.locator())
	}
	return all
}

func (b *Builder) locators(all []Locator) {
	all = all[:min(len(all), maxLocators)]
	b.u32(uint32(len(all)))
	for _, l := range all {
		b.locator(l)
	}
}

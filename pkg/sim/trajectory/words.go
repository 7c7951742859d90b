package trajectory

import (
	"slices"
	"strings"
	"unicode"
)

// lengthUnits and timeUnits are the names of units, in lower case, with what makes SI of their values.
var (
	lengthUnits = map[string]float64{
		"m": 1, "meter": 1, "meters": 1, "metre": 1, "metres": 1,
		"cm": 1e-2, "centimeter": 1e-2, "centimeters": 1e-2, "centimetres": 1e-2,
		"mm": 1e-3, "millimeter": 1e-3, "millimeters": 1e-3, "millimetre": 1e-3, "millimetres": 1e-3,
		"um": 1e-6, "µm": 1e-6, "μm": 1e-6, "micron": 1e-6, "microns": 1e-6, "micrometer": 1e-6, "micrometers": 1e-6, "micrometres": 1e-6,
		"nm": 1e-9, "in": 0.0254, "inch": 0.0254, "inches": 0.0254,
	}
	timeUnits = map[string]float64{
		"s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
		"ms": 1e-3, "msec": 1e-3, "msecs": 1e-3, "millis": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
		"us": 1e-6, "µs": 1e-6, "μs": 1e-6, "usec": 1e-6, "usecs": 1e-6, "micros": 1e-6, "microsecond": 1e-6, "microseconds": 1e-6,
		"ns": 1e-9, "nsec": 1e-9, "nsecs": 1e-9, "nanos": 1e-9, "nanosec": 1e-9, "nanosecond": 1e-9, "nanoseconds": 1e-9,
		"min": 60, "minutes": 60,
	}
	angleUnits = []string{"deg", "degree", "degrees", "°", "rad", "radian", "radians"}
	pixelUnits = []string{"px", "pix", "pixel", "pixels"}
)

// Words for what a column holds, in the form of [wordsOf], where it does not have the name that sim writes. The names of
// positions and of quaternions may stand behind that of a body or a topic: pose.position.x.
var (
	timeWords = []string{
		"t", "time", "times", "timestamp", "time_stamp", "timestamps", "stamp", "header_stamp", "elapsed", "elapsed_time", "time_elapsed",
		"relative_time", "rel_time", "time_since_start", "sec", "secs", "seconds", "ms", "msec", "milliseconds", "us", "usec", "microseconds", "ns", "nsec", "nanoseconds", "zeit", "temps",
	}
	positionWords   = []string{"*", "tip_*", "pos_*", "position_*", "*_pos", "*_position", "t_*", "t*", "p_*", "p*", "loc_*", "location_*", "coord_*", "*_coord", "*_coordinate", "trans_*", "translation_*"}
	positionEnds    = []string{"_position_*", "_pos_*", "_translation_*"}
	quaternionWords = []string{"q*", "q_*", "tip_q*", "quat_*", "quaternion_*", "orientation_*", "rot_*", "rotation_*"}
	quaternionEnds  = []string{"_orientation_*", "_rotation_*", "_quat_*", "_quaternion_*", "_q*"}
)

// quaternionParts are the components of a quaternion in the order x, y, z, w.
var quaternionParts = []string{"x", "y", "z", "w"}

// bookkeeping are words for columns of which no trajectory has a signal: numbers of rows, quality and the like.
var bookkeeping = []string{
	"", "unnamed_0", "index", "row", "frame", "frames", "frame_number", "sub_frame", "subframe", "frame_id", "seq", "header_seq", "header_frame_id",
	"error", "residual", "rms", "quality", "confidence", "state", "status", "face",
}

// wordsOf returns the words of a column's name, in lower case and joined by _, without its unit, and the unit in lower case:
// "time", "seconds" of "Time (Seconds)", "pose_position_x" of "pose.position.x", "x", "mm" of "X [mm]", x_mm and "x / mm".
func wordsOf(header string) (name, unit string) {
	text := strings.TrimSpace(header)
	for _, brackets := range []string{"()", "[]", "{}"} {
		if open := strings.LastIndexByte(text, brackets[0]); open >= 0 && strings.HasSuffix(text, brackets[1:]) {
			text, unit = text[:open], unitOf(text[open+1:len(text)-1])
			break
		}
	}
	var b strings.Builder
	previous := ' '
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '°':
			r = '_'
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		previous = r
	}
	words := strings.FieldsFunc(b.String(), func(r rune) bool { return r == '_' })
	if last := len(words) - 1; last > 0 && unit == "" && isUnit(words[last]) && words[last] != "in" { // x_in is an input
		unit, words = words[last], words[:last]
		if strings.HasSuffix(text, "Nm") {
			unit = newtonMetre
		}
	}
	return strings.Join(words, "_"), unit
}

// newtonMetre is the unit of a torque, which in lower case would be that of nm.
const newtonMetre = "newton metre"

// unitOf returns the unit between brackets in lower case.
func unitOf(text string) string {
	if text = strings.TrimSpace(text); text == "Nm" {
		return newtonMetre
	}
	return strings.ToLower(text)
}

// isUnit reports whether a word is the name of a unit.
func isUnit(word string) bool {
	return lengthUnits[word] != 0 || timeUnits[word] != 0 || slices.Contains(angleUnits, word) || slices.Contains(pixelUnits, word)
}

// takeByWords gives columns a kind by what their names mean, all by one word or all of one body, and reports whether all components
// are there. z may be missing of a position, of a track in the plane. Rotations are those of the body of the position, where that has a name.
func (s *sheet) takeByWords(kind Kind, components, words, ends []string, factors map[string]float64) (all bool, err error) {
	if kind == Orientation {
		if four, found := s.onlyFour(); found {
			return true, s.giveUnits(kind, four, factors)
		}
	}
	for n := len(components); n > 1; n-- {
		if n < len(components) && kind != Position {
			break
		}
		found := s.columnsOf(components[:n], words, ends)
		if kind == Orientation {
			found = slices.DeleteFunc(found, func(f named) bool { return !s.isBody(f.body) })
		}
		if len(found) == 0 {
			continue
		}
		for _, other := range found[1:] {
			if found[0].body != "" && other.body != "" && found[0].body != other.body {
				return false, s.HeaderError("columns of %s and of %s; --hw-topic NAME says which body is the tip", found[0].body, other.body)
			}
		}
		if kind == Position && found[0].body != "" { // else columns that were renamed
			s.body = found[0].body
		}
		return n == len(components), s.giveUnits(kind, found[0].columns, factors)
	}
	return false, nil
}

// named are columns of all components of a vector, and the body that their names begin with.
type named struct {
	body    string
	columns []int
}

// columnsOf finds columns of all components: by words first, then of bodies, the one called tip before others.
func (s *sheet) columnsOf(components, words, ends []string) (all []named) {
	unused := map[string]int{} // by name
	var names []string
	for i, c := range s.grammar {
		if name, _ := wordsOf(c.Header); c.Kind == Unused {
			if _, twice := unused[name]; !twice {
				unused[name] = i
				names = append(names, name)
			}
		}
	}
	columns := func(word, body string) (at []int) {
		for _, component := range components {
			i, is := unused[body+strings.Replace(word, "*", component, 1)]
			if !is && component == "w" && word == "q*" { // of NDI, beside qx, qy, qz
				i, is = unused["q0"]
			}
			if !is {
				return nil
			}
			at = append(at, i)
		}
		return at
	}
	for _, word := range words {
		at := columns(word, "")
		if at == nil {
			continue
		}
		position := len(components) <= len(axes)
		if short := strings.Trim(word, "*_"); len(short) == 1 { // torques are tx, ty and tz, too, and pressures px, py and pz
			if position && short == "t" && s.grammar.listed(forceWords) != "" {
				continue
			}
			bodies, others := s.grammar.points(position)
			bodies = slices.DeleteFunc(bodies, func(body string) bool { return body == short })
			if len(bodies) > 0 {
				first := others[bodies[0]]
				body, _, _, _ := poseColumn(s.grammar[first[0]].Header)
				return []named{{short, at}, {body, first[:]}}
			}
		}
		return []named{{"", at}}
	}
	for _, end := range ends {
		for _, name := range names {
			body, is := strings.CutSuffix(name, strings.Replace(end, "*", components[0], 1))
			if !is || body == "" {
				continue
			}
			if at := columns(end, body); at != nil {
				all = append(all, named{body, at})
			}
		}
	}
	if i := slices.IndexFunc(all, func(f named) bool { return f.body == "tip" }); i >= 0 {
		return all[i : i+1]
	}
	return all
}

// forceWords are words for forces, beside which tx is a torque.
var forceWords = []string{"fx", "f_x", "force_x"}

// onlyFour finds the only four columns whose names end in x, y, z and w.
func (s *sheet) onlyFour() (four []int, found bool) {
	all := map[string][]int{}
	for part, name := range quaternionParts {
		for i, c := range s.grammar {
			if body, is := cutComponent(c.Header, name); is && c.Kind == Unused && len(all[body]) == part {
				all[body] = append(all[body], i)
			}
		}
	}
	for body, columns := range all {
		own, _, _, _ := poseColumn(body + "_w")
		if first, _, _ := strings.Cut(own, "_"); slices.Contains(rotationKinds, first) { // q_RS_w of EuRoC
			own = ""
		}
		if len(columns) != len(quaternionParts) || !s.isBody(own) {
			continue
		}
		if four != nil {
			return nil, false
		}
		four = columns
	}
	return four, four != nil
}

// isBody reports whether rotations of a body, which may have no name, are those of the position.
func (s *sheet) isBody(name string) bool {
	return name == "" || name == s.body || s.body == "" && (name == "tip" || name == "pose")
}

// cutComponent returns the words before the component with which a column's name ends.
func cutComponent(header, component string) (body string, is bool) {
	name, _ := wordsOf(header)
	return strings.CutSuffix(name, "_"+component)
}

// positionKinds and rotationKinds are the words for a kind between the name of a body and that of a component.
var (
	positionKinds = []string{"position", "pos", "p", "translation", "trans", "loc", "location", "coord"}
	rotationKinds = []string{"orientation", "rotation", "rot", "quat", "quaternion", "q"}
)

// nameNumbered gives the columns of a position that are numbered from 1 to 3 the names of its coordinates: Position_1 of a table of MATLAB.
func (s *sheet) nameNumbered() {
	at := map[string]int{}
	for i, c := range s.grammar {
		name, _ := wordsOf(c.Header)
		at[name] = i
	}
	for i, c := range s.grammar {
		name, _ := wordsOf(c.Header)
		stem, is := strings.CutSuffix(name, "_1")
		kind := stem[strings.LastIndexByte(stem, '_')+1:]
		second, hasSecond := at[stem+"_2"]
		third, hasThird := at[stem+"_3"]
		_, fourth := at[stem+"_4"]
		_, zeroth := at[stem+"_0"]
		if !is || len(kind) < 2 || !slices.Contains(positionKinds, kind) || !hasSecond || !hasThird || fourth || zeroth {
			continue
		}
		for k, column := range []int{i, second, third} {
			s.renamed(column, stem+"_"+axes[k])
		}
	}
}

// poseColumn returns the body that the name of a column of a pose begins with, empty where it has none, and the component.
func poseColumn(header string) (body string, kind Kind, index int, ok bool) {
	name, _ := wordsOf(header)
	words := strings.Split(name, "_")
	last := len(words) - 1
	component, turned := strings.CutPrefix(words[last], "q")
	if turned && component == "0" { // of NDI, beside qx, qy, qz
		component = "w"
	}
	if index = slices.Index(quaternionParts, component); index < 0 {
		return "", Unused, 0, false
	}
	words = words[:last]
	kind = Position
	if turned || component == "w" {
		kind = Orientation
	}
	if last > 0 {
		switch word := words[last-1]; {
		case slices.Contains(rotationKinds, word):
			kind, words = Orientation, words[:last-1]
		case kind == Position && slices.Contains(positionKinds, word):
			words = words[:last-1]
		case kind == Position && last > 1 && slices.ContainsFunc(words, func(word string) bool { return slices.Contains(noPoints, word) }):
			return "", Unused, 0, false
		}
	}
	return strings.Join(words, "_"), kind, index, true
}

// chooseBody gives the columns of the body that is asked for the names of those of the tip, and leaves the pose of the tip and the
// rotations of other bodies out. It refuses the name of a body that no column has, where columns have names of bodies.
func (s *sheet) chooseBody() error {
	asked, _ := wordsOf(s.o.Body)
	if asked == "" || s.export != nil && s.export.tool != "" {
		return nil
	}
	if slices.Contains(positionWords, asked+"*") && s.takeShort(asked) {
		return nil
	}
	var bodies []string
	for _, c := range s.grammar {
		if body, _, _, ok := poseColumn(c.Header); ok && body != "" && !slices.Contains(bodies, body) && (c.Kind == Unused || c.Kind == Position || c.Kind == Orientation) {
			bodies = append(bodies, body)
		}
	}
	switch {
	case len(bodies) == 0:
		return nil
	case !slices.Contains(bodies, asked) && slices.ContainsFunc(s.grammar, func(c Column) bool { is, _ := c.isBody(); return is }):
		return nil // the rows say
	case !slices.Contains(bodies, asked):
		return s.HeaderError("there is no body %q; there are %s", s.o.Body, strings.Join(bodies, ", "))
	}
	s.named, s.body = true, asked
	three := s.grammar.threeNumbers()
	for i := range s.grammar {
		c := &s.grammar[i]
		body, kind, index, ok := poseColumn(c.Header)
		switch {
		case !ok || c.Kind != Unused && c.Kind != Position && c.Kind != Orientation:
		case body == asked && kind == Position:
			c.Kind = Unused
			s.renamed(i, axes[index])
		case body == asked && three[i]:
			c.Kind = Bookkeeping // which is told
		case body == asked:
			c.Kind = Unused
			s.renamed(i, quaternionColumns[index])
		case kind == Orientation || body == "" || body == "tip":
			c.Kind = Bookkeeping
		}
	}
	return nil
}

// takeShort gives columns such as px, py, pz, if all are there, the names of those of the tip.
func (s *sheet) takeShort(letter string) bool {
	at := map[string]int{}
	for i, c := range s.grammar {
		if name, _ := wordsOf(c.Header); c.Kind == Unused {
			at[name] = i
		}
	}
	for _, axis := range axes {
		if _, is := at[letter+axis]; !is {
			return false
		}
	}
	for _, axis := range axes {
		s.renamed(at[letter+axis], axis)
	}
	s.named = true
	return true
}

// giveUnits gives columns a kind, with the factors of their units.
func (s *sheet) giveUnits(kind Kind, at []int, factors map[string]float64) error {
	for k, i := range at {
		c := &s.grammar[i]
		_, unit := wordsOf(c.Header)
		factor := 1.0
		switch {
		case factors == nil || unit == "":
		case factors[unit] != 0:
			factor = factors[unit]
		case slices.Contains(pixelUnits, unit):
			return s.HeaderError("column %q is in pixels; multiply by the size of a pixel and name the column %s_mm or %[2]s_um", c.Header, axes[k])
		default:
			return s.HeaderError("column %q has the unit %q; allowed: m, cm, mm, um of lengths, and s, ms, us, ns of times", c.Header, unit)
		}
		c.Kind, c.Index, c.Factor = kind, k, factor
	}
	return nil
}

// takeTime finds the times by what the name of their column means, and its unit. A column of nanoseconds, or of another part of
// a second, beside one of seconds of the same name is added to it.
func (s *sheet) takeTime() (found bool, err error) {
	for _, word := range append(slices.Clone(timeWords), "_stamp") {
		for i := range s.grammar {
			c := &s.grammar[i]
			name, unit := wordsOf(c.Header)
			if c.Kind != Unused || name != word && !(word == "_stamp" && strings.HasSuffix(name, word)) {
				continue
			}
			if err := s.giveUnits(Time, []int{i}, timeUnits); err != nil {
				return true, err
			}
			if own := timeUnits[word]; own != 0 {
				c.Factor = own
			}
			for k := range s.grammar {
				n := &s.grammar[k]
				other, fine := wordsOf(n.Header)
				factor := 0.0
				switch {
				case n.Kind != Unused:
				case other == name && timeUnits[unit] == 1: // stamp.sec and stamp.nanosec
					factor = timeUnits[fine]
				case timeUnits[word] == 1 && fine == "": // sec and nsec
					factor = timeUnits[other]
				}
				if factor > 0 && factor < 1 && !s.grammar.hasPart(Time) {
					n.Kind, n.Index, n.Factor = Time, 1, factor
				}
			}
			return true, nil
		}
	}
	return false, nil
}

// hasPart reports whether there is a second column of a kind.
func (g grammar) hasPart(kind Kind) bool {
	return slices.ContainsFunc(g, func(c Column) bool { return c.Kind == kind && c.Index == 1 })
}

// noPoints are words for vectors that are no positions.
var noPoints = []string{
	"v", "vel", "velocity", "speed", "rate", "rates", "a", "acc", "accel", "accelerometer", "acceleration", "gravity", "grav", "g", "linear", "angular", "gyr",
	"gyro", "gyroscope", "w", "omega", "mag", "magnetometer", "field", "b", "strain", "stress", "pressure", "current", "voltage",
	"force", "torque", "moment", "wrench", "twist", "rot", "rotation", "euler", "angle", "orientation", "covariance", "normal", "scale",
}

// points finds the triples of columns whose names end in x, y and z, without a fourth for w, by the words before them. markers
// says whether names of markers, as they are in CSVs of ours, count.
func (g grammar) points(markers bool) (bodies []string, columns map[string][3]int) {
	all := map[string]map[string]int{}
	for i, c := range g {
		name, _ := wordsOf(c.Header)
		at := strings.LastIndexByte(name, '_')
		if c.Kind != Unused || at <= 0 || !slices.Contains(quaternionParts, name[at+1:]) || !markers && isMarker(c.Header) {
			continue
		}
		body := name[:at]
		if all[body] == nil {
			all[body] = map[string]int{}
			bodies = append(bodies, body)
		}
		all[body][name[at+1:]] = i
	}
	columns = map[string][3]int{}
	bodies = slices.DeleteFunc(bodies, func(body string) bool {
		own := all[body]
		_, w := own["w"]
		words := strings.Split(body, "_")
		if w || len(own) != len(axes) || slices.ContainsFunc(words, func(word string) bool { return slices.Contains(noPoints, word) }) {
			return true
		}
		columns[body] = [3]int{own["x"], own["y"], own["z"]}
		return false
	})
	return bodies, columns
}

// vectors finds triples of columns without a kind whose names differ in x, y and z at their end, or before a word at their end.
func (g grammar) vectors() (all [][3]int) {
	unused := map[string]int{}
	for i, c := range g {
		if name, _ := wordsOf(c.Header); c.Kind == Unused && name != "" {
			unused[name] = i
		}
	}
	for i, c := range g {
		name, _ := wordsOf(c.Header)
		if c.Kind != Unused || len(name) < 2 || unused[name] != i {
			continue
		}
		for _, form := range []func(axis string) string{
			func(axis string) string { return strings.TrimSuffix(name, "x") + axis },
			func(axis string) string { return axis + strings.TrimPrefix(name, "x") },
		} {
			y, hasY := unused[form("y")]
			z, hasZ := unused[form("z")]
			if form("x") == name && hasY && hasZ {
				all = append(all, [3]int{i, y, z})
				break
			}
		}
	}
	return all
}

// isMarker reports whether a name has the form of a marker's coordinate, NAME_x.
func isMarker(header string) bool {
	for _, axis := range axes {
		for _, u := range units {
			if strings.HasSuffix(header, "_"+axis+u.suffix) {
				return true
			}
		}
	}
	return false
}

// takePoints renames the columns of positions whose names begin with those of bodies: of the only one, or of the one called tip to those
// of the tip. It reports whether there is such a body.
func (s *sheet) takePoints() bool {
	bodies, columns := s.grammar.points(s.o.Robot == nil || s.o.Body != "")
	x := export{bodies: bodies}
	if err := x.choose("", nil); err != nil || x.tip == "" {
		return false
	}
	s.body = x.tip
	for k, i := range columns[x.tip] {
		s.renamed(i, axes[k])
	}
	return true
}

// takeOtherPoints makes points beside the tip markers, where the robot has markers of their names, and leaves out the others.
func (s *sheet) takeOtherPoints(markers []string) {
	if !s.grammar.has(Position) && !s.grammar.has(Orientation) {
		return
	}
	bodies, columns := s.grammar.points(true)
	for _, body := range bodies {
		at := columns[body]
		known := slices.IndexFunc(markers, func(name string) bool { return strings.EqualFold(name, body) })
		for k, i := range at {
			c := &s.grammar[i]
			_, unit := wordsOf(c.Header)
			switch factor := lengthUnits[unit]; {
			case known < 0:
				c.Kind = Bookkeeping
			case unit == "":
				c.Kind, c.Name, c.Index = MarkerPoint, markers[known], k
			case factor != 0:
				c.Kind, c.Name, c.Index, c.Factor = MarkerPoint, markers[known], k, factor
			}
		}
		if known < 0 {
			s.ignored = append(s.ignored, body)
		}
	}
}

// renamed gives a column another name, with its unit.
func (s *sheet) renamed(i int, name string) {
	if _, unit := wordsOf(s.grammar[i].Header); unit != "" {
		name += " (" + unit + ")"
	}
	s.grammar[i].Header = name
}

// angleWords are words for angles in an order that they do not say, numberedWords those for the numbers of a quaternion, of which they do
// not say whether the scalar is the first or the last.
var (
	angleWords    = []string{"roll", "pitch", "yaw", "rx", "ry", "rz", "euler_x", "euler_y", "euler_z"}
	numberedWords = []string{
		"q0", "q1", "q2", "q3", "q_0", "q_1", "q_2", "q_3", "quat0", "quat1", "quat2", "quat3", "quat4", "quat_0", "quat_1", "quat_2", "quat_3", "quat_4",
		"quaternion_0", "quaternion_1", "quaternion_2", "quaternion_3", "quaternion_4",
	}
)

// angles lists the columns of angles, of no body or of that of the tip: of such names, and rotations of three numbers.
func (s *sheet) angles() string {
	var names []string
	three := s.grammar.threeNumbers()
	for i, c := range s.grammar {
		name, _ := wordsOf(c.Header)
		body, is := cutWord(name, angleWords)
		if three[i] {
			body, _, _, is = poseColumn(c.Header)
		}
		if is && (body == "" || s.isBody(body)) && (c.Kind == Unused || c.Kind == Bookkeeping || c.Kind == Tension) {
			names = append(names, c.Header)
		}
	}
	return strings.Join(names, ", ")
}

// threeNumbers finds rotations of bodies that have x, y and z and no w: angles.
func (g grammar) threeNumbers() map[int]bool {
	parts := map[string][]int{}
	scalar := map[string]bool{}
	for i, c := range g {
		name, _ := wordsOf(c.Header)
		at := strings.LastIndexByte(name, '_')
		if body, kind, index, ok := poseColumn(c.Header); ok && kind == Orientation {
			scalar[body] = scalar[body] || index == len(axes)
			if index < len(axes) && at >= 0 && len(name)-at == 2 { // rot_x and no qx
				parts[body] = append(parts[body], i)
			}
		}
	}
	three := map[int]bool{}
	for body, at := range parts {
		for _, i := range at {
			three[i] = len(at) == len(axes) && !scalar[body]
		}
	}
	return three
}

// listed lists the columns of some names that are no part of a pose.
func (g grammar) listed(words []string) string {
	var names []string
	for _, c := range g {
		if name, _ := wordsOf(c.Header); slices.Contains(words, name) && (c.Kind == Unused || c.Kind == Bookkeeping) {
			names = append(names, c.Header)
		}
	}
	return strings.Join(names, ", ")
}

// uncertainRotations says which columns hold a rotation that is not certain, and why; empty: none.
func (s *sheet) uncertainRotations() string {
	if numbers := s.grammar.listed(numberedWords); numbers != "" {
		return numbers + ": whether the scalar is the first or the last is not certain; name the columns of a quaternion qx, qy, qz, qw, in any order"
	}
	if angles := s.angles(); angles != "" {
		return angles + ": in which order they turn is not certain; write rotations as qx, qy, qz, qw"
	}
	return ""
}

// dropBookkeeping lets columns of which no signal is made be.
func (g grammar) dropBookkeeping() {
	for i := range g {
		name, _ := wordsOf(g[i].Header)
		ends := slices.ContainsFunc([]string{"_frame_id", "_seq", "_stamp"}, func(end string) bool { return strings.HasSuffix(name, end) })
		if g[i].Kind == Unused && (ends || slices.Contains(bookkeeping, name) || slices.Contains(angleWords, name) || slices.Contains(numberedWords, name)) {
			g[i].Kind = Bookkeeping
		}
	}
}

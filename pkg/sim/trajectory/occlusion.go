package trajectory

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
)

// occlusions counts samples of a point that a tracker wrote although it did not see the point.
type occlusions struct {
	repeated int // the sample before again, as measurements with noise never are
	zero     int // exactly 0, far from the samples beside it
	marked   int // one number for all coordinates, far from the samples beside it
	jumped   int // away and back, farther than the point moves between samples
	rows     int // that each position has, of a file with more rows than measurements
	copies   int // rows behind the first of their measurement, in such a file
}

const (
	// minRepeats is how many times in a row a position has to be there to be a repeated one.
	minRepeats = 4
	// noiseWindow is how many deviations from smoothness are judged together.
	noiseWindow = 8
	// whiteCorrelation is the correlation of neighbouring deviations below which they are noise: that of white noise is −0.8, of a
	// smooth motion nearly 1.
	whiteCorrelation = -0.4
	// resolved is how many times the least step of the numbers noise has to be, so that it shows in every sample: with 3, four equal
	// samples of two coordinates have a probability below 1e-6.
	resolved = 3
	// jumpFactor is how many times the step that 95 % of all steps are below a jump is, at least.
	jumpFactor = 10
	// zeroFactor is the same of jumps to exactly 0 and back, which no measurement passes by chance.
	zeroFactor = 2
	// longestJump is the share of the samples that one jump lasts, at most, and jumpInterval the interval of samples, s, above which
	// a robot may have gone and come back.
	longestJump  = 0.1
	jumpInterval = 0.05
)

// LeaveOutOccluded leaves out samples of tip and markers that a tracker wrote although it did not see them: positions that repeat the
// one before while all others have noise, zeros and marks such as -999, and jumps that return. Of a log that is faster than the tracker,
// with several rows of each position, it leaves the first. Remarks say how many. Rows that have commands stay, without a measurement.
func (t *Trajectory) LeaveOutOccluded() {
	if t.Untimed {
		return
	}
	leave := func(p *Poses, point string) {
		occluded, n := p.occluded()
		switch {
		case n.copies > 0:
			t.Remarks = append(t.Remarks, fmt.Sprintf("%s: %severy position has about %d rows, as of a log that is faster than the tracker: each measurement counts once, at the time of its first row, and %d rows that repeat it are left out; --keep-occluded keeps them.", t.Name, point, n.rows, n.copies))
		case n.rows > 1:
			t.Remarks = append(t.Remarks, fmt.Sprintf("%s: %severy position has about %d rows, whose rotations differ: they are compared as if each position had been measured at its time.", t.Name, point, n.rows))
		}
		unseen := n.repeated + n.zero + n.marked + n.jumped
		if unseen+n.copies == 0 {
			return
		}
		if unseen > 0 {
			t.Remarks = append(t.Remarks, fmt.Sprintf("%s: %s%s: taken for occlusion and left out; --keep-occluded keeps them.", t.Name, point, n))
		}
		if t.Commands != nil && !t.Stamped { // its rows have commands
			for i, is := range occluded {
				if is {
					p.Pose[i].P = spatial.Vec{X: math.NaN(), Y: math.NaN(), Z: math.NaN()}
				}
			}
			return
		}
		p.keep(func(i int) bool { return !occluded[i] })
	}
	leave(&t.Tip, "")
	for i := range t.Markers {
		leave(&t.Markers[i].Poses, "marker "+t.Markers[i].Name+": ")
	}
}

// String lists what there is.
func (n occlusions) String() string {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{n.repeated, "equal the one before, as measurements with noise never do"}, {n.zero, "are exactly 0"}, {n.marked, "have one number, always the same, for all coordinates"}, {n.jumped, "jump away and back"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d samples %s", part.n, part.what))
		}
	}
	return strings.Join(parts, ", ")
}

// keep leaves out the samples for which keep is false.
func (s *Poses) keep(keep func(i int) bool) {
	all := *s
	s.T, s.Pose, s.Stamps = nil, nil, nil
	for i := range all.Pose {
		if !keep(i) {
			continue
		}
		s.Pose = append(s.Pose, all.Pose[i])
		if all.T != nil {
			s.T = append(s.T, all.T[i])
		}
		if all.Stamps != nil {
			s.Stamps = append(s.Stamps, all.Stamps[i])
		}
	}
}

// occluded finds the samples that were not seen.
func (s *Poses) occluded() (which []bool, n occlusions) {
	which = make([]bool, len(s.Pose))
	if s.Unplaced {
		return which, n
	}
	o := occlusionSearch{poses: s}
	for i := range s.Pose {
		if s.Pose[i].P.IsFinite() {
			o.seen = append(o.seen, i)
		}
	}
	if len(o.seen) < 2*noiseWindow {
		return which, n
	}
	for k := range o.seen[1:] {
		if !(o.time(k+1) > o.time(k)) { // which Validate refuses
			return which, n
		}
	}
	mark := func(list []int) int {
		for _, i := range list {
			which[i] = true
		}
		o.seen = slices.DeleteFunc(o.seen, func(i int) bool { return which[i] })
		return len(list)
	}
	n.zero = mark(o.marks(spatial.Vec{}, zeroFactor))
	if p, is := o.mark(); is {
		n.marked = mark(o.marks(p, jumpFactor))
	}
	repeated, rows := o.repeats()
	n.repeated, n.rows = mark(repeated), rows
	if rows > 1 {
		n.copies = mark(o.copies(rows))
	}
	n.jumped = mark(o.jumps())
	return which, n
}

// occlusionSearch looks for occlusion among the samples that are seen so far, by their numbers.
type occlusionSearch struct {
	poses *Poses
	seen  []int
}

func (o *occlusionSearch) at(k int) spatial.Vec { return o.poses.Pose[o.seen[k]].P }

// time is the time of a sample, s.
func (o *occlusionSearch) time(k int) float64 {
	if o.poses.T == nil {
		return (o.poses.Stamps[o.seen[k]] - o.poses.Stamps[o.seen[0]]).Seconds()
	}
	return o.poses.T[o.seen[k]]
}

// step is how far a sample is from the one before it, m.
func (o *occlusionSearch) step(k int) float64 { return o.at(k).Sub(o.at(k - 1)).Norm() }

// usualStep is the step that 95 % of all that are no repetitions are below, m. Samples at a mark do not count.
func (o *occlusionSearch) usualStep(mark spatial.Vec) float64 {
	const share = 0.95
	var steps []float64
	for k := 1; k < len(o.seen); k++ {
		if d := o.step(k); d > 0 && o.at(k) != mark && o.at(k-1) != mark {
			steps = append(steps, d)
		}
	}
	if len(steps) == 0 {
		return math.Inf(1)
	}
	slices.Sort(steps)
	return steps[int(share*float64(len(steps)-1))]
}

// mark finds the position with one number for all coordinates, such as -999, that most samples have, at least two.
func (o *occlusionSearch) mark() (p spatial.Vec, is bool) {
	count, most := map[spatial.Vec]int{}, 1
	for k := range o.seen {
		at := o.at(k)
		if at.X != at.Y || !o.poses.Planar && at.X != at.Z || at == (spatial.Vec{}) {
			continue
		}
		if count[at]++; count[at] > most {
			p, most, is = at, count[at], true
		}
	}
	return p, is
}

// marks finds runs at a mark to and from which the point would have to jump by more than so many usual steps, where it does so at both
// ends.
func (o *occlusionSearch) marks(mark spatial.Vec, bothEnds float64) (list []int) {
	usual := o.usualStep(mark)
	for k := 0; k < len(o.seen); k++ {
		if o.at(k) != mark {
			continue
		}
		end := k
		for end < len(o.seen) && o.at(end) == mark {
			end++
		}
		factor := float64(jumpFactor)
		if k > 0 && end < len(o.seen) { // there and back
			factor = bothEnds
		}
		before, after := k == 0 || o.step(k) > factor*usual, end == len(o.seen) || o.step(end) > factor*usual
		if before && after && end-k < len(o.seen) {
			list = append(list, o.seen[k:end]...)
		}
		k = end
	}
	return list
}

// runs are the samples with one position each, of numbers first to end.
func (o *occlusionSearch) runs() (all [][2]int) {
	for k := 0; k < len(o.seen); {
		end := k + 1
		for end < len(o.seen) && o.at(end) == o.at(k) {
			end++
		}
		all = append(all, [2]int{k, end})
		k = end
	}
	return all
}

// repeats finds the samples behind the first of each run of equal positions, where the other samples have noise. rows is how many rows
// each position has, where a file has more rows than there were measurements: a run is longer than that.
func (o *occlusionSearch) repeats() (list []int, rows int) {
	runs := o.runs()
	rows = rowsOfEach(runs)
	if rows == 0 {
		return nil, 0
	}
	distinct := occlusionSearch{poses: o.poses} // once each
	var segments [][2]int                       // of them between the long runs
	begin := 0
	for i, run := range runs {
		distinct.seen = append(distinct.seen, o.seen[run[0]])
		if run[1]-run[0] < minRepeats*rows {
			continue
		}
		list = append(list, o.seen[run[0]+rows:run[1]]...)
		segments = append(segments, [2]int{begin, i + 1})
		begin = i + 1
	}
	segments = append(segments, [2]int{begin, len(runs)})
	if len(list) > 0 && !distinct.noisy(segments) {
		list = nil
	}
	if rows > 1 && distinct.usualStep(spatial.Vec{}) < resolved*distinct.leastStep() {
		rows = 1 // of a slow motion in coarse numbers
	}
	return list, rows
}

// copies finds the rows behind the first of each measurement where each has so many rows; none where rotations differ in them.
// Of a rest without noise each measurement has its first row, too.
func (o *occlusionSearch) copies(rows int) (list []int) {
	for _, run := range o.runs() {
		long := run[1]-run[0] >= minRepeats*rows
		for k := run[0] + 1; k < run[1]; k++ {
			if o.poses.Rotations && o.poses.Pose[o.seen[k]].R != o.poses.Pose[o.seen[k-1]].R {
				return nil
			}
			if !long || (k-run[0])%rows != 0 {
				list = append(list, o.seen[k])
			}
		}
	}
	return list
}

// rowsOfEach returns how many rows most positions have, 0 where that is not certain.
func rowsOfEach(runs [][2]int) int {
	const regular = 0.9 // share of the runs that are no more than 1 off
	lengths := make([]int, len(runs))
	for i, run := range runs {
		lengths[i] = run[1] - run[0]
	}
	slices.Sort(lengths)
	rows := lengths[len(lengths)/2]
	if rows == 1 {
		return 1
	}
	if len(runs) < noiseWindow { // a point that rests
		return 0
	}
	alike := 0
	for _, n := range lengths {
		if n >= rows-1 && n <= rows+1 {
			alike++
		}
	}
	if float64(alike) < regular*float64(len(lengths)) {
		return 0
	}
	return rows
}

// leastStep is the least step of the numbers, m.
func (o *occlusionSearch) leastStep() float64 {
	least := math.Inf(1)
	for k := 1; k < len(o.seen); k++ {
		d := components(o.at(k).Sub(o.at(k - 1)))
		for _, d := range d[:o.coordinates()] {
			if d != 0 {
				least = min(least, math.Abs(d))
			}
		}
	}
	return least
}

// coordinates is how many coordinates of a position were measured.
func (o *occlusionSearch) coordinates() int {
	if o.poses.Planar {
		return 2
	}
	return 3
}

// noisy reports whether most of the samples of segments deviate from a smooth motion as noise does, by more than the least step of
// their numbers.
func (o *occlusionSearch) noisy(segments [][2]int) bool {
	least, coordinates := o.leastStep(), o.coordinates()
	noise, windows := 0, 0
	for _, segment := range segments {
		var deviations [][3]float64
		for k := segment[0] + 2; k < segment[1]-2; k++ {
			deviations = append(deviations, components(o.deviation(k)))
		}
		for ; len(deviations) >= noiseWindow; deviations = deviations[noiseWindow:] {
			sum, products := 0.0, 0.0
			for i, d := range deviations[:noiseWindow] {
				for c := range coordinates {
					sum += d[c] * d[c]
					if i > 0 {
						products += d[c] * deviations[i-1][c]
					}
				}
			}
			windows++
			rms := math.Sqrt(sum / float64(noiseWindow*coordinates))
			if products < whiteCorrelation*sum && rms > resolved*least {
				noise++
			}
		}
	}
	return windows > 0 && 2*noise > windows
}

// deviation is how far a sample is from the cubic through the two before and the two behind it, at its time.
func (o *occlusionSearch) deviation(k int) spatial.Vec {
	beside := [...]int{k - 2, k - 1, k + 1, k + 2}
	d := o.at(k)
	for _, i := range beside {
		weight := 1.0
		for _, j := range beside {
			if j != i {
				weight *= (o.time(k) - o.time(j)) / (o.time(i) - o.time(j))
			}
		}
		d = d.AddScaled(-weight, o.at(i))
	}
	return d
}

func components(v spatial.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// jumps finds runs of samples to and from which the point jumps, and beside which it is where it would be without them.
func (o *occlusionSearch) jumps() (list []int) {
	usual := o.usualStep(spatial.Vec{})
	longest := int(longestJump * float64(len(o.seen)))
	interval := (o.time(len(o.seen)-1) - o.time(0)) / float64(len(o.seen)-1)
	if !(interval <= jumpInterval) {
		return nil
	}
	far := func(k int) bool { // also behind samples that were left out
		return o.step(k) > jumpFactor*usual*max(1, (o.time(k)-o.time(k-1))/interval)
	}
	for k := 1; k < len(o.seen)-1; k++ {
		if !far(k) {
			continue
		}
		for end := k + 1; end < len(o.seen) && end-k <= longest; end++ {
			if far(end) && o.at(end).Sub(o.at(k-1)).Norm() <= 2*usual*float64(end-k+1) {
				list = append(list, o.seen[k:end]...)
				k = end
				break
			}
		}
	}
	return list
}

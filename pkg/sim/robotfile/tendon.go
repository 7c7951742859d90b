package robotfile

import "slices"

// Tendon runs from the base plate through the holes of its disks and ends at the
// last one.
type Tendon struct {
	Name      string       `yaml:"name" doc:"unique; letters, digits, _ - . after a first letter or _"`
	Offset    [2]float64   `yaml:"offset_m" unit:"m" range:"[-1, 1]" default:"-" doc:"hole in the base plate and the disks, along d1 and d2"`
	Twist     float64      `yaml:"twist_rad_per_m" unit:"rad/m" range:"[-1e5, 1e5]" default:"0" doc:"helical routing: azimuth of the hole per arc length, positive from d1 to d2"`
	Offsets   [][2]float64 `yaml:"offsets_m" unit:"m" range:"[-1, 1]" doc:"a hole per disk, instead of twist_rad_per_m; offset_m is then the base plate's, or that of the first disk"`
	Disks     Disks        `yaml:"disks" doc:"the disks that the tendon passes"`
	Tension   float64      `yaml:"tension_n" unit:"N" range:"[0, 1e6]" default:"0" choice:"actuation" doc:"tension at t = 0, until somebody commands"`
	Pull      *float64     `yaml:"pull_m" unit:"m" range:"[-100, 100]" choice:"actuation" doc:"length control from t = 0, instead of tension_n; positive shortens; needs stiffness_n_per_m"`
	Limits    TendonLimits `yaml:"limits" doc:"of commands"`
	Stiffness float64      `yaml:"stiffness_n_per_m" unit:"N/m" range:"[0, inf]" default:"0" doc:"of tendon and drive; positive allows length control; .inf: inextensible"`
	Friction  float64      `yaml:"friction_coefficient" unit:"1" range:"[0, 10]" default:"0" doc:"capstan friction at each disk"`
	// FrictionDisplacement is how far the tendon moves at a disk before it slips.
	FrictionDisplacement float64 `yaml:"friction_displacement_m" unit:"m" range:"[0, 1]" default:"0" doc:"how far the tendon moves at a disk before it slips; 0: 1/200 of the hole's distance from the centreline"`
}

// Disks are where a tendon passes and what the disks weigh. Either Count is
// positive or Positions is not empty; ArcLengths serves both.
type Disks struct {
	Count     int       `yaml:"count" unit:"1" range:"[1, 2000]" default:"6" choice:"layout/even" doc:"evenly spaced disks"`
	First     float64   `yaml:"first_m" unit:"m" range:"(0, 100]" default:"0.005" choice:"layout/even" doc:"arc length of the first disk"`
	Last      float64   `yaml:"last_m" unit:"m" range:"(0, 100]" default:"0.245" choice:"layout/even" doc:"arc length of the last disk"`
	Positions []float64 `yaml:"positions_m" unit:"m" range:"(0, 100]" choice:"layout" doc:"arc lengths, increasing; instead of count, first_m, last_m"`
	Mass      float64   `yaml:"mass_kg" unit:"kg" range:"[0, 1e4]" default:"0.002" doc:"of each disk; 0 where another tendon carries the disk; disks of several tendons at one arc length and of one mass are one disk (method reference: each has its own)"`
	Radius    float64   `yaml:"radius_m" unit:"m" range:"[0, 10]" default:"0" doc:"of the thin disk; 0: 1.25 |offset_m|"`
}

// ArcLengths returns the arc lengths of the disks in metres, base to tip.
func (d *Disks) ArcLengths() []float64 {
	if d.Count == 0 {
		return slices.Clone(d.Positions)
	}
	s := make([]float64, d.Count)
	for i := range s {
		s[i] = d.First
		if i > 0 {
			s[i] += float64(i) * (d.Last - d.First) / float64(d.Count-1)
		}
	}
	return s
}

// TendonLimits bound the commands to one tendon.
type TendonLimits struct {
	MaxTension  float64 `yaml:"max_tension_n" live:"model" unit:"N" range:"(0, 1e6]" default:"20" doc:"commands above are clamped; if absent at least tension_n"`
	MaxRate     float64 `yaml:"max_rate_n_per_s" live:"model" unit:"N/s" range:"(0, inf]" default:"1000" doc:"how fast the tension follows a command"`
	MaxPullRate float64 `yaml:"max_rate_m_per_s" live:"model" unit:"m/s" range:"(0, inf]" default:"0.1" doc:"how fast the pull follows a command"`
	Pretension  float64 `yaml:"pretension_n" live:"model" unit:"N" range:"[0, 1e6]" default:"0" doc:"the safe state: the tension when commands cease"`
}

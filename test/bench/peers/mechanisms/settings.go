package main

import (
	"slices"

	"sinew/test/bench/peers/contest"
)

// mechanisms returns what is compared, with the settings to try.
func mechanisms() []*mechanism {
	all := []*mechanism{
		{
			Problem: contest.Problem{Name: "four_bar", Title: "rigid four-bar linkage", Length: 0.1, Duration: 1},
			samples: 20, point: "coupler", module: "rigid",
			peer: contest.Contestant{Name: "MuJoCo", Package: "mujoco-core"},
		},
		{
			Problem: contest.Problem{Name: "gripper", Title: "gripper of rigid fingers lifts a ball", Length: 0.12, Duration: 2},
			samples: 100, point: "ball", commands: grasp, module: "rigid",
			peer: contest.Contestant{Name: "MuJoCo", Package: "mujoco-core"},
		},
		{
			Problem: contest.Problem{Name: "flexible_pendulum", Title: "flexible pendulum", Length: 0.4, Duration: 0.8},
			samples: 16, point: "pendulum", module: "beams",
			peer: contest.Contestant{Name: "Exudyn", Package: "exudyn"},
		},
		{
			Problem: contest.Problem{Name: "spin_up", Title: "spin-up of a flexible blade", Length: 0.3, Duration: 0.8},
			samples: 16, point: "blade", module: "beams",
			peer: contest.Contestant{Name: "Exudyn", Package: "exudyn"},
		},
		{
			Problem: contest.Problem{Name: "two_rods", Title: "two rods joined at a right angle", Length: 0.5, Duration: 1},
			samples: 20, point: "second", module: "joined",
			peer: contest.Contestant{Name: "PyElastica", Package: "pyelastica"},
		},
	}
	for _, m := range all {
		m.settle()
	}
	return all
}

// settle fills in the settings of both programs.
func (m *mechanism) settle() {
	one, whole := []int{0}, []string{""}
	switch m.Name {
	case "four_bar":
		m.ours, m.ourLimit = contest.Grid(one, one, whole, m.parts(8, 16, 32, 64, 128, 256)), contest.Grid(one, one, whole, m.parts(2048))
		m.peer.Settings = slices.Concat(
			contest.Grid(one, one, []string{"RK4/2", "RK4/4"}, m.parts(2, 3, 4, 6, 8, 16, 32)),
			contest.Grid(one, one, []string{"implicitfast/2"}, m.parts(8, 32, 128)))
		m.peer.Reference = contest.Grid(one, one, []string{"RK4/4"}, m.parts(1024))
	case "gripper":
		m.ours, m.ourLimit = contest.Grid(one, one, whole, m.parts(1, 2, 3, 4, 6, 8, 12, 16, 32)), contest.Grid(one, one, whole, m.parts(512))
		m.peer.Settings = slices.Concat(
			contest.Grid(one, one, []string{"Euler/2", "Euler/4"}, m.parts(24, 28, 32, 40, 64)),
			contest.Grid(one, one, []string{"implicitfast/2"}, m.parts(8, 16, 24, 32, 64)),
			contest.Grid(one, one, []string{"RK4/2"}, m.parts(24, 32)))
		m.peer.Reference = contest.Grid(one, one, []string{"Euler/2"}, m.parts(512))
	case "flexible_pendulum", "spin_up":
		m.ours = contest.Grid([]int{2, 3, 4, 8}, []int{4}, whole, m.parts(4, 6, 8, 12, 16, 32, 64, 128))
		m.ourLimit = contest.Grid([]int{16}, []int{4}, whole, m.parts(1024))
		m.peer.Settings = contest.Grid([]int{2, 3, 4, 8}, one, []string{"ANCF2D/0.9", "ANCF2D/0.5"}, m.parts(3, 4, 6, 8, 16, 32, 64))
		m.peer.Reference = contest.Grid([]int{32}, one, []string{"ANCF2D/0.9"}, m.parts(512))
	case "two_rods":
		m.ours = contest.Grid([]int{2, 3, 4, 8}, []int{4}, whole, m.parts(1, 2, 3, 4, 6, 8, 16, 32, 64))
		m.ourLimit = contest.Grid([]int{16}, []int{4}, whole, m.parts(512))
		m.peer.Settings = slices.Concat(
			contest.Grid([]int{3}, one, []string{"1e3"}, m.parts(200, 300)),
			contest.Grid([]int{6, 9}, one, []string{"1e3"}, m.parts(300)),
			contest.Grid([]int{9, 12}, one, []string{"1e4"}, m.parts(500)),
			contest.Grid([]int{21}, one, []string{"1e4", "1e5"}, m.parts(800, 1200)),
			contest.Grid([]int{39}, one, []string{"1e5"}, m.parts(1600)))
		m.peer.Reference = contest.Grid([]int{60}, one, []string{"1e6"}, m.parts(3000))
	}
}

package spatial

import "testing"

func TestAddOuterAddsTheProduct(t *testing.T) {
	m := Mat3{1, 2, 3, 4, 5, 6, 7, 8, 9}
	want := m
	a, b := Vec{2, -3, 5}, Vec{7, 11, -13}
	want = want.Add(Outer(a, b))
	if m.AddOuter(&a, &b); m != want {
		t.Errorf("got %v, want %v", m, want)
	}
}

func TestAddQuadrantTouchesItsQuadrantOnly(t *testing.T) {
	a := Mat3{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for at, want := range map[int]Mat6{
		0:  Blocks6(a, Mat3{}, Mat3{}, Mat3{}),
		3:  Blocks6(Mat3{}, a, Mat3{}, Mat3{}),
		18: Blocks6(Mat3{}, Mat3{}, a, Mat3{}),
		21: Blocks6(Mat3{}, Mat3{}, Mat3{}, a),
	} {
		var m Mat6
		if m.AddQuadrant(at, &a); m != want {
			t.Errorf("quadrant at %d: got %v", at, m)
		}
	}
}

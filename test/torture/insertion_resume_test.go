package torture_test

import (
	"testing"

	"sinew/test/testsize"
	"sinew/test/torture"
)

// TestHandledInsertionsResume saves rods that rub on their vessels while they are twisted, drawn back or at rest,
// restores them in a fresh model and in themselves, and demands every bit of what followed.
func TestHandledInsertionsResume(t *testing.T) {
	const follow = 40
	seeds := testsize.Of(2, 4, 8)
	touched := 0
	for seed := *first; seed < *first+uint64(seeds); seed++ {
		c, err := torture.NewHandledInsertion(seed)
		if err != nil {
			t.Fatal(err)
		}
		contacts, err := c.Resume(int(seed*7919)%(c.Steps+c.Rest-follow), follow)
		if err != nil {
			t.Errorf("%s: %v", c.Title, err)
		}
		touched += int(min(1, contacts))
	}
	if touched < seeds/2 {
		t.Errorf("only %d of %d rods touch where they are saved", touched, seeds)
	}
}

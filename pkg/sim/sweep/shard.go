package sweep

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of Of parts of the samples: those whose index is Index modulo Of.
type Shard struct{ Index, Of int }

// ParseShard reads i/n. Parts may be numbered from 0 to n−1 or from 1 to n, since part n is
// part 0; empty are all samples.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{0, 1}, nil
	}
	first, second, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(first)
	n, err2 := strconv.Atoi(second)
	if !ok || err != nil || err2 != nil || n < 1 || n > MaxSamples || i < 0 || i > n {
		return Shard{}, fmt.Errorf("%q; want i/n, with n from 1 and i from 0 to n−1 or from 1 to n", text)
	}
	return Shard{i % n, n}, nil
}

// Sample is the k-th sample of the part, from 0.
func (s Shard) Sample(k int) int { return s.Index + k*s.Of }

// Count is how many of so many samples are in the part.
func (s Shard) Count(samples int) int { return (samples - s.Index + s.Of - 1) / s.Of }

// String is i/n, with i from 0.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

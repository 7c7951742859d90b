package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"sinew/pkg/ros/rtps"
)

// Offsets in the CDR form of Numbers: a number, the length of the array, and
// the array, which starts at a multiple of eight after the header.
const (
	numberAt = 4
	lengthAt = 12
	arrayAt  = 20
)

// numbers is the CDR form of a number and the array 0, 1, 2, ….
func numbers(number, length int) []byte {
	b := make([]byte, arrayAt+8*length)
	b[1] = 1 // little endian
	binary.LittleEndian.PutUint64(b[numberAt:], uint64(number))
	binary.LittleEndian.PutUint32(b[lengthAt:], uint32(length))
	for i := range length {
		binary.LittleEndian.PutUint64(b[arrayAt+8*i:], math.Float64bits(float64(i)))
	}
	return b
}

// stamp replaces the first element by the monotonic clock in nanoseconds.
func stamp(b []byte) {
	binary.LittleEndian.PutUint64(b[arrayAt:], math.Float64bits(float64(monotonic())))
}

// parse reads a sample of either byte order.
func parse(b []byte) (number uint64, array []float64, err error) {
	if len(b) < arrayAt || b[0] != 0 || b[1] > 1 {
		return 0, nil, fmt.Errorf("sample of %d bytes is not plain CDR", len(b))
	}
	order := binary.ByteOrder(binary.BigEndian)
	if b[1] == 1 {
		order = binary.LittleEndian
	}
	n := order.Uint32(b[lengthAt:])
	if uint64(len(b)) < arrayAt+8*uint64(n) {
		return 0, nil, fmt.Errorf("sample of %d bytes has no room for %d numbers", len(b), n)
	}
	for i := range int(n) {
		array = append(array, math.Float64frombits(order.Uint64(b[arrayAt+8*i:])))
	}
	return order.Uint64(b[numberAt:]), array, nil
}

func printSample(s rtps.Sample) {
	number, array, err := parse(s.Payload)
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	sum := 0.0
	for _, v := range array {
		sum += v
	}
	fmt.Printf("%d %d %.17g\n", number, len(array), sum)
}

// ages collects how old samples are when they arrive.
type ages struct {
	mu         sync.Mutex
	us         []float64
	disordered int
	next       uint64
}

func (a *ages) take(s rtps.Sample) {
	number, array, err := parse(s.Payload)
	now := float64(monotonic())
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil || len(array) == 0 {
		a.disordered++
		return
	}
	a.us = append(a.us, (now-array[0])/1e3)
	if number != a.next {
		a.disordered++
	}
	a.next = number + 1
}

func (a *ages) print() {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := len(a.us)
	if n == 0 {
		fmt.Println("aged 0 0")
		return
	}
	slices.Sort(a.us)
	fmt.Printf("aged %d %d %.1f %.1f %.1f %.1f\n", n, a.disordered, a.us[n/2], a.us[n*9/10], a.us[n*99/100], a.us[n-1])
}

// monotonic is the clock that the other programs of this host read too.
func monotonic() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // cannot fail for this clock
	return time.Duration(t.Nano())
}

// sleepUntil sleeps in the kernel, as the other programs do: the timers of Go
// are coarser.
func sleepUntil(at time.Duration) {
	runtime.Gosched()
	t := unix.NsecToTimespec(at.Nanoseconds())
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &t, nil) == unix.EINTR {
	}
}

package scheduling

import (
	"io/fs"
	"strconv"
	"strings"
)

// IsolatedProcessor returns the isolated processor for loop number i of several, and -1 where
// there are fewer isolated processors than loops. root is the root of the file system.
func IsolatedProcessor(i, loops int, root fs.FS) int {
	if all := isolatedProcessors(root); len(all) >= loops {
		return all[i]
	}
	return -1
}

// isolatedProcessors lists the processors on which the kernel schedules only threads that
// are bound to them.
func isolatedProcessors(root fs.FS) (list []int) {
	const longest = 1024 // bounds the list that a malformed file gives
	text, err := fs.ReadFile(root, "sys/devices/system/cpu/isolated")
	if err != nil {
		return nil
	}
	for _, part := range strings.Split(strings.TrimSpace(string(text)), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil {
			return list
		}
		for n := first; n <= last && len(list) < longest; n++ {
			list = append(list, n)
		}
	}
	return list
}

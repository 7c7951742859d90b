package record

// packedList holds entries of a file's index until the end of the file is written. It grows for the
// whole recording. Therefore entries are packed, in blocks of one size: a growing slice would be
// copied, and the garbage collector would let memory grow by a multiple of it.
type packedList struct {
	blocks [][]byte
	n      int
}

// packedBlock is the size of a block, bytes.
const packedBlock = 16 << 10

// add appends an entry.
func (l *packedList) add(entry []byte) {
	last := len(l.blocks) - 1
	if last < 0 || len(l.blocks[last])+len(entry) > cap(l.blocks[last]) {
		l.blocks = append(l.blocks, make([]byte, 0, max(packedBlock, len(entry))))
		last++
	}
	l.blocks[last] = append(l.blocks[last], entry...)
	l.n++
}

// each calls use with the bytes from each entry on, in order, until one fails. use returns the
// bytes after the entry.
func (l *packedList) each(use func(b []byte) (rest []byte, err error)) (err error) {
	for _, b := range l.blocks {
		for len(b) > 0 {
			if b, err = use(b); err != nil {
				return err
			}
		}
	}
	return nil
}

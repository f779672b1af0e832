package data

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// IDX is the content of an IDX file of unsigned bytes, the format of MNIST and its successors: the sizes of an array,
// outermost first, and its entries in row-major order.
type IDX struct {
	Dims  []int
	Bytes []byte // as many as the product of Dims
}

// The limits of what [ReadIDX] accepts. MNIST's largest file has three dimensions and 47 million entries.
const (
	maxIDXDims  = 4
	maxIDXBytes = 1 << 28
)

// ReadIDX reads an IDX file, gzip-compressed or not. It refuses what is not one, element types other than unsigned
// byte, a file that is shorter or longer than its header says, and more than 2²⁸ entries. It never allocates more than
// the file turns out to hold.
//
// Source of the format: Y. LeCun, C. Cortes, C. Burges, The MNIST database of handwritten digits, "File formats".
func ReadIDX(r io.Reader) (*IDX, error) {
	in := bufio.NewReader(r)
	if head, err := in.Peek(2); err == nil && head[0] == 0x1f && head[1] == 0x8b {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("data: gzip: %w", err)
		}
		in = bufio.NewReader(unzipped)
	}
	var magic [4]byte
	if _, err := io.ReadFull(in, magic[:]); err != nil {
		return nil, fmt.Errorf("data: IDX header: %w", complete(err))
	}
	if magic[0] != 0 || magic[1] != 0 || magic[3] == 0 || magic[3] > maxIDXDims {
		return nil, fmt.Errorf("data: not an IDX file: it begins with % x", magic)
	}
	if magic[2] != 0x08 {
		return nil, fmt.Errorf("data: IDX element type 0x%02x; only unsigned bytes, 0x08, are read", magic[2])
	}
	x := &IDX{}
	size := int64(1)
	for range magic[3] {
		var n uint32
		if err := binary.Read(in, binary.BigEndian, &n); err != nil {
			return nil, fmt.Errorf("data: IDX sizes: %w", complete(err))
		}
		if size *= int64(n); size > maxIDXBytes || n > maxIDXBytes {
			return nil, fmt.Errorf("data: IDX sizes multiply to more than %d", maxIDXBytes)
		}
		x.Dims = append(x.Dims, int(n))
	}
	var err error
	if x.Bytes, err = io.ReadAll(io.LimitReader(in, size)); err != nil {
		return nil, fmt.Errorf("data: IDX entries: %w", err)
	}
	if int64(len(x.Bytes)) != size {
		return nil, fmt.Errorf("data: IDX file has %d entries, its header says %d", len(x.Bytes), size)
	}
	if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = fmt.Errorf("more than the %d entries of its header", size)
		}
		return nil, fmt.Errorf("data: IDX file has %w", err)
	}
	return x, nil
}

// complete turns an end of file in the middle of a header into one that was not expected.
func complete(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

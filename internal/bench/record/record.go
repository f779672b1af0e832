// Package record stores measurements in files, and turns them into the tables and figures of the documents and of the
// terminal, which can so be redrawn and checked without new measurements. A [Record] compares the kernels of this
// module with gonum and NumPy and places each in the roofline model; a [VCL] holds the times of steps of virtual
// covariance learning.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/strictjson"
)

// Schema is the version of the format.
const Schema = "thm.record/v1"

// Facts say what was measured, where and how.
type Facts struct {
	Schema  string `json:"schema"`
	Commit  string `json:"commit"` // of the code that was measured; empty outside of a repository
	Dirty   bool   `json:"dirty"`  // there were uncommitted changes
	Date    string `json:"date"`   // as 2026-11-21
	Command string `json:"command"`
	CPU     string `json:"cpu"`
	CPUs    int    `json:"cpus"`
	Load    string `json:"load"` // average number of running processes when the measurement began, or unknown
}

// Record is one measurement of the kernels.
type Record struct {
	Facts
	Peers    *peers.Report  `json:"peers"`
	Two      *peers.Report  `json:"two_threads,omitempty"` // of some operations, where there are two processors
	Gonum    []peers.Timing `json:"gonum"`
	Roofline Roofline       `json:"roofline"`
}

// Roofline is where kernels stand between the limits of the machine, on one thread.
type Roofline struct {
	Bytes  float64 `json:"bytes"` // bytes per second that memory delivers or takes
	Roofs  []Roof  `json:"roofs"`
	Points []Point `json:"points"`
}

// Roof is the peak of a kernel's instruction set.
type Roof struct {
	Impl  string  `json:"impl"`
	Flops float64 `json:"flops"` // per second
}

// Point is an operation on an implementation.
type Point struct {
	Impl      string  `json:"impl"`
	Operation string  `json:"operation"`
	Intensity float64 `json:"intensity"` // flops for each byte that must be moved
	Flops     float64 `json:"flops"`     // per second, best of the rounds
	Ratio     float64 `json:"ratio"`     // error of the result, divided by the rounding error bound
}

// Read reads a record and refuses one that does not fit.
func Read(file string) (*Record, error) { return read(file, new(Record)) }

// validated is a measurement that knows what does not fit.
type validated interface{ valid() error }

// read fills r from a file.
func read[R validated](file string, r R) (none R, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return none, err
	}
	if err := decode(b, r); err != nil {
		return none, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

func decode(b []byte, r validated) error {
	if err := strictjson.Decode(b, r); err != nil {
		return err
	}
	return r.valid()
}

// valid says what does not fit.
func (r *Record) valid() error {
	if r.Schema != Schema {
		return fmt.Errorf("schema is %q, want %q", r.Schema, Schema)
	}
	if r.Peers == nil || len(r.Peers.Peers) == 0 {
		return errors.New("peers are missing")
	}
	rows := r.Peers.Rows
	if r.Two != nil {
		rows = slices.Concat(rows, r.Two.Rows)
	}
	for _, row := range rows {
		for _, x := range []float64{row.OursSeconds, row.PeerSeconds, row.Ratio} {
			if !positive(x) {
				return fmt.Errorf("peers: %s at n = %d: %v is no time or ratio", row.Name, row.N, x)
			}
		}
	}
	for _, row := range r.Gonum {
		if !positive(row.Seconds) {
			return fmt.Errorf("gonum: %s at n = %d: %v is no time", row.Name, row.N, row.Seconds)
		}
	}
	for _, roof := range r.Roofline.Roofs {
		if !positive(roof.Flops) {
			return fmt.Errorf("roofline: the peak of %s is %v", roof.Impl, roof.Flops)
		}
	}
	for _, p := range r.Roofline.Points {
		if !positive(p.Intensity) || !positive(p.Flops) {
			return fmt.Errorf("roofline: %s of %s lies at %v, %v", p.Operation, p.Impl, p.Intensity, p.Flops)
		}
	}
	if !positive(r.Roofline.Bytes) {
		return fmt.Errorf("roofline: the bandwidth is %v", r.Roofline.Bytes)
	}
	return nil
}

// positive refuses NaN as well.
func positive(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// Encode writes a record as indented JSON.
func Encode(r *Record) ([]byte, error) { return encode(r) }

func encode(r validated) ([]byte, error) {
	if err := r.valid(); err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(r, "", "  ")
	return append(b, '\n'), err
}

package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// value is a flag that refuses what it cannot be with a sentence of its own.
type value[T any] struct {
	target *T
	kind   string
	parse  func(string) (T, error)
}

func (v value[T]) String() string {
	if v.target == nil {
		return ""
	}
	return fmt.Sprint(*v.target)
}

func (v value[T]) Type() string { return v.kind }

func (v value[T]) Set(text string) error {
	parsed, err := v.parse(text)
	if err == nil {
		*v.target = parsed
	}
	return err
}

// NewValue is a flag for the target, of the kind that the help names.
func NewValue[T any](target *T, kind string, parse func(string) (T, error)) pflag.Value {
	return value[T]{target, kind, parse}
}

// NoColorFlag registers the flag against colour.
func NoColorFlag(flags *pflag.FlagSet, target *bool) {
	flags.BoolVar(target, "no-color", false, "no colour; the variable NO_COLOR does the same")
}

// ParseSeed reads a seed.
func ParseSeed(text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, errors.New("a seed is a whole number from 0 to 2^64-1")
	}
	return n, nil
}

// ParseJobs reads how many things may run at a time.
func ParseJobs(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return 0, errors.New("jobs is a whole number from 1 to 65535")
	}
	return int(n), nil
}

package props

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/number"
)

type allKinds struct {
	X     float64
	Small float32
	Z     complex128
	N     int
	U     uint64
	Yes   bool
	Text  string
	Pair  [2]float64
	List  []number.Number
	By    map[string]float64
	At    *float64
	M     *mat.Dense
	Inner struct{ X float64 }
}

// Every bit of a measurement survives the journal: the sign of a zero, what a NaN carries, the smallest numbers, and
// what is nil next to what is empty.
func TestCodecKeepsEveryBit(t *testing.T) {
	bits := func(m allKinds) (out []uint64) {
		for _, x := range append([]float64{m.X, float64(m.Small), real(m.Z), imag(m.Z), m.Pair[0], m.Pair[1], m.By["x"],
			*m.At, m.Inner.X, float64(m.List[0])}, m.M.RawMatrix().Data...) {
			out = append(out, math.Float64bits(x))
		}
		return out
	}
	c := codecOf(reflect.TypeFor[allKinds]())
	require.NoError(t, c.valid())
	for _, x := range []float64{0, math.Copysign(0, -1), math.Float64frombits(0x7ff8dead0000beef),
		math.Float64frombits(0xfff0000000000001), math.Inf(-1), math.SmallestNonzeroFloat64, -0x1p-1060, math.MaxFloat64,
		math.Pi} {
		m := allKinds{x, float32(math.Copysign(0, -1)), complex(x, -x), -3, math.MaxUint64, true, "ε", [2]float64{x, -x},
			[]number.Number{number.Number(x)}, map[string]float64{"x": x, "y": 1}, &x, mat.NewDense(1, 2, []float64{x, -x}),
			struct{ X float64 }{x}}
		b, err := c.encode(m)
		require.NoError(t, err)
		back, err := c.decode(b)
		require.NoError(t, err)
		require.Equal(t, bits(m), bits(back.(allKinds)))
		for n := range len(b) {
			_, err := c.decode(b[:n])
			require.Error(t, err, "%d of %d bytes", n, len(b))
		}
	}
	for _, m := range []allKinds{{}, {List: []number.Number{}, By: map[string]float64{}}} {
		b, err := c.encode(m)
		require.NoError(t, err)
		back, err := c.decode(b)
		require.NoError(t, err)
		require.True(t, reflect.DeepEqual(m, back), "%#v", back)
	}
}

// What does not get smaller by compression stays as it is, so that no measurement takes more than a byte besides.
func TestMeasurementsDoNotGrow(t *testing.T) {
	c := codecOf(reflect.TypeFor[[3]float64]())
	unit, err := c.encode([3]float64{math.Pi, math.E, math.Phi})
	require.NoError(t, err)
	require.Len(t, unit, 1+3*8)
	c = codecOf(reflect.TypeFor[[99]float64]())
	unit, err = c.encode([99]float64{})
	require.NoError(t, err)
	require.Less(t, len(unit), 99)
}

// A type of which a part would not be written down is refused, and it is said which part.
func TestCodecRefusesWhatItWouldLose(t *testing.T) {
	type inner struct {
		//lint:ignore U1000 its name alone is read
		lost float64
	}
	type list struct {
		Next *list
		Size *mat.Dense
	}
	for want, kind := range map[string]reflect.Type{
		"":                          reflect.TypeFor[map[string][]list](),
		" is a func":                reflect.TypeFor[func()](),
		"[].lost is not exported":   reflect.TypeFor[[]inner](),
		" key.lost is not exported": reflect.TypeFor[map[inner]int](),
		".A.B[] is a interface":     reflect.TypeFor[struct{ A struct{ B []any } }](),
		"[] is a chan":              reflect.TypeFor[map[int]chan int](),
	} {
		err := codecOf(kind).valid()
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, "a measurement must be a plain value, and "+kind.String()+want)
	}
}

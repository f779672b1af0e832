package number

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNumber(t *testing.T) {
	for text, x := range map[string]float64{
		`"NaN"`: math.NaN(), `"Infinity"`: math.Inf(1), `"-Infinity"`: math.Inf(-1), `0`: 0, `-1.5`: -1.5,
		`5e-324`: math.SmallestNonzeroFloat64,
	} {
		b, err := json.Marshal(Number(x))
		require.NoError(t, err)
		require.Equal(t, text, string(b))
	}
	for _, text := range []string{`"nan"`, `"inf"`, `"+Infinity"`, `""`, `"1"`, `null`, `true`, `[1]`, `{}`, `1e999`,
		``} {
		var x Number
		require.Error(t, json.Unmarshal([]byte(text), &x), "%q is read as %v", text, x)
	}
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.Uint64().Draw(t, "bits")
		b, err := json.Marshal(Number(math.Float64frombits(bits)))
		require.NoError(t, err)
		if x := math.Float64frombits(bits); !math.IsNaN(x) && !math.IsInf(x, 0) {
			plain, err := json.Marshal(x)
			require.NoError(t, err)
			require.Equal(t, string(plain), string(b))
		}
		var back Number
		require.NoError(t, json.Unmarshal(b, &back))
		if x := math.Float64frombits(bits); !math.IsNaN(x) || !math.IsNaN(float64(back)) { // NaN has many bit patterns
			require.Equal(t, bits, math.Float64bits(float64(back)))
		}
	})
}

func TestList(t *testing.T) {
	for text, xs := range map[string]List{`[]`: nil,
		`[1,1e-7,0.000001,1e+21,-0]`:   {1, 1e-7, 1e-6, 1e21, math.Copysign(0, -1)},
		`[0,"NaN","-Infinity",5e-324]`: {0, math.NaN(), math.Inf(-1), math.SmallestNonzeroFloat64}} {
		b, err := json.Marshal(xs)
		require.NoError(t, err)
		require.Equal(t, text, string(b))
		var back List
		require.NoError(t, json.Unmarshal(b, &back))
		again, err := json.Marshal(back)
		require.NoError(t, err)
		require.Equal(t, text, string(again))
	}
	for _, text := range []string{`["nan"]`, `[null]`, `{}`, `1`} {
		var xs List
		require.Error(t, json.Unmarshal([]byte(text), &xs), "%q is read as %v", text, xs)
	}
}

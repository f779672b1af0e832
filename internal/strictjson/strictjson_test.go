package strictjson

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDecode(t *testing.T) {
	var x struct{ A int }
	require.NoError(t, Decode([]byte(" {\"A\": 3}\n"), &x))
	require.Equal(t, 3, x.A)
	for text, want := range map[string]string{
		"": "there is no JSON value", " \n": "there is no JSON value", `{"B": 1}`: `unknown field "B"`,
		`{} {}`: "something follows the JSON value",
		`{}x`:   "something follows the JSON value", `{"A": `: "unexpected EOF", `{"A": "1"}`: "cannot unmarshal",
	} {
		require.ErrorContains(t, Decode([]byte(text), &x), want, text)
	}
}

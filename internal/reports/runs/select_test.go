package runs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

func called(slugs ...string) []props.Claim {
	var claims []props.Claim
	for _, slug := range slugs {
		claims = append(claims, props.Claim{Statement: &theory.Statement{Slug: slug}})
	}
	return claims
}

func TestSelect(t *testing.T) {
	claims := called("vcl/residual", "vcl/lipschitz", "onestep/spike", "latent/series")
	for _, c := range []struct {
		patterns []string
		want     []props.Claim
	}{
		{nil, claims},
		{[]string{"*"}, claims},
		{[]string{"*/*"}, claims},
		{[]string{"vcl/*"}, claims[:2]},
		{[]string{"residual"}, claims[:1]},
		{[]string{"*spi*"}, claims[2:3]},
		// catalogue order, each once
		{[]string{"onestep/s*", "vcl/residual", "residual"}, called("vcl/residual", "onestep/spike")},
	} {
		got, err := Select(claims, c.patterns...)
		require.NoError(t, err)
		require.Equal(t, c.want, got, c.patterns)
	}
}

func TestSelectSaysWhatWouldBeRight(t *testing.T) {
	claims := called("vcl/residual", "vcl/lipschitz", "onestep/spike", "latent/series")
	for pattern, want := range map[string]string{
		"vcl/resdiual":     `no claim matches "vcl/resdiual"; nearest: vcl/residual, `, // a swap is one edit
		"residuals":        `no claim matches "residuals"; nearest: vcl/residual, `,
		"latnet/*":         `no claim matches "latnet/*"; nearest: latent/*, `,
		"":                 `no claim matches ""; nearest: `,
		"vcl/[":            `pattern "vcl/[" is malformed`,
		"vcl/residual/one": `no claim matches "vcl/residual/one"; nearest: vcl/residual, `,
	} {
		_, err := Select(claims, pattern)
		require.ErrorContains(t, err, want)
	}
	_, err := Select(nil, "x")
	require.ErrorContains(t, err, `no claim matches "x"`)
}

func TestOne(t *testing.T) {
	claims := called("vcl/residual", "vcl/lipschitz")
	c, err := One(claims, "lipschitz")
	require.NoError(t, err)
	require.Equal(t, "vcl/lipschitz", c.Statement.Slug)
	_, err = One(claims, "vcl/*")
	require.ErrorContains(t, err, `"vcl/*" names 2 claims, not one: vcl/residual, vcl/lipschitz`)
	_, err = One(claims, "lipschits")
	require.ErrorContains(t, err, "nearest: vcl/lipschitz")
}

// Anything with a name and a title is selected in the same way.
func TestChoose(t *testing.T) {
	words := func(name string) (string, string) { return name, "Training" }
	all := []string{"vcl/covariance", "vcl/newton-schulz", "vcl/training"}
	for _, c := range []struct{ patterns, want []string }{
		{nil, all}, {[]string{"vcl"}, all}, {[]string{"training", "vcl/c*"}, []string{all[0], all[2]}},
	} {
		got, err := Choose("experiment", all, words, c.patterns...)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err := Choose("experiment", all, words, "trainig")
	require.ErrorContains(t, err, `no experiment matches "trainig"; nearest: vcl/training`)
}

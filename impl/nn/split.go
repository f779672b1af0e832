package nn

import "github.com/thm-suite/thm/internal/impl/dense"

// Split returns a copy of the model that computes the same with one stage more: stage l, of weights W (out×in), has
// become a linear one of the weights W, without bias, and after it one of the identity (out×out), with the bias,
// activation and pooling of stage l. Of a convolution the second one is a convolution of patches of one pixel. It
// panics if there is no stage l.
func (m *Model) Split(l int) *Model {
	c := m.Clone()
	if l < 0 || l >= len(c.Stages) {
		panic("nn: there is no such stage to split")
	}
	first, second := c.Stages[l], c.Stages[l]
	first.B, first.Act, first.Pool = nil, Identity, 0
	out, _ := first.W.Dims()
	second.W = dense.Identity(out)
	if first.Conv != nil {
		down, across := first.Conv.Sites()
		second.Conv = &Conv{Height: down, Width: across, Channels: out, Size: 1, Stride: 1}
	}
	c.Stages = append(c.Stages[:l], append([]Stage{first, second}, c.Stages[l+1:]...)...)
	return c
}

// Joined returns a copy of the model that computes the same with fewer stages: a linear stage without bias and pooling
// has been multiplied into the next one, where that is dense or sees single pixels. It undoes every [Model.Split].
func (m *Model) Joined() *Model {
	c := m.Clone()
	for l := 0; l+1 < len(c.Stages); {
		first, second := c.Stages[l], c.Stages[l+1]
		linear := first.B == nil && first.Act.Name == Identity.Name && first.Pool == 0
		v := second.Conv
		pixels := v != nil && *v == Conv{Height: v.Height, Width: v.Width, Channels: v.Channels, Size: 1, Stride: 1}
		if fits := linear && (first.Conv == nil && second.Conv == nil || first.Conv != nil && pixels); !fits {
			l++
			continue
		}
		second.W, second.Conv = dense.Mul(second.W, first.W), first.Conv
		c.Stages = append(c.Stages[:l], append([]Stage{second}, c.Stages[l+2:]...)...)
	}
	return c
}

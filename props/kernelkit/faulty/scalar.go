package faulty

import (
	"math"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props/kernelkit/internal/blaskit"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// scalarFaults are those that the checks of routines that return numbers must reject; add here.
var scalarFaults = map[string][]Fault{
	"nrm2/huge and tiny": {replaced("nrm2", "squares summed as they are", naiveNorm)},
	"idamax/first largest": {
		replaced("idamax", "last of several", best(func(x, y float64) bool { return math.Abs(x) >= math.Abs(y) })),
		replaced("idamax", "sign not dropped", best(func(x, y float64) bool { return x > y })),
		replaced("idamax", "bad arguments accepted", func(_ *routine, a *args, sound func(*args)) {
			if _, panicked := kit.Attempt(func() { sound(a) }); panicked {
				a.Results = []float64{0}
			}
		}),
	},
	"level1/negative increment": {
		replaced("nrm2", "negative increment taken as positive", func(_ *routine, a *args, sound func(*args)) {
			a.IncX = max(a.IncX, -a.IncX)
			sound(a)
		}),
	},
	"rotg/rotation": {
		replaced("rotg", "wrong sign of the sine", returning(func(r []float64) { r[1] = -r[1] })),
		replaced("rotg", "overflow in the squares", naiveRotation),
		replaced("rotg", "z is always the sine", returning(func(r []float64) { r[3] = r[1] })),
	},
	"rotmg/modified rotation": {
		replaced("rotmg", "H transposed", func(_ *routine, a *args, sound func(*args)) {
			sound(a)
			a.Param.H[1], a.Param.H[2] = a.Param.H[2], a.Param.H[1]
		}),
		replaced("rotmg", "factors not updated", func(_ *routine, a *args, sound func(*args)) {
			sound(a)
			a.Results[0], a.Results[1] = a.D1, a.D2
		}),
	},
}

// replaced is a fault of one routine.
func replaced(routine, name string, w wrong) Fault {
	return Fault{Name: routine + ": " + name, Break: func(k kernel.Kernel) kernel.Kernel {
		return interpose(k, blaskit.RoutineNamed(routine), w)
	}}
}

// returning is a fault that changes what a sound routine returns.
func returning(change func([]float64)) wrong {
	return func(_ *routine, a *args, sound func(*args)) {
		sound(a)
		change(a.Results)
	}
}

func naiveNorm(_ *routine, a *args, _ func(*args)) {
	s := 0.0
	for i := range a.N {
		x := a.X.At(i * a.IncX)
		s = a.Precision.Round(s + a.Precision.Round(x*x))
	}
	a.Results = []float64{a.Precision.Round(math.Sqrt(s))}
}

// best is the index of an element that none after it is better than.
func best(better func(x, y float64) bool) wrong {
	return func(_ *routine, a *args, _ func(*args)) {
		found := -1
		for i := range a.N {
			if found < 0 || better(a.X.At(i*a.IncX), a.X.At(found*a.IncX)) {
				found = i
			}
		}
		a.Results = []float64{float64(found)}
	}
}

func naiveRotation(_ *routine, a *args, sound func(*args)) {
	sound(a)
	p := a.Precision
	r := p.Round(math.Sqrt(p.Round(p.Round(a.Alpha*a.Alpha) + p.Round(a.Beta*a.Beta))))
	a.Results[0], a.Results[1], a.Results[2] = p.Round(a.Alpha/r), p.Round(a.Beta/r), r
}

package mathml

// identifiers maps letters that LaTeX spells out.
var identifiers = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ",
	"eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
	"xi": "ξ", "pi": "π", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "ϕ",
	"varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
	"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
	"Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
	"ell": "ℓ", "partial": "∂", "nabla": "∇", "infty": "∞", "emptyset": "∅", "varnothing": "∅", "hbar": "ℏ",
	"top": "⊤", "bot": "⊥", "dagger": "†", "prime": "′", "Re": "ℜ", "Im": "ℑ", "forall": "∀", "exists": "∃",
	"ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱", "%": "%", "#": "#", "&": "&", "_": "_",
}

// operators maps binary operators and relations. Their spacing is MathML's own.
var operators = map[string]string{
	"le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼",
	"simeq": "≃", "cong": "≅", "propto": "∝", "ll": "≪", "gg": "≫", "lesssim": "≲", "gtrsim": "≳", "succeq": "⪰",
	"preceq": "⪯", "succ": "≻", "prec": "≺", "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "subseteq": "⊆",
	"cup": "∪", "cap": "∩", "setminus": "∖", "to": "→", "rightarrow": "→", "leftarrow": "←", "mapsto": "↦",
	"Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "iff": "⟺", "implies": "⟹", "longrightarrow": "⟶",
	"perp": "⊥", "parallel": "∥", "mid": "∣", "coloneqq": "≔", "pm": "±", "mp": "∓", "cdot": "⋅", "times": "×",
	"div": "÷", "odot": "⊙", "oplus": "⊕", "ominus": "⊖", "otimes": "⊗", "circ": "∘", "bullet": "∙", "ast": "∗",
	"star": "⋆", "wedge": "∧", "vee": "∨", "neg": "¬", "lnot": "¬", "colon": ":",
}

// big maps operators that carry their limits below and above in a displayed formula. An integral carries them at the
// side.
var big = map[string]string{"sum": "∑", "prod": "∏", "coprod": "∐", "bigcup": "⋃", "bigcap": "⋂", "bigotimes": "⨂",
	"bigoplus": "⨁"}

// integrals carry their limits at the side.
var integrals = map[string]string{"int": "∫", "iint": "∬", "oint": "∮"}

// limits lists named operators with a limit below.
var limits = map[string]string{"lim": "lim", "limsup": "lim sup", "liminf": "lim inf", "min": "min", "max": "max",
	"sup": "sup", "inf": "inf", "argmin": "arg min", "argmax": "arg max", "Pr": "Pr", "det": "det", "gcd": "gcd"}

// functions lists named operators without limits.
var functions = map[string]bool{"log": true, "exp": true, "ln": true, "cos": true, "sin": true, "tan": true,
	"cosh": true, "sinh": true, "tanh": true, "arccos": true, "arcsin": true, "arctan": true, "erf": true, "erfc": true,
	"sign": true, "sgn": true, "dim": true, "ker": true, "rank": true, "tr": true, "deg": true, "arg": true,
	"mod": true}

// opening and closing are fences. Outside \left and \right they keep their size.
var opening = map[string]string{"langle": "⟨", "lVert": "‖", "lvert": "|", "lfloor": "⌊", "lceil": "⌈", "{": "{",
	"lbrace": "{", "lbrack": "["}

var closing = map[string]string{"rangle": "⟩", "rVert": "‖", "rvert": "|", "rfloor": "⌋", "rceil": "⌉", "}": "}",
	"rbrace": "}", "rbrack": "]"}

// bars maps fences that look the same on both sides.
var bars = map[string]string{"|": "‖", "Vert": "‖", "vert": "|"}

// accents stand above their argument; the value says whether they stretch over it.
var accents = map[string]struct {
	mark    string
	stretch bool
}{
	"hat": {"ˆ", false}, "tilde": {"˜", false}, "bar": {"¯", false}, "dot": {"˙", false}, "ddot": {"¨", false},
	"vec": {"→", false}, "check": {"ˇ", false}, "widehat": {"ˆ", true}, "widetilde": {"˜", true},
}

// spaces maps commands to widths in em.
var spaces = map[string]string{",": "0.167em", ":": "0.222em", ">": "0.222em", ";": "0.278em", "!": "-0.167em",
	" ": "0.333em", "quad": "1em", "qquad": "2em"}

// sizes maps commands to the heights of fences that are sized by hand.
var sizes = map[string]string{"big": "1.2em", "bigl": "1.2em", "bigr": "1.2em", "Big": "1.8em", "Bigl": "1.8em",
	"Bigr": "1.8em", "bigg": "2.4em", "biggl": "2.4em", "biggr": "2.4em"}

// alphabet is a range of styled letters in Unicode's mathematical block: the first code point of the capitals, the
// small letters and the digits (0 where there are none), and the letters that Unicode encoded elsewhere first.
type alphabet struct {
	upper, lower, digit rune
	elsewhere           map[rune]rune
}

var alphabets = map[string]alphabet{
	"mathbf":     {upper: 0x1D400, lower: 0x1D41A, digit: 0x1D7CE},
	"boldsymbol": {upper: 0x1D468, lower: 0x1D482, digit: 0x1D7CE},
	"mathbb": {upper: 0x1D538, lower: 0x1D552, digit: 0x1D7D8,
		elsewhere: map[rune]rune{'C': 'ℂ', 'H': 'ℍ', 'N': 'ℕ', 'P': 'ℙ', 'Q': 'ℚ', 'R': 'ℝ', 'Z': 'ℤ'}},
	"mathcal": {upper: 0x1D49C, lower: 0x1D4B6,
		elsewhere: map[rune]rune{'B': 'ℬ', 'E': 'ℰ', 'F': 'ℱ', 'H': 'ℋ', 'I': 'ℐ', 'L': 'ℒ', 'M': 'ℳ', 'R': 'ℛ',
			'e': 'ℯ', 'g': 'ℊ', 'o': 'ℴ'}},
}

// boldGreek is where bold Greek begins, upright for \mathbf.
const (
	boldAlphaUpper = 0x1D6A8
	boldAlphaLower = 0x1D6C2
)

// letter returns the styled form of a letter or digit, and whether there is one.
func (a alphabet) letter(r rune) (rune, bool) {
	if s, ok := a.elsewhere[r]; ok {
		return s, true
	}
	bold := a.digit == 0x1D7CE
	switch {
	case 'A' <= r && r <= 'Z':
		return a.upper + r - 'A', true
	case 'a' <= r && r <= 'z':
		return a.lower + r - 'a', true
	case '0' <= r && r <= '9' && a.digit != 0:
		return a.digit + r - '0', true
	case 'Α' <= r && r <= 'Ω' && bold:
		return boldAlphaUpper + r - 'Α', true
	case 'α' <= r && r <= 'ω' && bold:
		return boldAlphaLower + r - 'α', true
	}
	return 0, false
}

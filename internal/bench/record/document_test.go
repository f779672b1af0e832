package record

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/bench/vcl"
	"github.com/thm-suite/thm/internal/terminal"
)

// The published measurements can be drawn: every operation has its row, and every implementation its colour and roof.
func TestPublishedMeasurements(t *testing.T) {
	const root = "../../.."
	r, err := readRecord(root)
	require.NoError(t, err)
	speed, err := Speed(root)
	require.NoError(t, err)
	for _, row := range r.Peers.Rows {
		require.Contains(t, speed, "| "+row.Name+" | ")
	}
	for _, s := range scalings {
		require.Contains(t, threads(r), "| "+s.name+" | 1024 | ")
	}
	roofline, err := RooflineFigure(root)
	require.NoError(t, err)
	for _, roof := range r.Roofline.Roofs {
		require.Contains(t, roofline, roof.Impl)
	}
	steps, err := VCLSection(root)
	require.NoError(t, err)
	require.NotContains(t, steps, noBreak)
	figure, err := VCLFigure(root)
	require.NoError(t, err)
	require.Equal(t, 1+4, strings.Count(figure, "<svg "), "four panels in a frame")
	_, err = Speed(t.TempDir())
	require.ErrorContains(t, err, "measure it with "+KernelsCommand)
	_, err = VCLSection(t.TempDir())
	require.ErrorContains(t, err, "measure it with "+VCLCommand)
}

// Machines stand side by side, each with the ratio to its fastest peer, and "-" where one has no such row.
func TestMachinesSideBySide(t *testing.T) {
	machine := func(cpu string, rows ...peers.Row) *Record {
		return &Record{Facts: Facts{CPU: cpu}, Peers: &peers.Report{Kernel: "avx2", Rows: rows}}
	}
	row := func(name string, n int, peer string, ratio, seconds float64) peers.Row {
		return peers.Row{Name: name, N: n, Peer: peer, PeerSeconds: seconds,
			Ratio: ratio, Paired: ratio, Low: ratio - 0.1, High: ratio + 0.1}
	}
	one := machine("A", row("qr", 8, "slow", 0.5, 2), row("qr", 8, "fast", 0.9, 1))
	require.Empty(t, sideBySide([]*Record{one}))
	two := machine("B", row("qr", 8, "fast", 0.7, 1), row("qr", 4, "fast", 0.6, 1), row("matmul", 8, "fast", 0.8, 1))
	table := sideBySide([]*Record{one, two})
	for _, line := range []string{"| operation | n | A, avx2 | B, avx2 |\n",
		"| matmul | 8 | - | 0.80 (0.70 to 0.90) |\n| qr | 4 |",
		"| qr | 8 | 0.90 (0.80 to 1.00) | 0.70 (0.60 to 0.80) |\n"} {
		require.Contains(t, table, line)
	}
}

// On two threads a machine shows its gain over one thread and the ratio to its fastest peer, which is not itself.
func TestTwoThreads(t *testing.T) {
	row := func(peer string, ratio, seconds float64) peers.Row {
		return peers.Row{Name: "eigh", N: 512, Peer: peer, PeerSeconds: seconds, Paired: ratio, Low: ratio / 2,
			High: ratio * 2}
	}
	without := &Record{Facts: Facts{CPU: "A"}}
	require.Empty(t, onTwoThreads([]*Record{without}))
	with := &Record{Facts: Facts{CPU: "B"}, Two: &peers.Report{
		Rows: []peers.Row{row("slow", 0.4, 3), row("fast", 0.8, 2), row(peers.OneThread, 0.625, 1)}}}
	require.Contains(t, onTwoThreads([]*Record{without, with}),
		"| operation | n | B: gain | thm / NumPy |\n| --- | ---: | ---: | ---: |\n"+
			"| eigh | 512 | 1.60 (0.80 to 3.20) | 0.80 (0.40 to 1.60) |\n")
}

func TestRoofIsTheLowerOfMemoryAndArithmetic(t *testing.T) {
	c := roofCurve(&Record{Roofline: Roofline{Bytes: 10e9}}, Roof{Impl: "k", Flops: 50e9}, 1, 20)
	require.EqualValues(t, []float64{1, 5, 20}, c.X)
	require.EqualValues(t, []float64{10, 50, 50}, c.Y)
}

// Sixteen threads gain sixteen times where nothing waits, elsewhere what blocks and memory allow; without times there
// is no model.
func TestModelOfThreads(t *testing.T) {
	require.InDelta(t, 1./16, scaling{}.on(16, 1024, 1, 1, 2)-meeting, 1e-12)
	require.InDelta(t, 1./9, scaling{}.on(16, 256, 1, 1, 2)-meeting, 1e-12, "18 blocks")
	require.InDelta(t, 0.5/16+0.5/2, scaling{meetings: 1}.on(16, 1024, 1, 0.5, 2)-1024*meeting, 1e-12)
	require.Empty(t, threads(&Record{Peers: &peers.Report{}}))
}

func TestPeersPaintOnlyWhatIsCertain(t *testing.T) {
	r := &peers.Report{Notes: []string{"slow"}}
	for _, x := range []float64{0.5, 1, 2} {
		r.Rows = append(r.Rows, peers.Row{Ratio: x, Paired: x, Low: x - 0.1, High: x + 0.1})
	}
	lines := strings.Split(Peers(r, terminal.Style{On: true}), "\n")
	require.Contains(t, lines[1], "\x1b[32m0.500")
	require.NotContains(t, lines[2], "\x1b[")
	require.Contains(t, lines[3], "\x1b[31m2.000")
	require.Equal(t, "note: slow", lines[4])
}

func TestWhatIsAskedForIsMetOrMissed(t *testing.T) {
	step := vcl.VCLStep{Exact: true, Error: 1e-14, Seconds: 1, Full: 16, SGD: 0.5,
		Target: &vcl.Target{Faster: 15, Error: 1e-11}}
	require.Equal(t, "15× at 1e-11: met", barCell(step).Text)
	step.Full = 14
	require.Equal(t, "15× at 1e-11: missed", barCell(step).Text)
	require.Equal(t, terminal.Red, barCell(step).Colour)
	step.Target = nil
	require.Equal(t, terminal.Text(""), barCell(step))
}

package record

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/list"
)

// MoreKernelsFiles are measurements of [KernelsFile] on further machines, which stand next to it; the star is a name.
const MoreKernelsFiles = "reports/published/kernels-*.json"

// readMachines reads all measurements of the kernels, that of KernelsFile first.
func readMachines(root string) ([]*Record, error) {
	first, err := readRecord(root)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(root, MoreKernelsFiles))
	if err != nil {
		return nil, err
	}
	all := []*Record{first}
	slices.Sort(files)
	for _, file := range files {
		r, err := Read(file)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// sideBySide is a table with a column for each machine: the ratio to the fastest NumPy of that machine. It is empty for
// a single machine.
func sideBySide(machines []*Record) string {
	if len(machines) < 2 {
		return ""
	}
	var out strings.Builder
	out.WriteString("On each machine, the time divided by that of the fastest NumPy of the same run:\n\n| operation | n |")
	for _, m := range machines {
		fmt.Fprintf(&out, " %s, %s |", m.CPU, m.Peers.Kernel)
	}
	out.WriteString("\n| --- | ---: |" + strings.Repeat(" ---: |", len(machines)) + "\n")
	for _, row := range rowsOfAny(machines, onOneThread) {
		fmt.Fprintf(&out, "| %s | %d |", row.Name, row.N)
		for _, m := range machines {
			out.WriteString(" " + fastestCell(m.Peers, row, notAlone) + " |")
		}
		out.WriteString("\n")
	}
	out.WriteString("\n")
	for _, m := range machines[1:] {
		out.WriteString(provenanceLines(m) + "\n\n")
	}
	return out.String()
}

// onTwoThreads returns a table with two columns for each machine: how many times as fast this module is as on one
// thread, and the ratio to the fastest NumPy on two. It is empty if no machine was measured so.
func onTwoThreads(machines []*Record) string {
	machines = slices.DeleteFunc(slices.Clone(machines), func(m *Record) bool { return m.Two == nil })
	if len(machines) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("On two threads of each machine, by the clock: how many times as fast this module is as on one " +
		"thread, and\nits time divided by that of the fastest NumPy on two threads:\n\n| operation | n |")
	for _, m := range machines {
		fmt.Fprintf(&out, " %s: gain | thm / NumPy |", m.CPU)
	}
	out.WriteString("\n| --- | ---: |" + strings.Repeat(" ---: | ---: |", len(machines)) + "\n")
	for _, row := range rowsOfAny(machines, func(m *Record) *peers.Report { return m.Two }) {
		fmt.Fprintf(&out, "| %s | %d |", row.Name, row.N)
		for _, m := range machines {
			fmt.Fprintf(&out, " %s | %s |", gainCell(m.Two, row), fastestCell(m.Two, row, notAlone))
		}
		out.WriteString("\n")
	}
	return out.String() + "\n"
}

// onOneThread is the part of a record that every record has.
func onOneThread(m *Record) *peers.Report { return m.Peers }

// rowsOfAny lists each operation and size that a machine has once, in the order of the operations.
func rowsOfAny(machines []*Record, report func(*Record) *peers.Report) []peers.Row {
	var rows []peers.Row
	for _, m := range machines {
		for _, row := range report(m).Rows {
			if !slices.ContainsFunc(rows, func(x peers.Row) bool { return x.Name == row.Name && x.N == row.N }) {
				rows = append(rows, row)
			}
		}
	}
	names := peers.Operations()
	slices.SortStableFunc(rows, func(x, y peers.Row) int {
		return cmp.Or(slices.Index(names, x.Name)-slices.Index(names, y.Name), x.N-y.N)
	})
	return rows
}

// fastestCell is the ratio of a row to that of the chosen peers that takes least time, with its interval.
func fastestCell(r *peers.Report, row peers.Row, chosen func(peers.Row) bool) string {
	rows := list.Where(r.Rows, func(x peers.Row) bool { return x.Name == row.Name && x.N == row.N && chosen(x) })
	if len(rows) == 0 {
		return "-"
	}
	fastest := slices.MinFunc(rows, func(x, y peers.Row) int { return cmp.Compare(x.PeerSeconds, y.PeerSeconds) })
	return fmt.Sprintf("%.2f (%.2f to %.2f)", fastest.Paired, fastest.Low, fastest.High)
}

// notAlone reports whether a row compares with NumPy, not with this module on one thread.
func notAlone(row peers.Row) bool { return row.Peer != peers.OneThread }

// gainCell is how many times as fast this module is as on one thread, with its interval.
func gainCell(r *peers.Report, row peers.Row) string {
	for _, x := range r.Rows {
		if x.Name == row.Name && x.N == row.N && x.Peer == peers.OneThread {
			return fmt.Sprintf("%.2f (%.2f to %.2f)", 1/x.Paired, 1/x.High, 1/x.Low)
		}
	}
	return "-"
}

package emergence

import (
	"fmt"
	"slices"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props/figure"
)

// The claims about the student.
const (
	slower = "slower"
	worse  = "worse"
)

var teacherClaims = []experiment.Claim{
	{ID: slower, Title: "Injected inputs are learnt more slowly", Sentence: "After a tenth of the epochs the student " +
		"agrees with the teacher more often on pictures than on injected inputs.",
		Quantity: "difference of the agreements", Points: true},
	{ID: worse, Title: "Injected inputs are learnt worse", Sentence: "At the end the student agrees with the teacher " +
		"more often on pictures than on injected inputs.", Quantity: "difference of the agreements", Points: true},
}

func judgeTeacher(set experiment.Setting, s TeacherSizes,
	runs []experiment.Run[TeacherCell, Student]) experiment.Judgement {
	out := experiment.Judgement{Setup: []string{
		fmt.Sprintf("A teacher with %d hidden ReLU units is trained on the labels of %d pictures, pixels in [0, 1] "+
			"less their mean. A student of the same shape is trained on the teacher's answers to these pictures and "+
			"to as many injected inputs. Both take %d epochs of gradient descent on the cross-entropy in batches of "+
			"%d, η = %g. Agreement is on %d new pictures and on as many new injected inputs.", s.Hidden, s.Train,
			s.Epochs, s.Batch, s.Rate, s.Tests),
		fmt.Sprintf("Injected inputs are Gaussian, of the mean squared length of the pictures: isotropic, or with the "+
			"covariance of %d of the pictures. The paper's main text says no more than that the teacher has two "+
			"layers and m = 9; sizes and rates are ours.", s.Span),
		"All runs are on the same pictures and differ in the start of both networks, the order of the samples " +
			"and the injected inputs: what other pictures would give is not in the intervals." + overRuns}}
	for _, d := range set.Datasets {
		for _, inputs := range injections {
			of := experiment.Among(runs, func(c TeacherCell) bool { return c.Dataset == d && c.Inputs == inputs })
			ahead := func(claim string, epoch int) {
				gap := experiment.Mean(of, func(st Student) float64 { return st.Pictures[epoch] - st.Injected[epoch] })
				f := experiment.Finding{Claim: claim, Row: experiment.Title(d), Column: inputs, Slack: 0.005}
				out.Findings = append(out.Findings, f.AtLeast(0, gap, len(of) >= set.Runs))
			}
			ahead(slower, max(1, s.Epochs/10))
			ahead(worse, s.Epochs)
			if len(of) > 0 {
				fig := agreement(d, inputs, of)
				if out.Cover.ID == "" {
					out.Cover = fig
				}
				out.Sections = append(out.Sections, experiment.Section{Title: experiment.Title(d) + " and " + inputs,
					Figures: []figure.Figure{fig}, Table: studentsTable(of)})
			}
		}
	}
	return out
}

// agreement draws agreement over epochs.
func agreement(dataset, inputs string, runs []Student) figure.Figure {
	f := figure.Figure{ID: map[string]string{isotropic: "isotropic-", shaped: "shaped-"}[inputs] + dataset,
		Title: "Agreement with the teacher", Caption: fmt.Sprintf("Agreement of the student with the teacher on new "+
			"pictures of %s and on new injected inputs, %s, over epochs: mean and range of the runs. Dashed: share of "+
			"the teacher's most frequent answer on injected inputs, mean of the runs.", experiment.Title(dataset), inputs),
		X: figure.Axis{Label: "epoch"}, Y: figure.Axis{Label: "agreement"}}
	epochs := experiment.Numbers(len(runs[0].Pictures))
	share, _, _ := experiment.Spread(runs, func(s Student) float64 { return s.Largest[1] })
	f.Curves = slices.Concat(
		experiment.MeanAndRange("pictures", epochs, runs, func(s Student, epoch int) float64 { return s.Pictures[epoch] }),
		experiment.MeanAndRange(inputs, epochs, runs, func(s Student, epoch int) float64 { return s.Injected[epoch] }),
		[]figure.Curve{{Name: "most frequent answer", Style: figure.Dashed, X: []float64{0, epochs[len(epochs)-1]},
			Y: []float64{share, share}}})
	return f
}

// studentsTable lists the runs.
func studentsTable(runs []Student) *experiment.Table {
	t := &experiment.Table{Columns: []string{"", "teacher's accuracy", "agreement on pictures", "on injected inputs",
		"most frequent answer on pictures", "on injected inputs"}}
	for i, s := range runs {
		row := []string{fmt.Sprintf("run %d", i+1)}
		for _, x := range []float64{s.Teacher, s.Pictures[len(s.Pictures)-1], s.Injected[len(s.Injected)-1],
			s.Largest[0], s.Largest[1]} {
			row = append(row, fmt.Sprintf("%.3f", x))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

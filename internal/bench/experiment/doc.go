// Package experiment repeats published experiments and turns their authors' statements about the plots into statements
// that can fail. An experiment is a [Spec]: the cells of a training run, each computed separately, and a judgement of
// all runs. The folders vcl, emergence, latent, onestep and tangent hold the experiments of the five sources; all lists
// them, and the reports of claims have a page for each.
//
// The claims are empirical, and so are the verdicts: they are about the data sets, sizes and networks of the run. Their
// intervals are over independent runs at level [Alpha] each, and are not part of the suite's error budget.
package experiment

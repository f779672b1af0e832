package main
import ("fmt";"context"
"github.com/thm-suite/thm/reports/mathml"
"github.com/thm-suite/thm/theory"
"github.com/thm-suite/thm/props"
pl "github.com/thm-suite/thm/props/latent"
"github.com/thm-suite/thm/props/catalog"
"github.com/thm-suite/thm/theory/latent")
func main(){ for _,s:=range []theory.Statement{latent.HermiteSeries,latent.Hessian} { m,err:=mathml.Convert(s.TeX); fmt.Println(len(m),err)
 q,err:=s.Evaluate(nil); fmt.Println(err); for _,x:=range q {fmt.Printf("  %s %s = %.6g  %s\n",x.Name,x.Symbol,x.Value,x.Meaning)}}
 fmt.Println(catalog.Unchecked(pl.Claims),catalog.Untouched(pl.Claims),catalog.Unrefuted(pl.Claims),catalog.Ambiguous(pl.Claims),catalog.Unpredictable([]*theory.Statement{&latent.HermiteSeries,&latent.Hessian}))
 r:=props.Run(context.Background(),pl.Claims,props.Options{Effort:props.Quick,Seed:1}); fmt.Println(catalog.Overspent(r), r.Run.FalseAlarm, r.ExitCode())
}

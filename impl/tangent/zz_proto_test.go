package tangent_test
import ("testing";"math";"math/rand/v2";"fmt";"time"
"gonum.org/v1/gonum/mat"
"gonum.org/v1/gonum/floats"
"github.com/thm-suite/thm/impl/tangent"
"github.com/thm-suite/thm/impl/linalg")
func TestProto(t *testing.T){
 for _, cfg := range []struct{n,d,w,ep int; rate float64; ks []int; scale float64}{
  {64,8,32,400,0.1,[]int{2,12,36},1},
  {64,8,32,800,0.1,[]int{1,8,24},1},
  {64,8,32,400,0.1,[]int{1,8,24},1},
  {48,8,32,400,0.1,[]int{1,6,20},1},
  {64,8,32,400,0.1,[]int{1,8,24},0.05},
 }{
  t0:=time.Now()
  up,down:=0,0
  var a01,a12 []float64
  for seed := range 12 {
   r:=rand.New(rand.NewPCG(uint64(seed),7))
   x:=gaussian(r,cfg.n,cfg.d)
   for i:=range cfg.n { floats.Scale(1/floats.Norm(x.RawRowView(i),2), x.RawRowView(i)) }
   net:=tangent.HeNet(r,cfg.d,cfg.w,cfg.w,1)
   k0:=tangent.LayerKernel(tangent.FactorsOf(net,x))
   w,v,err:=linalg.SymEigen(mat.NewSymDense(cfg.n,k0.RawMatrix().Data),true); if err!=nil{t.Fatal(err)}
   f0:=tangent.Outputs(net,x)
   var amp,cosv,res []float64
   for _,k:=range cfg.ks {
     u:=mat.Col(nil,cfg.n-1-k,v)
     y:=append([]float64{},f0...)
     floats.AddScaled(y,cfg.scale*math.Sqrt(float64(cfg.n)),u)
     end:=tangent.Training{Rate:cfg.rate,Momentum:.9,Epochs:cfg.ep}.Fit(r,net,x,y)
     kb:=tangent.Path{Start:net,End:end}.AveragedKernel(x,tangent.Midpoint(10))
     uv:=mat.NewVecDense(cfg.n,u)
     q:=mat.Inner(uv,kb,uv)
     amp=append(amp,q/w[cfg.n-1-k]); cosv=append(cosv,q/mat.Norm(kb,2))
     o:=tangent.Outputs(end,x); floats.Sub(o,y); res=append(res,floats.Norm(o,2)/math.Sqrt(float64(cfg.n))/cfg.scale)
   }
   if amp[0]<amp[1]&&amp[1]<amp[2]{up++}
   if cosv[0]>cosv[1]&&cosv[1]>cosv[2]{down++}
   a01=append(a01,math.Log(amp[1]/amp[0]));a12=append(a12,math.Log(amp[2]/amp[1]))
   if seed<3 {fmt.Printf("amp %.2f cos %.3f res %.3f\n",amp,cosv,res)}
  }
  fmt.Println(cfg, "up",up,"down",down, "a01",floats.Min(a01),"a12",floats.Min(a12), time.Since(t0)/12)
 }
}

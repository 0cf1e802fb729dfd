process.argv[2]='lib';
const {tools,gen,readRows,iso,L,input}=await import('./zz-a.mjs');
const go=async(tag,expr,v,inp={},reads)=>{const a=performance.now();try{const r=await readRows(typeof v==='string'?v:JSON.stringify(v),{rows:expr,...(reads?{reads}:{})},{...input,...inp});console.log(tag,'|',r.length,Math.round(performance.now()-a)+'ms',JSON.stringify(r.length>4?[...r.slice(0,2),'…',r.at(-1)]:r).slice(0,600));}catch(e){console.log(tag,'| ERR',e.message,Math.round(performance.now()-a)+'ms');}};
// loki matrix
const m=(series,pts,f=(i)=>String(i))=>({status:'success',data:{resultType:'matrix',result:L(series,s=>({metric:{app:'a'+s},values:L(pts,i=>[1700000000+i*60,f(i)])}))}});
const old=tools.loki_logs.rows;
const fast=old.slice(0,old.indexOf('$value := function'))+`
  $points := values.$[1][$contains($, /\\d/)].$number($);
  $peak := $max($points);
  $odd := $count(values) - $count($points);
  $string(metric) & ' ' & $count($points) & ' points' & ($odd > 0 ? ' and ' & $odd & ' without a number')
    & ($exists($peak) ? ', min ' & $min($points) & ', max ' & $peak & ' at '
      & $fromMillis(1000 * values[$contains($[1], /\\d/)][$number($[1]) = $peak][0][0]) & ', last ' & $points[-1])
)`;
const fast2=old.slice(0,old.indexOf('$value := function'))+`
  $texts := values.($[1]);
  $points := $texts[$not($ in ['NaN', '+Inf', '-Inf'])].$number($);
  $peak := $max($points);
  $odd := $count(values) - $count($points);
  $string(metric) & ' ' & $count($points) & ' points' & ($odd > 0 ? ' and ' & $odd & ' without a number')
    & ($exists($peak) ? ', min ' & $min($points) & ', max ' & $peak & ' at '
      & $fromMillis(1000 * (values[$[1] != 'NaN' and $number($[1]) = $peak])[0][0]) & ', last ' & $points[-1])
)`;
for (const [s,p] of [[1,1],[1,2],[2,1],[500,60],[500,250]]) { for (const [n,e] of [['old',old],['fast',fast],['fast2',fast2]]) await go(`${n} ${s}x${p}`,e,m(s,p)); }
